import HTTPTransport
import TestSupport
import Testing

@testable import OpenIDConnect

struct DiscoveryTests {
    private let client: HTTPClient

    init() throws { client = try HTTPClient() }

    private func found(_ issuer: ScriptedIssuer, named: String? = nil) async throws -> AuthorizationServer {
        try await Discovery(client: client).authorizationServer(of: issuer.fhir, issuer: named)
    }

    @Test func `SMART's document is read first, then the issuer's, and their endpoints are merged`() async throws {
        let issuer = try ScriptedIssuer { request, base in
            guard request.path == "/r4/.well-known/smart-configuration" else { return nil }
            var document = ScriptedIssuer.smartConfiguration(base)
            document["jwks_uri"] = nil
            document["token_endpoint"] = base + "/smart-token"
            document["scopes_supported"] = ["openid", "patient/*.cruds"]
            document["token_endpoint_auth_signing_alg_values_supported"] = ["ES384"]
            document["revocation_endpoint_auth_methods_supported"] = ["none"]
            document["require_pushed_authorization_requests"] = true
            return ScriptedIssuer.json(document)
        }
        let base = issuer.base
        let server = try await found(issuer)
        #expect(
            server
                == AuthorizationServer(
                    issuer: base,
                    authorizationEndpoint: try HTTPURL(base + "/authorize"),
                    tokenEndpoint: try HTTPURL(base + "/smart-token"),
                    revocationEndpoint: try HTTPURL(base + "/revoke"),
                    deviceAuthorizationEndpoint: try HTTPURL(base + "/device"),
                    jwksURL: try HTTPURL(base + "/jwks"),
                    codeChallengeMethods: ["S256"],
                    namesIssInResponse: false,
                    scopes: ["openid", "patient/*.cruds"],
                    capabilities: ["permission-v2", "sso-openid-connect"],
                    idTokenAlgorithms: ["ES256"],
                    clientAlgorithms: ["ES384"],
                    revocationMethods: ["none"],
                    takesPushedRequestsOnly: true
                )
        )
        #expect(
            issuer.server.requests.map(\.target)
                == ["/r4/.well-known/smart-configuration", "/.well-known/openid-configuration"]
        )
        #expect(issuer.server.requests.allSatisfy { $0.headers["accept"] == "application/json" })
    }

    @Test func `for a server without SMART configuration the issuer must be named`() async throws {
        let issuer = try ScriptedIssuer { request, _ in
            request.path == "/r4/.well-known/smart-configuration" ? .response(404) : nil
        }
        await #expect(throws: OpenIDConnectError.noConfiguration(server: issuer.base + "/r4", status: 404)) {
            try await found(issuer)
        }
        #expect(try await found(issuer, named: issuer.base).tokenEndpoint.text == issuer.base + "/token")
    }

    @Test func `SMART's document is enough for a server that was signed in to before`() async throws {
        let issuer = try ScriptedIssuer { request, _ in
            request.path == "/.well-known/openid-configuration" ? .response(404) : nil
        }
        let first = try await found(issuer)
        let again = try await Discovery(client: client)
            .authorizationServer(of: issuer.fhir, issuer: first.issuer, isRemembered: true)
        #expect(again == first)
        // An issuer that the user names must have its own document.
        await #expect(
            throws: OpenIDConnectError.noIssuerConfiguration(
                place: issuer.base + "/.well-known/openid-configuration",
                status: 404
            )
        ) { try await found(issuer, named: issuer.base) }
    }

    @Test(arguments: ["/", "x", "/../", "?"])
    func `S1 an issuer that differs in one character is refused`(_ suffix: String) async throws {
        let issuer = try ScriptedIssuer { request, base in
            guard request.path.hasSuffix("/openid-configuration") else { return nil }
            var document = ScriptedIssuer.openIDConfiguration(base)
            document["issuer"] = base + suffix
            return ScriptedIssuer.json(document)
        }
        let error = OpenIDConnectError.wrongIssuer(
            expected: issuer.base,
            found: issuer.base + suffix,
            namedBy: .smartConfiguration
        )
        await #expect(throws: error) { try await found(issuer) }
        #expect(
            error.description
                == "the sign-in server calls itself '\(issuer.base)\(suffix)' (expected '\(issuer.base)', as the FHIR "
                + "server's SMART configuration says, letter for letter): tell the server's operator"
        )
    }

    @Test func `S1 issuers are compared byte for byte`() async throws {
        // The Kelvin sign, which Unicode treats as equal to K.
        let other = "https://login.example.org/\u{212A}"
        let issuer = try ScriptedIssuer { request, base in
            guard request.path == "/r4/.well-known/smart-configuration" else { return nil }
            return ScriptedIssuer.json(ScriptedIssuer.smartConfiguration(base).merging(["issuer": other]) { $1 })
        }
        let error = OpenIDConnectError.wrongIssuer(expected: "https://login.example.org/K", found: other)
        await #expect(throws: error) { try await found(issuer, named: "https://login.example.org/K") }
    }

    @Test(arguments: [
        "authorization_endpoint", "token_endpoint", "jwks_uri", "revocation_endpoint", "device_authorization_endpoint",
    ])
    func `S20 a named issuer is only used with its own endpoints`(_ name: String) async throws {
        let issuer = try ScriptedIssuer { request, base in
            switch request.path {
            case "/r4/.well-known/smart-configuration":
                let other = [name: "https://evil.example.org/x"]
                return ScriptedIssuer.json(ScriptedIssuer.smartConfiguration(base).merging(other) { $1 })
            case "/.well-known/openid-configuration":
                let own = ["revocation_endpoint": base + "/revoke", "device_authorization_endpoint": base + "/device"]
                return ScriptedIssuer.json(ScriptedIssuer.openIDConfiguration(base).merging(own) { $1 })
            default: return nil
            }
        }
        let error = OpenIDConnectError.malformedDocument(
            place: issuer.base + "/r4/.well-known/smart-configuration",
            fault: "\(name) is at another origin than in the issuer's own document (expected the same)"
        )
        await #expect(throws: error) { try await found(issuer, named: issuer.base) }
    }

    @Test(arguments: ["authorization_endpoint", "token_endpoint", "jwks_uri"])
    func `S20 an endpoint that the issuer's document lacks can't be elsewhere either`(_ name: String) async throws {
        let issuer = try Self.issuer(naming: [name: "https://evil.example.org/x"], besideOwn: { $0[name] = nil })
        let error = OpenIDConnectError.malformedDocument(
            place: issuer.base + "/r4/.well-known/smart-configuration",
            fault: "\(name) is at another origin than in the issuer's own document (expected the same)"
        )
        await #expect(throws: error) { try await found(issuer, named: issuer.base) }
    }

    @Test(arguments: [nil, "http://evil.example.org/x"])
    func `S20 an optional endpoint at another origin is left out`(_ own: String?) async throws {
        let names = ["revocation_endpoint", "device_authorization_endpoint"]
        let other = Dictionary(uniqueKeysWithValues: names.map { ($0, "https://evil.example.org/x") })
        let issuer = try Self.issuer(naming: other) { document in for name in names { document[name] = own } }
        let server = try await found(issuer, named: issuer.base)
        #expect(server.revocationEndpoint == nil && server.deviceAuthorizationEndpoint == nil)
        // At the issuer's own origin they are accepted.
        let plain = try Self.issuer(naming: [:]) { document in for name in names { document[name] = own } }
        #expect(try await found(plain, named: plain.base).revocationEndpoint?.text == plain.base + "/revoke")
    }

    /// An issuer whose SMART document names other endpoints, and whose own document is changed as well.
    private static func issuer(
        naming other: [String: String],
        besideOwn change: @escaping @Sendable (inout [String: Any]) -> Void
    ) throws -> ScriptedIssuer {
        try ScriptedIssuer { request, base in
            switch request.path {
            case "/r4/.well-known/smart-configuration":
                return ScriptedIssuer.json(ScriptedIssuer.smartConfiguration(base).merging(other) { $1 })
            case "/.well-known/openid-configuration":
                var own = ScriptedIssuer.openIDConfiguration(base)
                change(&own)
                return ScriptedIssuer.json(own)
            default: return nil
            }
        }
    }

    @Test func `S1 an issuer that differs from SMART's is refused`() async throws {
        let issuer = try ScriptedIssuer()
        let other = "https://login.example.org"
        await #expect(throws: OpenIDConnectError.wrongIssuer(expected: other, found: issuer.base)) {
            try await found(issuer, named: other)
        }
    }

    @Test func `S1 an issuer's document without an issuer is refused`() async throws {
        let issuer = try ScriptedIssuer { request, base in
            request.path == "/.well-known/openid-configuration" ? ScriptedIssuer.json(["token_endpoint": base]) : nil
        }
        let place = issuer.base + "/.well-known/openid-configuration"
        await #expect(
            throws: OpenIDConnectError.malformedDocument(place: place, fault: "issuer is missing (expected a value)")
        ) { try await found(issuer) }
    }

    @Test(arguments: ["authorization_endpoint", "token_endpoint", "jwks_uri"])
    func `S2 an endpoint with http on another host is refused`(_ name: String) async throws {
        let issuer = try ScriptedIssuer { request, base in
            guard request.path == "/r4/.well-known/smart-configuration" else { return nil }
            var document = ScriptedIssuer.smartConfiguration(base)
            document[name] = "http://login.example.org/x"
            return ScriptedIssuer.json(document)
        }
        await #expect(throws: OpenIDConnectError.insecureURL(what: name)) { try await found(issuer) }
    }

    /// A sign-in needs neither of these endpoints.
    @Test(arguments: ["http://login.example.org/x", "", "/x"], [true, false])
    func `S2 S5 an optional endpoint that can't be used is ignored`(
        _ endpoint: String,
        _ isNamed: Bool
    ) async throws {
        let issuer = try ScriptedIssuer { request, base in
            var document: [String: Any]
            switch request.path {
            case "/r4/.well-known/smart-configuration": document = ScriptedIssuer.smartConfiguration(base)
            case "/.well-known/openid-configuration": document = ScriptedIssuer.openIDConfiguration(base)
            default: return nil
            }
            document["revocation_endpoint"] = endpoint
            document["device_authorization_endpoint"] = endpoint
            return ScriptedIssuer.json(document)
        }
        let server = try await found(issuer, named: isNamed ? issuer.base : nil)
        #expect(server.revocationEndpoint == nil)
        #expect(server.deviceAuthorizationEndpoint == nil)
        #expect(server.tokenEndpoint.text == issuer.base + "/token")
    }

    @Test(arguments: [("/r4/.well-known/smart-configuration", false), ("/.well-known/openid-configuration", true)])
    func `S3 a redirect in discovery is refused and not followed`(_ path: String, _ isNamed: Bool) async throws {
        let other = try ScriptedServer { _ in .response(200, body: "{}") }
        let location = other.url
        let issuer = try ScriptedIssuer { request, _ in
            request.path == path ? .response(302, headers: ["Location": location]) : nil
        }
        let option = isNamed ? "--issuer" : "--server"
        await #expect(throws: OpenIDConnectError.redirected(place: issuer.base + path, option: option)) {
            try await found(issuer, named: isNamed ? issuer.base : nil)
        }
        #expect(other.requests.isEmpty)
    }

    @Test func `S4 a discovery document of more than a megabyte is refused`() async throws {
        let issuer = try ScriptedIssuer { request, base in
            guard request.path == "/r4/.well-known/smart-configuration" else { return nil }
            var document = ScriptedIssuer.smartConfiguration(base)
            document["filler"] = String(repeating: "x", count: 1 << 20)
            return ScriptedIssuer.json(document)
        }
        await #expect(
            throws: OpenIDConnectError.transport(
                .responseTooLarge(origin: issuer.base, maximumByteCount: 1 << 20)
            )
        ) { try await found(issuer) }
    }

    @Test(arguments: [(JSONDocument.limits, 15, 30), (JSONDocument.renewalLimits, 120, 120)])
    func `S4 all requests of a sign-in have limits of size and time`(
        _ limits: HTTPLimits,
        _ idle: Int,
        _ total: Int
    ) {
        let expected = HTTPLimits(
            connect: .seconds(10),
            idle: .seconds(idle),
            total: .seconds(total),
            maximumBodyByteCount: 1 << 20
        )
        #expect(limits == expected)
    }

    @Test(arguments: ["/token", "token", "//login.example.org/token", "https:/token", ""])
    func `S5 a relative endpoint is refused`(_ endpoint: String) async throws {
        let issuer = try ScriptedIssuer { request, base in
            guard request.path == "/r4/.well-known/smart-configuration" else { return nil }
            var document = ScriptedIssuer.smartConfiguration(base)
            document["token_endpoint"] = endpoint
            return ScriptedIssuer.json(document)
        }
        await #expect(throws: OpenIDConnectError.unusableURL(what: "token_endpoint", .notAbsolute)) {
            try await found(issuer)
        }
    }

    @Test(arguments: [nil, [], ["plain"], ["s256"]])
    func `S5 without S256 there is no sign-in`(_ methods: [String]?) async throws {
        let issuer = try ScriptedIssuer { request, base in
            guard request.path == "/r4/.well-known/smart-configuration" else { return nil }
            var document = ScriptedIssuer.smartConfiguration(base)
            document["code_challenge_methods_supported"] = methods
            return ScriptedIssuer.json(document)
        }
        let store = MemoryTokenStore()
        let browser = ScriptedBrowser()
        let request = SignIn.Request(server: try issuer.fhir, method: .authorizationCode, clientID: "pghd")
        let error = OpenIDConnectError.noS256(place: issuer.base, offersDevice: true, listsNothing: methods == nil)
        await #expect(throws: error) {
            try await SignIn(client: client, store: store).run(request, with: browser)
        }
        #expect(browser.texts.isEmpty)
        #expect(await store.names().isEmpty)
    }

    @Test(arguments: [
        ("<html>", "no JSON (expected an object)"),
        ("", "no JSON (expected an object)"),
        ("[]", "no JSON object (expected one)"),
        ("{\"token_endpoint\":\"CANARY\",\"issuer\":7}", "issuer has another type than it must have"),
        ("{\"scopes_supported\":\"CANARY\"}", "scopes_supported has another type than it must have"),
        ("{\"capabilities\":[]}", "token_endpoint is missing (expected a value)"),
    ])
    func `a document of another form is refused without being quoted`(_ text: String, _ fault: String) async throws {
        let issuer = try ScriptedIssuer { request, _ in
            request.path == "/r4/.well-known/smart-configuration" ? .response(200, body: text) : nil
        }
        let place = issuer.base + "/r4/.well-known/smart-configuration"
        await #expect(throws: OpenIDConnectError.malformedDocument(place: place, fault: fault)) {
            try await found(issuer)
        }
    }

    @Test(arguments: [(200, "<html>"), (302, ""), (501, "")])
    func `a named issuer is enough, whatever is in SMART's place`(_ status: Int, _ body: String) async throws {
        let issuer = try ScriptedIssuer { request, base in
            request.path == "/r4/.well-known/smart-configuration"
                ? .response(status, headers: ["Location": base + "/elsewhere"], body: body) : nil
        }
        #expect(try await found(issuer, named: issuer.base).tokenEndpoint.text == issuer.base + "/token")
    }

    @Test(arguments: [(200, "<html>"), (302, ""), (403, ""), (404, ""), (410, "gone"), (501, "")])
    func `a complete SMART document is enough, whatever is in place of the issuer's`(
        _ status: Int,
        _ body: String
    ) async throws {
        let issuer = try ScriptedIssuer { request, _ in
            request.path == "/.well-known/openid-configuration" ? .response(status, body: body) : nil
        }
        #expect(try await found(issuer).tokenEndpoint.text == issuer.base + "/token")
    }

    @Test func `an issuer may end in a slash, which is not doubled in its document's address`() async throws {
        let issuer = try ScriptedIssuer { request, base in
            switch request.path {
            case "/r4/.well-known/smart-configuration": return .response(404)
            case "/.well-known/openid-configuration":
                var document = ScriptedIssuer.openIDConfiguration(base)
                document["issuer"] = base + "/"
                return ScriptedIssuer.json(document)
            default: return nil
            }
        }
        #expect(try await found(issuer, named: issuer.base + "/").issuer == issuer.base + "/")
    }

    @Test func `S1 a named issuer without a document is refused, whatever SMART's document says`() async throws {
        let issuer = try ScriptedIssuer { request, _ in
            request.path == "/.well-known/openid-configuration" ? .response(404) : nil
        }
        let place = issuer.base + "/.well-known/openid-configuration"
        await #expect(throws: OpenIDConnectError.noIssuerConfiguration(place: place, status: 404)) {
            try await found(issuer, named: issuer.base)
        }
        // If only SMART's document names it, that is enough.
        #expect(try await found(issuer).tokenEndpoint.text == issuer.base + "/token")
    }

    @Test(arguments: ["/r4/.well-known/smart-configuration", "/.well-known/openid-configuration"])
    func `S9 either document may say that a server sends an iss`(_ path: String) async throws {
        let issuer = try ScriptedIssuer { request, base in
            guard request.path == path else { return nil }
            var document =
                path.hasPrefix("/r4")
                ? ScriptedIssuer.smartConfiguration(base) : ScriptedIssuer.openIDConfiguration(base)
            document["authorization_response_iss_parameter_supported"] = true
            return ScriptedIssuer.json(document)
        }
        #expect(try await found(issuer).namesIssInResponse)
    }

    @Test(arguments: [408, 425, 429, 500, 503])
    func `a server in trouble is not mistaken for one without SMART`(_ status: Int) async throws {
        let issuer = try ScriptedIssuer { request, _ in
            request.path == "/r4/.well-known/smart-configuration" ? .response(status) : nil
        }
        let place = issuer.base + "/r4/.well-known/smart-configuration"
        await #expect(throws: OpenIDConnectError.unexpectedStatus(place: place, status: status)) {
            try await found(issuer, named: issuer.base)
        }
    }
}
