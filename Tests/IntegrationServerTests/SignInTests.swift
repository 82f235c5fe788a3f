import Testing

@testable import IntegrationServer

struct SignInTests {
    @Test(
        arguments: [
            (["code_challenge": nil], "invalid_request"),
            (["code_challenge_method": "plain"], "invalid_request"),
            (["code_challenge_method": nil], "invalid_request"),
            (["code_challenge": "short"], "invalid_request"),
            (["code_challenge": "\(RunningServer.codeChallenge)A"], "invalid_request"),
            (["code_challenge": RunningServer.codeChallenge.replacing("-", with: "+")], "invalid_request"),
            (["response_type": "token"], "unsupported_response_type"), (["response_type": nil], "invalid_request"),
            (["max_age": "-1"], "invalid_request"), (["max_age": "x"], "invalid_request"),
            (["scope": nil], "invalid_request"),
            (["scope": "nothing"], "invalid_scope"),
            (["aud": "https://elsewhere.example.org/fhir"], "invalid_request"),
            (["request": "eyJ"], "request_not_supported"),
            (["request_uri": "https://client.example.org/r"], "request_uri_not_supported"),
            (["prompt": "none login"], "invalid_request"),
        ] as [([String: String?], String)]
    )
    func `an invalid request is answered to the client, with state and issuer`(
        _ changes: [String: String?],
        _ error: String
    ) async throws {
        try await RunningServer.run { server in
            let fields = changes.merging(["state": "s&1"]) { $1 }
            let answer = try await server.http.get("/auth/authorize?\(RunningServer.authorizationQuery(fields))")
            #expect(answer.status == 303)
            let location = answer.header("Location")
            #expect(location.hasPrefix("\(RunningServer.redirectURI)?error=\(error)&"))
            let issuer = PercentEncoding.encode(server.server.addresses.issuer)
            #expect(location.hasSuffix("&state=s%261&iss=\(issuer)"))
        }
    }

    @Test(
        arguments: [
            ["client_id": "someone"], ["client_id": nil], ["redirect_uri": nil],
            ["redirect_uri": "https://elsewhere.example.org/"], ["redirect_uri": "http://localhost:1/callback"],
            ["redirect_uri": "http://127.0.0.1.example.org/"], ["redirect_uri": "http://127.0.0.1:1@example.org/"],
            ["redirect_uri": "http://127.0.0.1:1/#x"], ["redirect_uri": "http://127.0.0.1:99999/"],
            ["redirect_uri": "http://127.0.0.1:1/a b"], ["redirect_uri": "http://127.0.0.1:1/\r\nX: y"],
        ] as [[String: String?]]
    )
    func `there is no redirect to an address not known as the client's`(_ changes: [String: String?]) async throws {
        try await RunningServer.run { server in
            let answer = try await server.http.get("/auth/authorize?\(RunningServer.authorizationQuery(changes))")
            #expect(answer.status == 400)
            #expect(answer.header("Location").isEmpty)
        }
    }

    @Test(arguments: ["http://127.0.0.1:1/a/b?c=d", "http://[::1]:65535/", "http://127.0.0.1/callback"])
    func `the public client may use any port and path of loopback`(_ uri: String) async throws {
        try await RunningServer.run { server in
            let query = RunningServer.authorizationQuery(["redirect_uri": uri])
            let location = try await server.http.get("/auth/authorize?\(query)").header("Location")
            #expect(location.hasPrefix(uri + (uri.contains("?") ? "&" : "?") + "code="))
        }
    }

    @Test(arguments: ["", "/"])
    func `a token may be requested for this server's FHIR base`(_ end: String) async throws {
        try await RunningServer.run { server in
            let base = server.server.addresses.fhirBase
            let code = try await server.code(["aud": base + end])
            #expect(!code.isEmpty)
        }
    }

    @Test func `a link to the page can't deny access`() async throws {
        try await RunningServer.run({ $0.approvesAutomatically = false }) { server in
            let query = RunningServer.authorizationQuery(["decision": "deny"])
            let page = try await server.http.get("/auth/authorize?\(query)")
            #expect(page.status == 200)
            #expect(page.header("Location").isEmpty)
        }
    }

    @Test func `after a wrong password the page keeps the patient, but not the password`() async throws {
        try await RunningServer.run({ $0.approvesAutomatically = false }) { server in
            let fields = ["password": "guess-5", "patient": "p9", "decision": "allow"]
            let page = try await server.http.post(
                "/auth/authorize",
                "\(RunningServer.authorizationQuery())&\(RunningServer.form(fields))",
                type: "application/x-www-form-urlencoded"
            )
            #expect(page.body.contains(#"name="patient" value="p9""#))
            #expect(!page.body.contains("guess-5"))
        }
    }

    @Test func `without auto-approval the page asks for the printed password`() async throws {
        try await RunningServer.run({ $0.approvesAutomatically = false }) { server in
            let query = RunningServer.authorizationQuery(["state": "\"><script>&'"])
            let page = try await server.http.get("/auth/authorize?\(query)")
            #expect(page.status == 200)
            #expect(page.body.contains(#"name="state" value="&quot;&gt;&lt;script&gt;&amp;&#39;""#))
            #expect(page.header("Content-Security-Policy").contains("frame-ancestors 'none'"))
            // With "no-referrer", browsers send the form with "Origin: null", which is refused.
            #expect(page.header("Referrer-Policy") == "same-origin")
            let password = server.server.addresses.password ?? ""
            func post(_ password: String, _ decision: String = "allow") async throws -> HTTPAnswer {
                let fields = ["password": password, "patient": "p9", "decision": decision]
                return try await server.http.post(
                    "/auth/authorize",
                    "\(RunningServer.authorizationQuery())&\(RunningServer.form(fields))",
                    type: "application/x-www-form-urlencoded"
                )
            }
            #expect(try await post("guess").status == 403)
            #expect(try await post("").status == 403)
            #expect(try await post(password, "deny").header("Location").contains("error=access_denied"))
            let code = RequestTarget.items(
                try await post(password).header("Location").split(separator: "?").last ?? ""
            )?[0].value
            let answer = try await server.exchange(code ?? "")
            #expect(try answer.json("patient") == "p9")
        }
    }

    @Test func `with prompt=none the answer is that nobody is signed in`() async throws {
        let query = RunningServer.authorizationQuery(["prompt": "none"])
        try await RunningServer.run({ $0.approvesAutomatically = false }) { server in
            let answer = try await server.http.get("/auth/authorize?\(query)")
            #expect(answer.status == 303)
            #expect(answer.header("Location").hasPrefix("\(RunningServer.redirectURI)?error=login_required&"))
        }
        // A server that signs everybody in does not need to ask.
        try await RunningServer.run { server in
            let answer = try await server.http.get("/auth/authorize?\(query)")
            #expect(answer.header("Location").hasPrefix("\(RunningServer.redirectURI)?code="))
        }
    }

    @Test(
        arguments: [
            (["code_verifier": "x"], "invalid_grant"),
            (["code_verifier": String(repeating: "x", count: 43)], "invalid_grant"),
            (["redirect_uri": "http://127.0.0.1:1/callback"], "invalid_grant"),
            (["client_id": "someone"], "invalid_client"),
            (["code": "x"], "invalid_grant"),
            (["code": nil], "invalid_request"),
            (["code": ""], "invalid_request"),
            (["grant_type": "password"], "unsupported_grant_type"),
            (["grant_type": "client_credentials", "scope": "system/*.r"], "unauthorized_client"),
        ] as [([String: String?], String)]
    )
    func `a code can only be exchanged with its verifier`(
        _ changes: [String: String?],
        _ error: String
    ) async throws {
        try await RunningServer.run { server in
            let answer = try await server.exchange(try await server.code(), changes)
            #expect(answer.status == (error == "invalid_client" ? 401 : 400))
            #expect(try answer.json("error") == error)
            #expect(answer.header("Cache-Control") == "no-store")
        }
    }

    @Test(arguments: [(42, 400), (43, 200), (128, 200), (129, 400)])
    func `a code verifier has 43 to 128 characters`(_ count: Int, _ status: Int) async throws {
        try await RunningServer.run { server in
            let verifier = String(repeating: "v", count: count)
            let code = try await server.code(["code_challenge": Base64URL.encode(Secret.hash(verifier))])
            #expect(try await server.exchange(code, ["code_verifier": verifier]).status == status)
        }
    }

    @Test func `a wrong verifier uses up the code`() async throws {
        try await RunningServer.run { server in
            let code = try await server.code()
            let wrong = String(repeating: "x", count: 43)
            #expect(try await server.exchange(code, ["code_verifier": wrong]).status == 400)
            #expect(try await server.exchange(code).json("error") == "invalid_grant")
        }
    }

    @Test func `a code is valid for a minute, and its second use ends the tokens of the first`() async throws {
        try await RunningServer.run { server in
            let late = try await server.code()
            server.clock.advance(seconds: 60)
            #expect(try await server.exchange(late).json("error") == "invalid_grant")
            let code = try await server.code()
            let http = server.http.bearing(try await server.exchange(code).json("access_token"))
            #expect(try await http.get("/fhir/Device").status == 200)
            #expect(try await server.exchange(code).json("error") == "invalid_grant")
            #expect(try await http.get("/fhir/Device").status == 401)
        }
    }

    @Test func `a refresh token works once, and its reuse ends the sign-in`() async throws {
        try await RunningServer.run { server in
            let first = try await server.exchange(try await server.code()).json("refresh_token")
            #expect(try await server.refresh(first, scope: "system/*.cruds").json("error") == "invalid_scope")
            #expect(try await server.refresh(first, scope: " ").json("error") == "invalid_scope")
            let narrow = try await server.refresh(first, scope: "openid")
            #expect(try narrow.json("scope") == "openid")
            let second = try narrow.json("refresh_token")
            // The refresh token keeps the granted scopes; only the access token has fewer.
            let third = try await server.refresh(second)
            #expect(try third.json("scope") == RunningServer.scope)
            #expect(try await server.refresh(first).json("error") == "invalid_grant")
            #expect(try await server.refresh(try third.json("refresh_token")).json("error") == "invalid_grant")
            #expect(
                try await server.http.bearing(try third.json("access_token")).get("/fhir/Device").status == 401
            )
        }
    }

    @Test func `a refresh token is valid for ninety days`() async throws {
        try await RunningServer.run { server in
            let first = try await server.exchange(try await server.code()).json("refresh_token")
            server.clock.advance(seconds: 90 * 86_400 - 1)
            let second = try await server.refresh(first).json("refresh_token")
            server.clock.advance(seconds: 90 * 86_400)
            let late = try await server.refresh(second)
            #expect(late.status == 400)
            #expect(try late.json("error_description") == "the refresh token has expired")
        }
    }

    @Test(arguments: ["", "p 9", "p/9", "Patient/p9", String(repeating: "9", count: 65)])
    func `nobody can sign in as a patient with an invalid id`(_ patient: String) async throws {
        try await RunningServer.run({ $0.approvesAutomatically = false }) { server in
            let fields = ["password": server.server.addresses.password, "patient": patient, "decision": "allow"]
            let answer = try await server.http.post(
                "/auth/authorize",
                "\(RunningServer.authorizationQuery())&\(RunningServer.form(fields))",
                type: "application/x-www-form-urlencoded"
            )
            #expect(answer.status == 403)
            #expect(answer.header("Location").isEmpty)
        }
    }

    @Test(arguments: [("patient/*.cruds", false), ("openid online_access", true), ("openid offline_access", true)])
    func `without offline or online access there is no refresh token`(_ scope: String, _ isGiven: Bool) async throws {
        try await RunningServer.run { server in
            let answer = try await server.exchange(try await server.code(scope: scope))
            #expect(try !answer.json("refresh_token").isEmpty == isGiven)
        }
    }

    @Test func `a repeated parameter is refused`() async throws {
        try await RunningServer.run { server in
            let answer = try await server.http.post(
                "/auth/token",
                "grant_type=refresh_token&refresh_token=a&refresh_token=b&client_id=pghd",
                type: "application/x-www-form-urlencoded"
            )
            #expect(answer.status == 400)
            #expect(answer.body == #"{"error":"invalid_request","error_description":"a parameter is there twice"}"#)
        }
    }

    @Test func `only a form is read as a form`() async throws {
        try await RunningServer.run { server in
            let answer = try await server.http.post("/auth/token", "grant_type=password", type: "text/plain")
            #expect(answer.status == 400)
            #expect(
                try answer.json("error_description")
                    == "the body is not a form (expected application/x-www-form-urlencoded)"
            )
        }
    }

    @Test(arguments: [
        (1_000, 0, "grant_type is missing"),
        (1_001, 0, "the body is not a form (expected application/x-www-form-urlencoded)"),
        (1, 65_533, "grant_type is missing"), (1, 65_534, "the form is longer than 65536 bytes (expected less)"),
    ])
    func `a form with more than a thousand fields or 64 KiB is refused`(
        _ count: Int,
        _ length: Int,
        _ what: String
    ) async throws {
        try await RunningServer.run { server in
            let fields = (0..<count).map { "a\($0)=" }.joined(separator: "&")
            let form = fields + String(repeating: "b", count: length)
            let answer = try await server.http.post("/auth/token", form, type: "application/x-www-form-urlencoded")
            #expect(answer.status == 400)
            #expect(try answer.json("error_description") == what)
        }
    }

    @Test func `the policy allows exactly the page's own style sheet`() throws {
        let page = SignInPage.message("Title", "Text")
        let html = String(decoding: page.body, as: UTF8.self)
        let style = html.split(separator: "<style>")[1].split(separator: "</style>")[0]
        // SHA-256 in base64, of exactly what is between the tags (CSP 3, section 2.3.1).
        let hash = String(Base64URL.encode(Secret.hash(String(style))).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        let policy = page.headers.first { $0.name == "Content-Security-Policy" }?.value ?? ""
        #expect(policy.contains("style-src 'sha256-\(hash)='"))
    }
}

extension RunningServer {
    fileprivate static func authorizationQuery(_ changes: [String: String?]) -> String {
        authorizationQuery(scope: scope, changes)
    }
}
