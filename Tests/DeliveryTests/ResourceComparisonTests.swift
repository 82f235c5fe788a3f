import FHIRR4
import Testing

@testable import Delivery

/// How a server may change a resource's form, and how it may not change its content.
struct ResourceComparisonTests {
    private static let sent = """
        {"resourceType":"Observation","id":"h1","meta":{"profile":["urn:p"]},"status":"final",
        "code":{"coding":[{"system":"urn:s","code":"a"},{"system":"urn:s","code":"b"}]},
        "subject":{"reference":"Patient/p1"},"device":{"reference":"urn:uuid:d1"},
        "effectivePeriod":{"start":"2024-03-01T08:00:00Z","end":"2024-03-01T09:00:00+01:00"},
        "valueQuantity":{"value":72.50,"unit":"kg"},
        "component":[{"valueInteger":1},{"valueInteger":2},{"valueInteger":2}]}
        """

    /// The elements that differ after each first text is replaced by the second.
    private static func differences(
        _ changes: KeyValuePairs<String, String>,
        ownBase: String? = nil,
        allowsMore: Bool = false,
        allowsRounding: Bool = false
    ) throws -> [String] {
        var text = sent
        for (old, new) in changes {
            try #require(text.contains(old), "the sample does not hold \(old)")
            text.replace(old, with: new)
        }
        var comparison = ResourceComparison(base: "https://fhir.example.org/r4")
        comparison.names = ["urn:uuid:d1": ["Device/12"]]
        comparison.ownBase = ownBase
        comparison.allowsMore = allowsMore
        comparison.allowsRounding = allowsRounding
        return comparison.differences(try value(sent), try value(text))
    }

    @Test(arguments: ["72.5", "72.500", "72.50000000000000000001"])
    func `a number kept as binary floating point differs, but only by rounding`(other: String) throws {
        let changes: KeyValuePairs = ["urn:uuid:d1": "Device/12", "72.50": other]
        #expect(try Self.differences(changes) == ["valueQuantity.value"])
        #expect(try Self.differences(changes, allowsRounding: true).isEmpty)
    }

    @Test(arguments: ["72.51", "72.5000000001", "\"72.5\""])
    func `any other number differs by more than rounding`(other: String) throws {
        let changes: KeyValuePairs = ["urn:uuid:d1": "Device/12", "72.50": other]
        #expect(try Self.differences(changes, allowsRounding: true) == ["valueQuantity.value"])
    }

    private static func value(_ text: String) throws -> JSONValue {
        var scanner = JSONScanner(Array(text.utf8))
        return try scanner.readValue()
    }

    private static let rewritten: KeyValuePairs = ["urn:uuid:d1": "Device/12"]

    @Test func `a link within the Bundle equals the resource that the server made of it`() throws {
        #expect(try Self.differences(Self.rewritten).isEmpty)
        #expect(try Self.differences(["urn:uuid:d1": "https://fhir.example.org/r4/Device/12"]).isEmpty)
        #expect(try Self.differences(["urn:uuid:d1": "http://fhir.example.org/r4/Device/12/_history/3"]).isEmpty)
        // The address by which a server behind a proxy knows itself.
        let inside: KeyValuePairs = ["urn:uuid:d1": "https://inside.example/fhir/Device/12/_history/3"]
        #expect(try Self.differences(inside, ownBase: "https://inside.example/fhir").isEmpty)
        #expect(try Self.differences(inside, ownBase: "https://inside.example/other") == ["device.reference"])
        for other in [
            "https://inside.example/fhir/Device/12", "https://fhir.example.org/r4x/Device/12", "Device/13",
            "Device/112", "https://fhir.example.org/r4/Device/112", "urn:uuid:d1", "12",
        ] {
            #expect(try Self.differences(["urn:uuid:d1": other]) == ["device.reference"], "\(other)")
        }
    }

    @Test(arguments: [
        (#""id":"h1""#, #""id":"77""#),
        (
            #""meta":{"profile":["urn:p"]}"#,
            #""meta":{"versionId":"3","lastUpdated":"2024","source":"x#a","profile":["urn:q","urn:p"]}"#
        ),
        (#""status":"final""#, #""text":{"status":"generated","div":"<div/>"},"status":"final""#),
        (
            #"{"system":"urn:s","code":"a"},{"system":"urn:s","code":"b"}"#,
            #"{"code":"b","system":"urn:s"},{"code":"a","system":"urn:s"}"#
        ),
        (#""2024-03-01T08:00:00Z""#, #""2024-03-01T08:00:00.000+00:00""#),
        (#""2024-03-01T09:00:00+01:00""#, #""2024-03-01T09:00:00.000+01:00""#),
        ("72.50", "7.250e1"),
        ("72.50", "7250E-2"),
        (#""status":"final""#, #""status":"\u0066inal","_status":null,"note":[]"#),
        (#"{"valueInteger":1},{"valueInteger":2}"#, #"{"valueInteger":2},{"valueInteger":1}"#),
    ])
    func `resources that differ only in form are the same`(_ old: String, _ new: String) throws {
        #expect(try Self.differences(["urn:uuid:d1": "Device/12", old: new]).isEmpty)
    }

    @Test(arguments: [
        ("72.50", "72.5", "valueQuantity.value"),
        ("72.50", "72.51", "valueQuantity.value"),
        ("72.50", #""72.50""#, "valueQuantity.value"),
        (#","unit":"kg""#, "", "valueQuantity.unit"),
        (#""unit":"kg""#, #""unit":"Kg""#, "valueQuantity.unit"),
        (#""status":"final""#, #""status":"final","note":[{"text":"x"}]"#, "note"),
        (#""status":"final""#, #""status":"final","a person's name":1"#, "?"),
        (#""2024-03-01T08:00:00Z""#, #""2024-03-01T09:00:00+01:00""#, "effectivePeriod.start"),
        (#""2024-03-01T08:00:00Z""#, #""2024-03-01T08:00:00.001Z""#, "effectivePeriod.start"),
        (#""2024-03-01T09:00:00+01:00""#, #""2024-03-01T08:00:00.000Z""#, "effectivePeriod.end"),
        (#""2024-03-01T09:00:00+01:00""#, #""2024-03-01T09:00:00.500+01:00""#, "effectivePeriod.end"),
        (#""urn:p""#, #""urn:q""#, "meta.profile"),
        (#"{"valueInteger":1},"#, "", "component"),
        (
            #"{"valueInteger":1},{"valueInteger":2}"#, #"{"valueInteger":1},{"valueInteger":1}"#,
            "component[1].valueInteger"
        ),
        (#""code":"b""#, #""code":"c""#, "code.coding[1].code"),
        (#""subject":{"reference":"Patient/p1"}"#, #""subject":{"reference":"Patient/p2"}"#, "subject.reference"),
    ])
    func `a difference in content is named by its element`(_ old: String, _ new: String, _ path: String) throws {
        #expect(try Self.differences(["urn:uuid:d1": "Device/12", old: new]) == [path])
    }

    @Test func `a Patient may hold more than was sent, but what was sent must be unchanged`() throws {
        let more: KeyValuePairs = ["urn:uuid:d1": "Device/12", #""status":"final""#: #""status":"final","name":[{}]"#]
        #expect(try Self.differences(more, allowsMore: true).isEmpty)
        let other: KeyValuePairs = ["urn:uuid:d1": "Device/12", #""status":"final""#: #""status":"amended","name":1"#]
        #expect(try Self.differences(other, allowsMore: true) == ["status"])
    }

    @Test func `a narrative is compared if one was sent`() throws {
        let comparison = ResourceComparison(base: "https://fhir.example.org/r4")
        let ours = try Self.value(#"{"text":{"div":"a"},"status":"final"}"#)
        #expect(comparison.differences(ours, try Self.value(#"{"text":{"div":"b"},"status":"final"}"#)) == ["text.div"])
        #expect(comparison.differences(ours, try Self.value(#"{"status":"final"}"#)) == ["text"])
    }

    @Test func `an answer that is nested too deeply is refused`() {
        let text = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        #expect(throws: JSONFault.self) { try Self.value(text) }
    }
}
