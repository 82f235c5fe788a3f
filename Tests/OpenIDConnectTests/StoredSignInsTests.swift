import HTTPTransport
import Testing

@testable import OpenIDConnect

struct StoredSignInsTests {
    @Test func `what is kept of a server is found however its address is spelt`() async throws {
        let credential = Credential(
            server: "https://fhir.example.org/r4",
            method: .backendService,
            clientID: "pghd",
            issuer: nil,
            endpoints: TokenEndpoints(token: "https://login.example.org/token", revocation: nil),
            requestedScopes: []
        )
        let store = MemoryTokenStore([credential.server: try credential.encoded()])
        let spelt = try HTTPURL("HTTPS://FHIR.example.org:443/r4/")
        try await ClientKey(new: .es384).save(for: spelt, in: store)
        #expect(await store.names() == [credential.server, "key \(credential.server)"])
        #expect(try await StoredSignIns.credential(of: spelt, in: store) == credential)
        _ = try await SignOut(client: HTTPClient(), store: store).run(server: spelt, forget: true)
        #expect(await store.names().isEmpty)
    }
}
