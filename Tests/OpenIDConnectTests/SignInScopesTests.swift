import HTTPTransport
import TestSupport
import Testing

@testable import OpenIDConnect

/// What is asked for if the user names no scopes, and what is kept of them.
struct SignInScopesTests {
    private let client: HTTPClient

    init() throws { client = try HTTPClient() }
    private let store = MemoryTokenStore()

    /// An issuer that lists `scopes`, and refuses a request for a code with `offline_access` in it.
    private func issuer(listing scopes: [String]?) throws -> ScriptedIssuer {
        try ScriptedIssuer { request, base in
            switch request.path {
            case "/r4/.well-known/smart-configuration":
                var document = ScriptedIssuer.smartConfiguration(base)
                document["scopes_supported"] = scopes
                return ScriptedIssuer.json(document)
            case "/authorize" where request.query["scope"]?.contains("offline_access") == true:
                let query = "error=invalid_scope&state=\(request.query["state"] ?? "")"
                return .response(302, headers: ["Location": "\(request.query["redirect_uri"] ?? "")?\(query)"])
            case "/device" where request.form["scope"]?.contains("offline_access") == true:
                return ScriptedIssuer.json(["error": "invalid_scope"], status: 400)
            default: return nil
            }
        }
    }

    private func signIn(
        _ issuer: ScriptedIssuer,
        _ method: SignInMethod = .authorizationCode,
        scopes: [String]? = nil,
        with browser: ScriptedBrowser = ScriptedBrowser()
    ) async throws -> Credential {
        var request = SignIn.Request(server: try issuer.fhir, method: method, clientID: "pghd")
        request.scopes = scopes
        return try await SignIn(client: client, store: store) { _ in }.run(request, with: browser).credential
    }

    @Test(arguments: [["openid"], nil])
    func `S18 a server that refuses a scope that it does not list is asked once more without it`(
        _ listed: [String]?
    ) async throws {
        let issuer = try issuer(listing: listed)
        let browser = ScriptedBrowser()
        let credential = try await signIn(issuer, with: browser)
        #expect(!credential.requestedScopes.contains("offline_access"))
        #expect(credential.requestedScopes.contains("patient/Observation.crus"))
        let requests = issuer.requests("/authorize").map { $0.query["scope"]?.contains("offline_access") }
        #expect(requests == [true, false])
        #expect(browser.texts.count == 3)
        #expect(browser.texts.dropFirst().first == "without offline_access")
        // Nothing of the first request is used again.
        #expect(Set(issuer.requests("/authorize").map { $0.query["state"] }).count == 2)
        #expect(Set(issuer.requests("/authorize").map { $0.query["code_challenge"] }).count == 2)
    }

    @Test func `S18 the device flow asks once more, too`() async throws {
        let issuer = try issuer(listing: ["openid"])
        let credential = try await signIn(issuer, .deviceCode)
        #expect(!credential.requestedScopes.contains("offline_access"))
        #expect(issuer.requests("/device").count == 2)
    }

    @Test(arguments: [(["offline_access"], nil), (["openid"], ["offline_access"])] as [([String], [String]?)])
    func `S18 what the server lists or the user names is not left out`(
        _ listed: [String],
        _ named: [String]?
    ) async throws {
        let issuer = try issuer(listing: listed)
        await #expect(throws: OpenIDConnectError.refused(code: "invalid_scope", status: nil)) {
            try await signIn(issuer, scopes: named)
        }
        #expect(issuer.requests("/authorize").count == 1)
    }

    @Test func `only scopes that the user named are kept as such`() async throws {
        let issuer = try ScriptedIssuer()
        #expect(try await signIn(issuer).areScopesNamed == nil)
        #expect(try await signIn(issuer, scopes: ["patient/Device.crus"]).areScopesNamed == true)
    }

    @Test func `an entry of before is read`() throws {
        let text = #"""
            {"credential":{"clientID":"pghd","endpoints":{"token":"https://a.example/token"},"method":"deviceCode",\#
            "requestedScopes":["openid"],"server":"https://a.example","tokens":{"accessToken":"a","grantedScopes":[],\#
            "refreshToken":"r"}},"version":1}
            """#
        let credential = try Credential(entry: Array(text.utf8))
        #expect(credential.areScopesNamed == nil)
        #expect(credential.isPKCEAssumed == nil)
        #expect(credential.endpoints.revocationWantsSecret == nil)
        #expect(credential.tokens?.refreshExpiry == nil)
        #expect(try Credential(entry: credential.encoded()) == credential)
        // One of a later version may mean something else.
        #expect(throws: OpenIDConnectError.unreadableEntry) {
            try Credential(entry: Array(text.replacing(#""version":1"#, with: #""version":2"#).utf8))
        }
    }

    @Test func `an entry may have 32768 bytes and no more`() throws {
        var credential = Credential(
            server: "https://a.example",
            method: .deviceCode,
            clientID: "pghd",
            issuer: "",
            endpoints: TokenEndpoints(token: "https://a.example/token", revocation: nil),
            requestedScopes: []
        )
        let rest = Credential.maximumEntryByteCount - (try credential.encoded().count)
        credential.issuer = String(repeating: "x", count: rest)
        #expect(try credential.encoded().count == 32768)
        credential.issuer?.append("x")
        #expect(throws: OpenIDConnectError.self) { try credential.encoded() }
    }
}
