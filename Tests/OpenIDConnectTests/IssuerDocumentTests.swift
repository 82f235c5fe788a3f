import HTTPTransport
import TestSupport
import Testing

@testable import OpenIDConnect

/// What the issuer's own document is needed for, and what it decides.
struct IssuerDocumentTests {
    private let client: HTTPClient
    private static let smartPath = "/r4/.well-known/smart-configuration"
    private static let openIDPath = "/.well-known/openid-configuration"

    init() throws { client = try HTTPClient() }

    private func found(_ issuer: ScriptedIssuer, named: String? = nil, isRemembered: Bool = false) async throws
        -> AuthorizationServer
    {
        try await Discovery(client: client)
            .authorizationServer(of: issuer.fhir, issuer: named, isRemembered: isRemembered)
    }

    @Test func `S1 if SMART's document names no issuer, the last sign-in's must have its own document`() async throws {
        let issuer = try ScriptedIssuer { request, base in
            switch request.path {
            case Self.smartPath:
                ScriptedIssuer.json(ScriptedIssuer.smartConfiguration(base).filter { $0.key != "issuer" })
            case Self.openIDPath: .response(404)
            default: nil
            }
        }
        let place = issuer.base + Self.openIDPath
        let error = OpenIDConnectError.noIssuerConfiguration(place: place, status: 404, namedBy: .lastSignIn)
        await #expect(throws: error) { try await found(issuer, named: issuer.base, isRemembered: true) }
        // Nobody gave an option that could be checked.
        #expect(
            error.description
                == "\(place): the server answered 404 (expected the issuer's OpenID configuration): it is the last sign-in's "
                + "issuer: ask the server's operator, and name another with --issuer if it has changed"
        )
    }

    @Test func `S20 an issuer that no user has named does not restrict SMART's document`() async throws {
        let other = "https://login.example.org/token"
        let issuer = try ScriptedIssuer { request, base in
            guard request.path == Self.smartPath else { return nil }
            return ScriptedIssuer.json(
                ScriptedIssuer.smartConfiguration(base).merging(["token_endpoint": other]) { $1 }
            )
        }
        #expect(try await found(issuer, named: issuer.base, isRemembered: true).tokenEndpoint.text == other)
    }

    @Test func `S1 the issuer in its own document is compared byte for byte`() async throws {
        // The Kelvin sign, which Unicode treats as equal to K.
        let issuer = try ScriptedIssuer { request, base in
            switch request.path {
            case Self.smartPath: .response(404)
            case "/K" + Self.openIDPath:
                ScriptedIssuer.json(
                    ScriptedIssuer.openIDConfiguration(base).merging(["issuer": base + "/\u{212A}"]) { $1 }
                )
            default: nil
            }
        }
        let name = issuer.base + "/K"
        let error = OpenIDConnectError.wrongIssuer(expected: name, found: issuer.base + "/\u{212A}")
        await #expect(throws: error) { try await found(issuer, named: name) }
    }

    @Test(arguments: [smartPath, openIDPath])
    func `either document may say that a server takes only pushed requests`(_ path: String) async throws {
        let issuer = try ScriptedIssuer { request, base in
            guard request.path == path else { return nil }
            var document =
                path == Self.smartPath
                ? ScriptedIssuer.smartConfiguration(base) : ScriptedIssuer.openIDConfiguration(base)
            document["require_pushed_authorization_requests"] = true
            return ScriptedIssuer.json(document)
        }
        #expect(try await found(issuer).takesPushedRequestsOnly)
    }

    @Test(arguments: [201, 202, 206])
    func `a document with another status than 200 is none`(_ status: Int) async throws {
        let issuer = try ScriptedIssuer { request, base in
            guard request.path == Self.smartPath else { return nil }
            return ScriptedIssuer.json(ScriptedIssuer.smartConfiguration(base), status: status)
        }
        let place = issuer.base + Self.smartPath
        await #expect(throws: OpenIDConnectError.unexpectedStatus(place: place, status: status)) {
            try await found(issuer)
        }
    }

    /// Services on this machine may trust anyone who can reach them.
    @Test func `S2 only an issuer here that the user names vouches for addresses of this machine`() throws {
        let (remote, local) = (try HTTPURL("https://fhir.example.org/r4"), try HTTPURL("http://127.0.0.1:9/r4"))
        let here = "http://localhost:8080/issuer"
        func source(_ server: HTTPURL, _ issuer: String?, isRemembered: Bool = false) -> String {
            Discovery.source(of: server, issuer: issuer, isRemembered: isRemembered).text
        }
        #expect(source(remote, nil) == remote.text)
        #expect(source(remote, here) == here)
        #expect(source(remote, here, isRemembered: true) == remote.text)
        #expect(source(remote, "https://login.example.org") == remote.text)
        #expect(source(local, "https://login.example.org") == local.text)
    }
}
