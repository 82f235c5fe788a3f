import HTTPTransport
import TestSupport
import Testing

/// Headers of the user's own, which may hold a key.
struct OriginHeadersTests {
    @Test func `S20 own headers are sent to their origin, and to no other`() async throws {
        let servers = try (0..<2).map { _ in try ScriptedServer { _ in .response(200) } }
        let own = OriginHeaders([HTTPHeader("X-Api-Key", "CANARY")], for: try HTTPURL(servers[0].url + "/fhir"))
        let client = try HTTPClient(ownHeaders: own)
        for server in servers { _ = try await client.send(HTTPRequest(.get, HTTPURL(server.url + "/token"))) }
        #expect(servers.flatMap(\.requests).map { $0.headers["x-api-key"] } == ["CANARY", nil])
    }
}
