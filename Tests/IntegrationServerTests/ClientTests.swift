import JWTKit
import Testing

@testable import IntegrationServer

/// Clients other than `pghd`, and what separates them.
struct ClientTests {
    private static let other = #"[{"client_id":"other"}]"#

    private static func post(_ server: RunningServer, _ path: String, _ fields: [String: String]) async throws
        -> HTTPAnswer
    {
        try await server.http.post(path, RunningServer.form(fields), type: "application/x-www-form-urlencoded")
    }

    @Test func `a code is useless to another client, and stays valid for its own`() async throws {
        try await RunningServer.run(clients: Self.other) { server in
            let code = try await server.code()
            let answer = try await server.exchange(code, ["client_id": "other"])
            #expect(try answer.json("error_description") == "the code is not known here")
            #expect(try await server.exchange(code).status == 200)
        }
    }

    @Test func `a refresh token is useless to another client, and stays valid for its own`() async throws {
        try await RunningServer.run(clients: Self.other) { server in
            let token = try await server.exchange(try await server.code()).json("refresh_token")
            let answer = try await server.refresh(token, client: "other")
            #expect(try answer.json("error_description") == "the refresh token is not known here, or was revoked")
            #expect(try await server.refresh(token).status == 200)
        }
    }

    @Test func `a device code is useless to another client, and stays valid for its own`() async throws {
        try await RunningServer.run(clients: Self.other) { server in
            let started = try await Self.post(
                server,
                "/auth/device_authorization",
                ["client_id": "pghd", "scope": "patient/*.r"]
            )
            _ = try await server.http.get("/auth/device?user_code=\(try started.json("user_code"))")
            func poll(_ client: String) async throws -> HTTPAnswer {
                let code = try started.json("device_code")
                return try await server.token(
                    ["grant_type": GrantType.deviceCode.rawValue, "device_code": code, "client_id": client]
                )
            }
            #expect(try await poll("other").json("error_description") == "the device code is not known here")
            #expect(try await poll("pghd").status == 200)
        }
    }

    @Test func `at most a thousand devices can wait for a person`() async throws {
        try await RunningServer.run(clients: Self.other) { server in
            func start() async throws -> HTTPAnswer {
                try await Self.post(
                    server,
                    "/auth/device_authorization",
                    ["client_id": "pghd", "scope": "patient/*.r"]
                )
            }
            for _ in 0..<1000 { #expect(try await start().status == 200) }
            let answer = try await start()
            #expect(answer.status == 503)
            #expect(try answer.json("error") == "temporarily_unavailable")
            server.clock.advance(seconds: 1201)
            #expect(try await start().status == 200)
        }
    }

    @Test(arguments: ["access_token", "refresh_token"])
    func `a client can't revoke another client's token`(_ name: String) async throws {
        try await RunningServer.run(clients: Self.other) { server in
            let tokens = try await server.exchange(try await server.code())
            let fields = ["token": try tokens.json(name), "client_id": "other"]
            let answer = try await Self.post(server, "/auth/revoke", fields)
            #expect(answer.status == 400)
            #expect(try answer.json("error_description") == "the token is another client's")
            let http = server.http.bearing(try tokens.json("access_token"))
            #expect(try await http.get("/fhir/Device").status == 200)
            #expect(try await server.refresh(try tokens.json("refresh_token")).status == 200)
        }
    }

    @Test(arguments: [
        ("https://app.example.org/cb", 303), ("https://app.example.org/cb/", 400),
        ("https://app.example.org/cb?a=b", 400), ("https://app.example.org/", 400), ("http://127.0.0.1:1/cb", 400),
    ])
    func `a registered redirect URI is compared as a whole`(_ uri: String, _ status: Int) async throws {
        let clients = #"[{"client_id":"web","redirect_uris":["https://app.example.org/cb"]}]"#
        try await RunningServer.run(clients: clients) { server in
            let query = RunningServer.authorizationQuery(["client_id": "web", "redirect_uri": uri])
            let answer = try await server.http.get("/auth/authorize?\(query)")
            #expect(answer.status == status)
        }
    }

    @Test(arguments: [
        ("https://app.example.org/cb", "form-action 'self' https://app.example.org;"),
        ("https://app.example.org;x/cb", "form-action 'self';"),
        ("https://app.example.org,x/cb", "form-action 'self';"),
    ])
    func `the page's form may lead to the client's origin, and an odd origin adds nothing to the policy`(
        _ uri: String,
        _ directive: String
    ) async throws {
        try await RunningServer.run(
            clients: #"[{"client_id":"web","redirect_uris":["\#(uri)"]}]"#,
            approvesAutomatically: false
        ) { server in
            let query = RunningServer.authorizationQuery(["client_id": "web", "redirect_uri": uri])
            let page = try await server.http.get("/auth/authorize?\(query)")
            #expect(page.header("Content-Security-Policy").contains(directive))
        }
    }

    @Test(arguments: [
        (#"{"client_id":"a"}"#, #"no list (expected [{"client_id":…}])"#),
        (
            #"[{"client_id":"a","redirect_uris":"https://a.example"}]"#,
            #"client 0: redirect_uris is not a list of texts (expected ["https://…"])"#
        ),
        (
            #"[{"client_id":"a","redirect_uris":["https://a.example",1]}]"#,
            #"client 0: redirect_uris is not a list of texts (expected ["https://…"])"#
        ),
        ("[{}]", "client 0: client_id is missing (expected a text)"),
        (#"[{"client_id":"a"},{"client_id":""}]"#, "client 1: client_id is missing (expected a text)"),
        (#"[{"client_id":"a","jwks":{}}]"#, "client 0: jwks can't be read (expected a JWK Set of public keys)"),
        (
            #"[{"client_id":"a","jwks":{"keys":[{"kty":"EC","kid":"k"}]}}]"#,
            "client 0: jwks can't be read (expected a JWK Set of public keys)"
        ),
    ])
    func `an unusable file of clients is refused`(_ file: String, _ what: String) async {
        let fault = await #expect(throws: ClientFileFault.self) { _ = try await ClientRegistry(file: Array(file.utf8)) }
        #expect(fault?.what == what)
    }

    @Test func `a client's encryption key is not accepted for signatures`() async throws {
        let key = SigningKeySample.members
        let file =
            #"[{"client_id":"a","jwks":{"keys":[{"kid":"1",\#(key)},{"kid":"2","use":"sig",\#(key)},"#
            + #"{"kid":"3","use":"enc",\#(key)}]}}]"#
        let client = try await ClientRegistry(file: Array(file.utf8))["a"]
        #expect(client?.keys?.map(\.keyIdentifier?.string) == ["1", "2"])
    }
}

/// The public key of RFC 7515, appendix A.3.
private enum SigningKeySample {
    static let members =
        #""kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","#
        + #""y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0""#
}

extension RunningServer {
    fileprivate static func authorizationQuery(_ changes: [String: String?]) -> String {
        authorizationQuery(scope: scope, changes)
    }
}
