import HTTPTransport
import Testing

struct HTTPURLTests {
    /// A URL, and where a request to it is sent.
    struct Reading: CustomTestStringConvertible {
        let text, origin, path: String
        let query: String?
        let isLoopback: Bool
        var testDescription: String { text }
    }

    @Test(arguments: [
        Reading(
            text: "https://FHIR.example.org",
            origin: "https://fhir.example.org",
            path: "/",
            query: nil,
            isLoopback: false
        ),
        Reading(
            text: "https://fhir.example.org:443/r4",
            origin: "https://fhir.example.org",
            path: "/r4",
            query: nil,
            isLoopback: false
        ),
        Reading(
            text: "https://fhir.example.org:8443/a/../b?c=d",
            origin: "https://fhir.example.org:8443",
            path: "/a/../b",
            query: "c=d",
            isLoopback: false
        ),
        Reading(text: "http://127.0.0.1:80/", origin: "http://127.0.0.1", path: "/", query: nil, isLoopback: true),
        Reading(text: "http://[::1]:9/x", origin: "http://[::1]:9", path: "/x", query: nil, isLoopback: true),
        Reading(text: "http://localhost:9/x", origin: "http://localhost:9", path: "/x", query: nil, isLoopback: true),
        // libcurl connects to 127.0.0.1 for each of these.
        Reading(text: "http://2130706433/", origin: "http://127.0.0.1", path: "/", query: nil, isLoopback: true),
        Reading(text: "http://127.1/", origin: "http://127.0.0.1", path: "/", query: nil, isLoopback: true),
        Reading(
            text: "http://127.0.0.256/",
            origin: "http://127.0.0.256",
            path: "/",
            query: nil,
            isLoopback: false
        ),
        Reading(text: "http://127.-0.0.1/", origin: "http://127.-0.0.1", path: "/", query: nil, isLoopback: false),
        Reading(text: "http://128.0.0.1/", origin: "http://128.0.0.1", path: "/", query: nil, isLoopback: false),
        Reading(
            text: "http://127.0.0.1.example.org/",
            origin: "http://127.0.0.1.example.org",
            path: "/",
            query: nil,
            isLoopback: false
        ),
        Reading(
            text: "http://localhost.example.org/",
            origin: "http://localhost.example.org",
            path: "/",
            query: nil,
            isLoopback: false
        ),
        Reading(
            text: "http://127.example.org.x/",
            origin: "http://127.example.org.x",
            path: "/",
            query: nil,
            isLoopback: false
        ),
    ])
    func `a URL is read in the same way as libcurl will connect`(_ reading: Reading) throws {
        let url = try HTTPURL(reading.text)
        #expect(url.origin == reading.origin)
        #expect(url.path == reading.path)
        #expect(url.query == reading.query)
        #expect(url.isLoopback == reading.isLoopback)
    }

    @Test(arguments: [
        ("fhir.example.org/r4", HTTPURLError.notAbsolute),
        ("//fhir.example.org/r4", .notAbsolute),
        ("https:/fhir.example.org", .notAbsolute),
        ("https:///fhir.example.org", .notAbsolute),
        ("", .notAbsolute),
        ("ftp://fhir.example.org/", .otherScheme),
        ("file:///etc/passwd", .notAbsolute),
        ("file://localhost/etc/passwd", .otherScheme),
        ("https://someone@fhir.example.org/", .userName),
        ("https://trusted.example.org:pw@evil.example.org/", .userName),
        ("https://fhir.example.org/#part", .fragment),
        ("https://fhir.example.org/authorize#", .fragment),
        ("https://fhir.example.org:0/", .noPort),
        ("https://fhir.example.org:65536/", .noPort),
        ("https://fhir.example.org/a b", .strangeCharacter),
        ("https://fhir.example.org/a\r\nHost: evil", .strangeCharacter),
        ("https://fhír.example.org/", .strangeCharacter),
        ("https://trusted.example.org\\@evil.example.org/", .userName),
    ])
    func `anything but a plain absolute URL is refused`(_ text: String, _ error: HTTPURLError) {
        #expect(throws: error) { try HTTPURL(text) }
    }

    @Test(arguments: [
        "https://fhir.example.org/r4", "HTTPS://FHIR.Example.org/r4", "https://fhir.example.org:443/r4",
        "https://fhir.example.org/r4//", "hTTps://fhir.EXAMPLE.org:0443/r4/",
    ])
    func `an address is kept in one spelling`(_ text: String) throws {
        #expect(try HTTPURL(text).normalized.text == "https://fhir.example.org/r4")
    }

    @Test(arguments: [
        "http://localhost:8080", "http://127.0.0.1:8080/fhir", "http://[::1]:9/x",
        "https://fhir.example.org/R4/%7eA%7E",
        "https://fhir.example.org/a/../b?c=D",
    ])
    func `an address in that spelling stays as it is`(_ text: String) throws {
        #expect(try HTTPURL(text).normalized.text == text)
    }

    @Test func `a URL in a message has no query`() throws {
        let url = try HTTPURL("http://127.0.0.1:8123/callback?code=CANARY&state=CANARY")
        #expect("\(url)" == "http://127.0.0.1:8123/callback")
    }
}
