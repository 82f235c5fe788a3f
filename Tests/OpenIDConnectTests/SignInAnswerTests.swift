import Glibc
import HTTPTransport
import Synchronization
import TestSupport
import Testing

@testable import OpenIDConnect

/// What is made of a sign-in server's documents and answers.
struct SignInAnswerTests {
    private let client: HTTPClient
    private let store = MemoryTokenStore()

    init() throws { client = try HTTPClient() }

    private func signIn(
        _ issuer: ScriptedIssuer,
        _ method: SignInMethod = .authorizationCode,
        scopes: [String] = ["patient/Observation.crus"],
        assumesPKCE: Bool = false
    ) async throws -> SignIn.Outcome {
        var request = SignIn.Request(server: try issuer.fhir, method: method, clientID: "pghd")
        request.scopes = scopes
        request.assumesPKCE = assumesPKCE
        return try await SignIn(client: client, store: store) { _ in }.run(request, with: ScriptedBrowser())
    }

    @Test func `the server of a request is kept in one spelling, also if it is set later`() throws {
        let server = try HTTPURL("https://fhir.example.org/r4")
        var request = SignIn.Request(server: server, method: .deviceCode, clientID: "pghd")
        request.server = try HTTPURL("HTTPS://FHIR.example.org:443/r4/")
        #expect(request.server == server)
    }

    @Test(arguments: SignInMethod.allCases)
    func `a slow answer does not lengthen the life of the token in it`(_ method: SignInMethod) async throws {
        let issuer = try ScriptedIssuer { request, _ in
            if request.path == "/token" { usleep(1_100_000) }
            return nil
        }
        try await ClientKey(new: .es384).save(for: issuer.fhir, in: store)
        let tokens = try #require(try await signIn(issuer, method).credential.tokens)
        #expect(try #require(tokens.expiry).secondsLeft() <= 3599)
    }

    @Test func `S40 clocks that differ by less than half a minute are not reported`() async throws {
        let nonce = Mutex<String?>(nil)
        let issuer = try ScriptedIssuer { request, base in
            if request.path == "/authorize" { nonce.withLock { $0 = request.query["nonce"] } }
            guard request.path == "/token" else { return nil }
            var claims = Claims(issuer: base)
            claims.nonce = nonce.withLock(\.self)
            claims.iat = claims.iat.map { $0 - 20 }
            let token = SigningKey.issuer.signedNow(claims)
            return ScriptedIssuer.json(["access_token": "a1", "token_type": "Bearer", "id_token": token])
        }
        #expect(try await signIn(issuer, scopes: ["openid"]).clockSkewSeconds == nil)
    }

    @Test func `the patient is kept even without a person`() async throws {
        #expect(try await signIn(ScriptedIssuer()).credential.subject == Subject(patient: "p123"))
    }

    @Test func `S16 a person can't be signed in with keys that the server does not name`() async throws {
        let issuer = try ScriptedIssuer { request, base in
            switch request.path {
            case "/r4/.well-known/smart-configuration":
                ScriptedIssuer.json(ScriptedIssuer.smartConfiguration(base).filter { $0.key != "jwks_uri" })
            case "/.well-known/openid-configuration":
                ScriptedIssuer.json(ScriptedIssuer.openIDConfiguration(base).filter { $0.key != "jwks_uri" })
            default: nil
            }
        }
        await #expect(throws: OpenIDConnectError.notOffered(what: "jwks_uri", place: issuer.base)) {
            try await signIn(issuer, scopes: ["openid"])
        }
    }

    @Test func `S16 an ID token is only taken with an algorithm that the issuer's document lists`() async throws {
        let issuer = try ScriptedIssuer { request, base in
            guard request.path == "/.well-known/openid-configuration" else { return nil }
            let others = ["id_token_signing_alg_values_supported": ["RS256"]]
            return ScriptedIssuer.json(ScriptedIssuer.openIDConfiguration(base).merging(others) { $1 })
        }
        await #expect(throws: OpenIDConnectError.idToken(.unannouncedAlgorithm("ES256"))) {
            try await signIn(issuer, scopes: ["openid"])
        }
    }

    @Test func `S5 without a browser it is not kept that the user vouches for PKCE`() async throws {
        let issuer = try ScriptedIssuer { request, base in
            guard request.path == "/r4/.well-known/smart-configuration" else { return nil }
            let document = ScriptedIssuer.smartConfiguration(base)
            return ScriptedIssuer.json(document.filter { $0.key != "code_challenge_methods_supported" })
        }
        #expect(try await signIn(issuer, .deviceCode, assumesPKCE: true).credential.isPKCEAssumed == nil)
    }
}
