import HTTPTransport
import OpenIDConnect
import Testing

/// What belongs to a FHIR base: `HTTPURL.contains(_:)`.
struct ServerURLTests {
    @Test func `S20 another scheme or port is another server`() throws {
        let base = try HTTPURL(serverBase: "https://fhir.example.org/r4")
        #expect(base.contains(try HTTPURL("https://fhir.example.org:443/r4/Observation?x=1")))
        #expect(base.contains(try HTTPURL("https://FHIR.example.org/r4")))
        #expect(!base.contains(try HTTPURL("http://fhir.example.org/r4")))
        #expect(!base.contains(try HTTPURL("https://fhir.example.org:8443/r4")))
        #expect(try HTTPURL(serverBase: "https://fhir.example.org").contains(HTTPURL("https://fhir.example.org/x")))
        // What a server's own links may hold.
        #expect(base.contains(try HTTPURL("https://fhir.example.org/r4/page%2Fa..b;v=1.2/...")))
    }
}
