import Foundation
import HTTPTransport
import TestSupport
import Testing

@testable import OpenIDConnect

struct TokenEndpointTests {
    private let client: HTTPClient

    init() throws { client = try HTTPClient() }

    private func ask(
        _ reply: ScriptedServer.Reply,
        for grant: TokenEndpoint.Grant = .refreshToken(Secret("r1"))
    ) async throws -> TokenResponse {
        let server = try ScriptedServer { _ in reply }
        let endpoint = TokenEndpoint(url: try HTTPURL(server.url + "/token"), client: client)
        return try await endpoint.tokens(for: grant, from: .publicClient(id: "pghd"))
    }

    private func fault(_ body: String) async -> String? {
        do {
            return try await ask(.response(200, body: body), for: .deviceCode(Secret("d1"))).oddity
        } catch OpenIDConnectError.malformedDocument(_, let fault) {
            return fault
        } catch { return "\(error)" }
    }

    @Test func `a complete answer is read`() async throws {
        let answer = try await ask(
            .response(
                200,
                body: """
                    {"access_token":"a1","token_type":"bearer","expires_in":60,"refresh_token":"r2",\
                    "scope":"openid  a/b ","id_token":"x.y.z","patient":"p1","unknown":{"a":[1]}}
                    """
            )
        )
        #expect(answer.accessToken == Secret("a1"))
        #expect(answer.lifetimeSeconds == 60)
        #expect(answer.refreshToken == Secret("r2"))
        #expect(answer.scopes == ["openid", "a/b"])
        #expect(answer.idToken == Secret("x.y.z"))
        #expect(answer.patient == "p1")
    }

    @Test(arguments: [
        ("{\"token_type\":\"Bearer\"}", "access_token is missing (expected a value)"),
        ("{\"access_token\":\"CANARY\"}", "token_type is missing (expected a value)"),
        (
            "{\"access_token\":\"CANARY\",\"token_type\":\"DPoP\"}",
            "the server wants DPoP of this client (token_type, expected Bearer)"
        ),
        ("{\"access_token\":\"CANARY\",\"token_type\":\"mac\"}", "token_type has another type than it must have"),
        ("{\"access_token\":\"\",\"token_type\":\"Bearer\"}", "access_token has another type than it must have"),
        (
            "{\"access_token\":\"a\\r\\nb\",\"token_type\":\"Bearer\"}",
            "access_token has another type than it must have"
        ),
        ("{\"access_token\":\"a b\",\"token_type\":\"Bearer\"}", "access_token has another type than it must have"),
        ("{\"access_token\":7,\"token_type\":\"Bearer\"}", "access_token has another type than it must have"),
        ("{\"access_token\":null,\"token_type\":\"Bearer\"}", "access_token is null (expected a value)"),
        (
            "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"expires_in\":\"\"}",
            "expires_in has another type than it must have"
        ),
        (
            "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"refresh_token\":\" \"}",
            "refresh_token has another type than it must have"
        ),
        (
            "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"patient\":\"..\"}",
            "patient has another type than it must have"
        ),
        (
            "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"patient\":\"../Patient\"}",
            "patient has another type than it must have"
        ),
        (
            "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"patient\":\"\(String(repeating: "p", count: 65))\"}",
            "patient has another type than it must have"
        ),
        ("", "no JSON (expected an object)"),
        ("[]", "no JSON object (expected one)"),
        ("<html>CANARY</html>", "no JSON (expected an object)"),
        (String(repeating: "[", count: 500_000), "no JSON (expected an object)"),
        (String(repeating: "{\"a\":", count: 100_000), "no JSON (expected an object)"),
    ])
    func `an unusable answer is refused without being quoted`(_ body: String, _ expected: String) async {
        #expect(await fault(body) == expected)
    }

    @Test(
        arguments: [
            ("\"expires_in\":-1", nil), ("\"expires_in\":0", nil), ("\"expires_in\":[60]", nil),
            ("\"expires_in\":1e30", 315_360_000), ("\"expires_in\":60,\"patient\":\"Patient/p1\"", 60),
            ("\"expires_in\":60,\"patient\":7", 60), ("\"expires_in\":60,\"scope\":[\"a\"]", 60),
            ("\"expires_in\":60,\"id_token\":{}", 60),
        ] as [(String, Int?)]
    )
    func `S24 odd fields in a renewal's answer do not cost the new refresh token`(
        _ fields: String,
        _ lifetime: Int?
    ) async throws {
        let answer = try await ask(
            .response(
                200,
                body: "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"refresh_token\":\"r2\",\(fields)}"
            )
        )
        #expect(answer.refreshToken == Secret("r2"))
        #expect(answer.lifetimeSeconds == lifetime)
        #expect(answer.patient == nil)
        #expect(answer.scopes == nil)
    }

    @Test(
        arguments: [
            ("\"expires_in\":0", nil), ("\"expires_in\":-1", nil), ("\"expires_in\":1e30", 315_360_000),
            ("\"expires_in\":null", nil), ("\"refresh_token\":\"\",\"id_token\":\"\"", nil),
        ] as [(String, Int?)]
    )
    func `what says nothing is as good as absent`(_ fields: String, _ lifetime: Int?) async throws {
        let answer = try await ask(
            .response(200, body: "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\(fields)}")
        )
        #expect(answer.oddity == nil)
        #expect(answer.lifetimeSeconds == lifetime)
        #expect([answer.refreshToken, answer.idToken] == [nil, nil])
    }

    @Test func `S24 a renewal's answer without token_type does not cost the new refresh token`() async throws {
        let answer = try await ask(.response(200, body: "{\"access_token\":\"a\",\"refresh_token\":\"r2\"}"))
        #expect([answer.accessToken, answer.refreshToken] == [Secret("a"), Secret("r2")])
    }

    @Test func `a patient's id may have 64 characters`() async throws {
        let patient = String(repeating: "p", count: 64)
        let answer = try await ask(
            .response(200, body: "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"patient\":\"\(patient)\"}")
        )
        #expect(answer.patient == patient)
    }

    @Test func `S23 an answer with a refresh token is waited for longer than one without`() {
        #expect(TokenEndpoint.Grant.refreshToken(Secret("r1")).limits == JSONDocument.renewalLimits)
        #expect(TokenEndpoint.Grant.deviceCode(Secret("d1")).limits == JSONDocument.limits)
        #expect(TokenEndpoint.Grant.clientCredentials(scopes: []).limits == JSONDocument.limits)
    }

    @Test(arguments: ["60", "\"60\"", "60.9", "\"60.0\""])
    func `a lifetime in quotes or with decimals is accepted`(_ text: String) async throws {
        let answer = try await ask(
            .response(200, body: "{\"access_token\":\"a\",\"token_type\":\"BEARER\",\"expires_in\":\(text)}")
        )
        #expect(answer.lifetimeSeconds == 60)
    }

    /// Answers with which real servers refuse.
    @Test(arguments: [
        (400, "{\"error\":\"invalid_grant\"}", OpenIDConnectError.refused(code: "invalid_grant", status: 400)),
        (400, "{\"error\":\"invalid_code\"}", .refused(code: "invalid_code", status: 400)),
        (400, "", .refused(code: nil, status: 400)),
        (401, "{\"error\":\"invalid_client\"}", .refused(code: "invalid_client", status: 401)),
        (403, "<html>", .refused(code: nil, status: 403)),
    ])
    func `a refusal is recognized whatever its body`(_ status: Int, _ body: String, _ error: OpenIDConnectError) async {
        await #expect(throws: error) { try await ask(.response(status, body: body)) }
    }

    @Test(arguments: [
        (String(repeating: "x", count: 80), String(repeating: "x", count: 80)),
        (String(repeating: "x", count: 81), String(repeating: "x", count: 80) + "…"),
        ("it's \u{1B}[2J\né", "it?s ?[2J???"),
    ])
    func `a server's text is shown in at most 80 plain characters`(_ text: String, _ told: String) {
        #expect(text.quotable == told)
    }

    @Test func `S3 a redirect of the token endpoint is not followed`() async throws {
        let other = try ScriptedServer { _ in .response(200, body: "{}") }
        let location = other.url
        let server = try ScriptedServer { _ in .response(307, headers: ["Location": location]) }
        let endpoint = TokenEndpoint(url: try HTTPURL(server.url + "/token"), client: client)
        await #expect(throws: OpenIDConnectError.redirected(place: server.url + "/token")) {
            try await endpoint.tokens(for: .refreshToken(Secret("r1")), from: .publicClient(id: "pghd"))
        }
        #expect(other.requests.isEmpty)
    }

    @Test func `S15 S21 a code is exchanged in the body, without a password or anything in the address`() async throws {
        let server = try ScriptedServer { _ in .response(400) }
        let endpoint = TokenEndpoint(url: try HTTPURL(server.url + "/token"), client: client)
        let grant = TokenEndpoint.Grant.authorizationCode(
            Secret("code-1"),
            redirectURI: "http://127.0.0.1:1/callback",
            codeVerifier: Secret("verifier-1")
        )
        _ = try? await endpoint.tokens(for: grant, from: .publicClient(id: "pghd"))
        let request = try #require(server.requests.first)
        #expect(request.target == "/token")
        #expect(request.headers["authorization"] == nil)
        // Without this some servers refuse, or answer in another format.
        #expect(request.headers["accept"] == "application/json")
        #expect(request.headers["content-type"] == "application/x-www-form-urlencoded")
        #expect(
            request.form == [
                "grant_type": "authorization_code", "code": "code-1", "redirect_uri": "http://127.0.0.1:1/callback",
                "code_verifier": "verifier-1", "client_id": "pghd",
            ]
        )
    }

    @Test func `S15 the only grants are code, device code, refresh token and client credentials`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/OpenIDConnect")
        var grants: Set<String> = []
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: #/\("(grant_type|response_type)", "([^"]+)"\)/#) {
                grants.insert(String(match.2))
            }
        }
        #expect(
            grants == [
                "code", "authorization_code", "refresh_token", "client_credentials",
                "urn:ietf:params:oauth:grant-type:device_code",
            ]
        )
    }

    @Test func `S42 mutated token responses are read or refused and crash nothing`() throws {
        let seeds = [
            #"{"access_token":"a1","token_type":"Bearer","expires_in":60,"refresh_token":"r2","scope":"openid a/b"}"#,
            #"{"access_token":"a1","token_type":"bearer","expires_in":"60","id_token":"x.y.z","patient":"p1"}"#,
            #"{"error":"invalid_grant","error_description":"x"}"#,
        ].map { Array($0.utf8) }
        var mutations = Mutations(of: seeds)
        var readCount = 0
        for _ in 0..<Mutations.documentCount {
            let document = JSONDocument(
                place: "place",
                response: HTTPResponse(status: 200, headers: [], body: mutations.next())
            )
            _ = document.errorCode
            do throws(OpenIDConnectError) {
                let tokens = try document.decoded(as: TokenResponse.self)
                readCount += 1
                // Whatever is read fits into a header.
                let read = [tokens.accessToken, tokens.refreshToken].compactMap(\.self).map(\.revealed).joined()
                #expect(read.utf8.allSatisfy { (0x21...0x7E).contains($0) })
            } catch {
                guard case .malformedDocument = error else { throw error }
            }
        }
        #expect(readCount > 0)
    }

    @Test func `S42 mutated discovery documents are read or refused and crash nothing`() throws {
        let seeds = [
            ScriptedIssuer.smartConfiguration("https://a.example"),
            ScriptedIssuer.openIDConfiguration("https://a.example"),
        ]
        .map { Array((try? JSONSerialization.data(withJSONObject: $0)) ?? Data()) }
        var mutations = Mutations(of: seeds)
        var readCount = 0
        for _ in 0..<Mutations.documentCount {
            let body = mutations.next()
            let document = JSONDocument(place: "place", response: HTTPResponse(status: 200, headers: [], body: body))
            do throws(OpenIDConnectError) {
                let metadata = try document.decoded(as: ServerMetadata.self)
                readCount += 1
                _ = try? metadata.tokenEndpoint.map { try HTTPURL(trusted: $0, what: "token_endpoint") }
            } catch {
                guard case .malformedDocument = error else { throw error }
            }
        }
        #expect(readCount > 0)
    }
}
