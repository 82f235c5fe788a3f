import FHIRR4
import Testing

@testable import Delivery

/// The type that a server adds to a reference.
struct ReferenceTypeTests {
    @Test(arguments: [("Device", []), ("Patient", ["device.type"]), ("", ["device.type"])])
    func `a type that a server adds to a reference is a difference if it is not the type of the resource`(
        _ type: String,
        _ differences: [String]
    ) {
        var comparison = ResourceComparison(base: "https://fhir.example.org/r4")
        comparison.names = ["urn:uuid:d1": ["Device/12"]]
        let sent: JSONValue = ["device": ["reference": .string("urn:uuid:d1")]]
        let found: JSONValue = ["device": ["reference": .string("Device/12"), "type": .string(type)]]
        #expect(comparison.differences(sent, found) == differences)
    }
}
