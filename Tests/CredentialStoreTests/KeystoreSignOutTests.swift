import HTTPTransport
import OpenIDConnect
import TestSupport
import Testing

@testable import CredentialStore

/// Signing out with a keystore that is full, or that is not there.
struct KeystoreSignOutTests {
    private let place: KeystorePlace
    private let server = "https://fhir.example.org/r4"

    init() throws { place = try KeystorePlace() }

    private func signOut(_ keystore: Keystore, forget: Bool) async throws -> SignOut.Outcome {
        try await SignOut(client: HTTPClient(), store: keystore).run(server: HTTPURL(server), forget: forget)
    }

    @Test(arguments: [true, false])
    func `S25 signing out needs no room in the keystore`(_ forget: Bool) async throws {
        let keystore = place.keystore()
        let entry = #"""
            {"credential":{"clientID":"pghd","endpoints":{"token":"https://a.example/token"},"method":"deviceCode",\#
            "requestedScopes":["openid"],"server":"https://fhir.example.org/r4","tokens":{"accessToken":"a",\#
            "grantedScopes":[],"refreshToken":"r"}},"version":1}
            """#
        try await keystore.update(server) { $0 = Array(entry.utf8) }
        try await keystore.update("key " + server) { $0 = [1] }
        try await keystore.update("other") { $0 = [UInt8](repeating: 1, count: 1_000_000) }
        let outcome = try await signOut(keystore, forget: forget)
        #expect([outcome.refreshToken, outcome.accessToken] == [.notOffered, .notOffered])
        #expect(try await keystore.names() == (forget ? ["other"] : [server, "key " + server, "other"]))
        if !forget {
            #expect(try await StoredSignIns.credential(of: HTTPURL(server), in: keystore)?.tokens == nil)
        }
    }

    @Test func `signing out without a keystore makes none, and asks for no passphrase`() async throws {
        let keystore = Keystore(path: place.path, passphrase: .file(path: place.folder.path("missing")))
        _ = try await signOut(keystore, forget: true)
        #expect(place.mode("pghd") == 0)
    }
}
