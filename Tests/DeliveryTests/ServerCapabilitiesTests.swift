import HTTPTransport
import Testing

@testable import Delivery

/// What a server says about itself, and about compressed bodies in an answer's `Accept-Encoding`.
struct ServerCapabilitiesTests {
    @Test(arguments: ["gzip", "GZIP", "x-gzip", "deflate;q=0.5, gzip", "gzip; q=0.8"])
    func `gzip is accepted if the list names it`(_ codings: String) {
        #expect(ServerCapabilities.namesGzip(codings))
    }

    private static func capabilities(_ members: String) -> ServerCapabilities {
        ServerCapabilities(Array(#"{"resourceType":"CapabilityStatement",\#(members)}"#.utf8))
    }

    @Test func `what a server says about itself as a client does not count`() {
        let server = #"{"mode":"server","interaction":[{"code":"transaction"}]}"#
        let client = #"{"interaction":[{"code":"batch"}],"mode":"client"}"#
        for rest in ["\(server),\(client)", "\(client),\(server)"] {
            #expect(Self.capabilities(#""rest":[\#(rest)]"#).takesTransactions == true)
        }
    }

    @Test(arguments: [("versioned-update", true as Bool?), ("versioned", false), ("no-version", false), (nil, nil)])
    func `a server may require the version that an update replaces`(_ versioning: String?, _ isWanted: Bool?) {
        let member = versioning.map { #","versioning":"\#($0)""# } ?? ""
        let rest = #""rest":[{"mode":"server","resource":[{"type":"Observation"\#(member)}]}]"#
        #expect(Self.capabilities(rest).wantsVersions == isWanted)
    }

    @Test(arguments: ["1.0.2", "3.0.2", "5.0.0"])
    func `a server with another version of FHIR is refused`(_ version: String) throws {
        let server = try HTTPURL("https://fhir.example.org/r4")
        let error = DeliveryError.incapable(
            server: "https://fhir.example.org/r4",
            of: "speaks FHIR \(version), and not R4",
            next: "give the address of its R4 endpoint"
        )
        #expect(throws: error) {
            try Self.capabilities(#""fhirVersion":"\#(version)""#).check(server, isConditional: false)
        }
    }

    @Test(arguments: [#""4.0.1""#, #""4.3.0""#, #""R4""#, #""""#, "null", #""5.0.0 of somebody's""#])
    func `R4, or text that is not a version, is accepted`(_ version: String) throws {
        let server = try HTTPURL("https://fhir.example.org/r4")
        try Self.capabilities(#""fhirVersion":\#(version)"#).check(server, isConditional: false)
    }

    @Test(arguments: ["", "identity", "deflate", "gzip;q=0", "gzip; q=0.0", "notgzip", "br, zstd"])
    func `gzip is not accepted if the list lacks it or gives it weight zero`(_ codings: String) {
        #expect(!ServerCapabilities.namesGzip(codings))
    }
}
