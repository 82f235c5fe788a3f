import HTTPTransport
import Testing

@testable import OpenIDConnect

/// Which URLs are trusted, and what belongs to a FHIR base.
struct ServerURLTests {
    @Test func `S20 another scheme or port is another server`() throws {
        let base = try HTTPURL(serverBase: "https://fhir.example.org/r4")
        #expect(base.contains(try HTTPURL("https://fhir.example.org:443/r4/Observation?x=1")))
        #expect(base.contains(try HTTPURL("https://FHIR.example.org/r4")))
        #expect(!base.contains(try HTTPURL("http://fhir.example.org/r4")))
        #expect(!base.contains(try HTTPURL("https://fhir.example.org:8443/r4")))
        #expect(try HTTPURL(serverBase: "https://fhir.example.org").contains(HTTPURL("https://fhir.example.org/x")))
        // Characters that a server's own links may contain.
        #expect(base.contains(try HTTPURL("https://fhir.example.org/r4/page%2Fa..b;v=1.2/...")))
    }

    @Test(arguments: [
        ("http://fhir.example.org/r4", HTTPURLError.insecure),
        ("http://127.0.0.1.example.org/", .insecure),
        ("ftp://fhir.example.org/", .otherScheme),
        ("fhir.example.org", .notAbsolute),
        ("https://fhir.example.org/r4?x=1", .query),
        ("https://fhir.example.org/x/../r4", .dots),
        ("https://[fe80::1%25eth0]/r4", .zone),
    ])
    func `S2 a FHIR base without https is refused except on this machine`(_ text: String, _ error: HTTPURLError) {
        #expect(throws: error) { try HTTPURL(serverBase: text) }
    }

    /// Services on this machine may trust anyone who can reach them.
    @Test(arguments: ["http://127.0.0.1:9/x", "https://localhost/x", "http://[::1]:80/"])
    func `S2 a document of a remote server must not name an address of this machine`(_ text: String) throws {
        let elsewhere = try HTTPURL("https://fhir.example.org/r4")
        #expect(throws: OpenIDConnectError.thisMachine(what: "jwks_uri")) {
            try HTTPURL(trusted: text, what: "jwks_uri", namedBy: elsewhere)
        }
        #expect(try HTTPURL(trusted: text, what: "jwks_uri", namedBy: HTTPURL("http://127.0.0.2:1/r4")).text == text)
        let other = "https://login.example.org/keys"
        #expect(try HTTPURL(trusted: other, what: "jwks_uri", namedBy: elsewhere).text == other)
    }

    @Test(arguments: [
        ("https://fhir.example.org/r4///", "https://fhir.example.org/r4"),
        ("http://127.0.0.1:8080/fhir/", "http://127.0.0.1:8080/fhir"),
        ("http://localhost:8080", "http://localhost:8080"),
        ("HTTPS://FHIR.example.org:443/R4", "https://fhir.example.org/R4"),
        ("http://LOCALHOST:80/fhir", "http://localhost/fhir"),
    ])
    func `a FHIR base is kept in one spelling, without trailing slashes`(_ text: String, _ kept: String) throws {
        #expect(try HTTPURL(serverBase: text).text == kept)
    }
}
