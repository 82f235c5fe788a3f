import Testing

@testable import IntegrationServer

/// Methods, formats and version tags (RFC 9110, sections 9, 12, 13 and 15.5.6).
struct MethodTests {
    @Test(arguments: [
        ("GET", "/fhir", "POST"), ("PUT", "/fhir/metadata", "GET, HEAD"),
        ("POST", "/fhir/.well-known/smart-configuration", "GET, HEAD"),
        ("DELETE", "/fhir/Observation", "GET, HEAD, POST, PUT"), ("GET", "/fhir/Observation/_search", "POST"),
        ("PATCH", "/fhir/Observation/a", "GET, HEAD, PUT, DELETE"),
        ("PUT", "/fhir/Observation/a/_history/1", "GET, HEAD"),
        ("GET", "/api/v1/observations", "POST"), ("GET", "/steps", "POST"), ("POST", "/health", "GET, HEAD"),
        ("POST", "/openapi.json", "GET, HEAD"), ("POST", "/auth/jwks", "GET, HEAD"),
        ("POST", "/auth/.well-known/openid-configuration", "GET, HEAD"),
        ("POST", "/.well-known/oauth-authorization-server/auth", "GET, HEAD"),
        ("PUT", "/auth/authorize", "GET, HEAD, POST"), ("GET", "/auth/token", "POST"),
        ("GET", "/auth/revoke", "POST"), ("GET", "/auth/device_authorization", "POST"),
        ("PUT", "/auth/device", "GET, HEAD, POST"),
    ])
    func `an unsupported method gets the supported ones`(
        _ method: String,
        _ path: String,
        _ allowed: String
    ) async throws {
        try await RunningServer.run { server in
            let answer = try await server.signedIn().with("Content-Type: application/fhir+json")
                .send(method, path, method == "GET" ? nil : "{}")
            #expect(answer.status == 405)
            #expect(answer.header("Allow") == allowed)
        }
    }

    @Test func `an unknown client is told by the issuer how to authenticate`() async throws {
        try await RunningServer.run { server in
            let answer = try await server.token(["grant_type": "refresh_token", "client_id": "unknown"])
            #expect(answer.status == 401)
            #expect(answer.header("WWW-Authenticate") == "Bearer error=\"invalid_client\"")
        }
    }

    @Test(arguments: ["token", "revoke", "device_authorization"])
    func `a client that sends a secret is refused with its own scheme`(_ name: String) async throws {
        try await RunningServer.run { server in
            let answer = try await server.http.with("Authorization: Basic cGdoZDo=").post(
                "/auth/\(name)",
                RunningServer.form(["grant_type": "refresh_token", "token": "x", "client_id": "pghd"]),
                type: "application/x-www-form-urlencoded"
            )
            #expect(answer.status == 401)
            #expect(try answer.json("error") == "invalid_client")
            #expect(answer.header("WWW-Authenticate") == "Basic realm=\"\(server.server.addresses.issuer)\"")
        }
    }

    @Test(arguments: ["/auth/.well-known/openid-configuration", "/fhir/.well-known/smart-configuration"])
    func `the metadata says how a client authenticates, at each endpoint`(_ path: String) async throws {
        try await RunningServer.run { server in
            let metadata = try JSONReader.read(Array(try await server.http.get(path).body.utf8))
            for endpoint in ["token", "revocation"] {
                let methods = metadata["\(endpoint)_endpoint_auth_methods_supported"]?.elements.map(\.string)
                #expect(methods == ["none", "private_key_jwt"])
                let algorithms = metadata["\(endpoint)_endpoint_auth_signing_alg_values_supported"]?.elements
                #expect(algorithms?.map(\.string) == ["ES384", "RS384", "ES256", "RS256"])
            }
        }
    }

    @Test(arguments: [
        ("return=minimal", ""), ("return=\"minimal\"", ""), ("respond-async, Return = Minimal", ""),
        (
            "return=OperationOutcome",
            #"{"resourceType":"OperationOutcome","issue":[{"severity":"information","code":"informational","#
                + #""diagnostics":"it is stored"}]}"#
        ),
    ])
    func `the answer to a write has the form the client prefers`(_ preference: String, _ body: String) async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn().with("Prefer: \(preference)")
            let answer = try await http.put("/fhir/Observation/a", observation("\"id\":\"a\""))
            #expect(answer.status == 201)
            #expect(answer.body == body)
            let type = body.isEmpty ? "" : "application/fhir+json; charset=utf-8"
            #expect(answer.header("Content-Type") == type)
            let inside = try await http.post(
                "/fhir",
                bundle("transaction", entry("PUT", "Observation/b", observation("\"id\":\"b\"")))
            )
            #expect(inside.body.contains("\"outcome\":{") == !body.isEmpty)
        }
    }

    @Test func `an answer without a body has no Content-Type`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            #expect(try await http.put("/fhir/Observation/a", observation("\"id\":\"a\"")).status == 201)
            let answers = [
                try await http.with("If-None-Match: *").get("/fhir/Observation/a"),
                try await http.send("DELETE", "/fhir/Observation/a"),
            ]
            #expect(answers.map(\.status) == [304, 204])
            #expect(answers.map { $0.header("Content-Type") } == ["", ""])
        }
    }

    @Test func `the condition of a create is refused with an update`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn().with("If-None-Exist: identifier=1")
            let answer = try await http.put("/fhir/Observation/a", observation("\"id\":\"a\""))
            #expect(answer.status == 400)
            #expect(answer.body == outcome("not-supported", "If-None-Exist goes with a create alone"))
        }
    }

    @Test(arguments: [
        ("DELETE", "/fhir/Observation/a", "If-None-Match"), ("DELETE", "/fhir/Observation/a", "If-Unmodified-Since"),
        ("PUT", "/fhir/Observation/a", "If-Unmodified-Since"), ("POST", "/fhir/Observation", "If-Match"),
        ("POST", "/fhir", "If-None-Exist"), ("POST", "/api/v1/observations", "If-None-Match"),
    ])
    func `a condition that a request does not go with is refused, and nothing is changed`(
        _ method: String,
        _ path: String,
        _ header: String
    ) async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let body = observation("\"id\":\"a\"")
            #expect(try await http.put("/fhir/Observation/a", body).status == 201)
            let answer = try await http.with("\(header): *").with("Idempotency-Key: k")
                .with("Content-Type: application/fhir+json").send(method, path, method == "DELETE" ? nil : body)
            #expect(answer.status == 400)
            #expect(
                answer.body == outcome("not-supported", "\(header) does not go with this request: leave it out")
            )
            #expect(try await http.get("/fhir/Observation/a").header("ETag") == "W/\"1\"")
        }
    }

    @Test(arguments: [
        ("DELETE", "/fhir/Observation/a", "a DELETE"), ("PUT", "/fhir/Observation/a", "a PUT to an id"),
        ("POST", "/fhir", "a Bundle"), ("POST", "/api/v1/observations", "a Bundle"),
    ])
    func `a condition in the address of a change that takes none is refused`(
        _ method: String,
        _ path: String,
        _ what: String
    ) async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let body = observation("\"id\":\"a\"")
            #expect(try await http.put("/fhir/Observation/a", body).status == 201)
            let answer = try await http.with("Idempotency-Key: k").with("Content-Type: application/fhir+json")
                .send(method, "\(path)?_format=json&identifier=1", method == "DELETE" ? nil : body)
            #expect(answer.status == 400)
            #expect(answer.body == outcome("not-supported", "\(what) takes no 'identifier'"))
            #expect(try await http.get("/fhir/Observation/a").status == 200)
        }
    }

    @Test(arguments: [
        ("application/fhir+json;q=0, application/json;q=0, */*", 406), ("application/fhir+json;q=0, */*", 200),
        ("*/*;q=0, application/json", 200), ("application/fhir+json; fhirVersion=3.0, */*", 200),
        ("application/fhir+json; fhirVersion=3.0, application/json; fhirVersion=3.0, */*", 406),
    ])
    func `of the ranges in Accept the most specific one counts`(_ accept: String, _ status: Int) async throws {
        try await RunningServer.run { server in
            let answer = try await server.http.with("Accept: \(accept)").get("/fhir/metadata")
            #expect(answer.status == status)
        }
    }

    @Test(arguments: [
        ("application/fhir%2Bjson;fhirVersion=3.0", 406), ("application/fhir%2Bjson;fhirVersion=4.0", 200),
    ])
    func `_format may name a version of FHIR`(_ format: String, _ status: Int) async throws {
        try await RunningServer.run { server in
            let answer = try await server.http.get("/fhir/metadata?_format=\(format)")
            #expect(answer.status == status)
        }
    }

    @Test(arguments: ["GET /health HTTP/1.1", "GET /nowhere HTTP/1.1", "nonsense"])
    func `every answer has a date`(_ line: String) async throws {
        try await RunningServer.run { server in
            let text = "\(line)\r\nHost: 127.0.0.1:\(server.http.port)\r\nConnection: close\r\n\r\n"
            let answer = HTTPClient.answer(try await server.http.exchange(text, isHeldOpen: false))
            #expect(answer.header("Date") == "Sat, 21 Nov 2026 10:30:00 GMT")
        }
    }

    @Test func `HEAD of an unusable path has no body`() async throws {
        try await RunningServer.run { server in
            let text = "HEAD /fhir//x HTTP/1.1\r\nHost: 127.0.0.1:\(server.http.port)\r\n\r\n"
            let answer = HTTPClient.answer(try await server.http.exchange(text, isHeldOpen: false))
            #expect(answer.status == 400)
            #expect(answer.body.isEmpty)
        }
    }

    @Test(arguments: ["100-continue", "x"])
    func `Expect is ignored in HTTP 1.0`(_ expectation: String) async throws {
        try await RunningServer.run { server in
            let text = "GET /health HTTP/1.0\r\nHost: 127.0.0.1:\(server.http.port)\r\nExpect: \(expectation)\r\n\r\n"
            let answer = HTTPClient.answer(try await server.http.exchange(text))
            #expect(answer.status == 200)
            #expect(answer.body == #"{"status":"ok"}"#)
        }
    }

    @Test func `the issuer refuses a method in OAuth's form`() async throws {
        try await RunningServer.run { server in
            let answer = try await server.http.get("/auth/token")
            #expect(answer.body == #"{"error":"invalid_request","error_description":"only POST goes with this URL"}"#)
        }
    }

    @Test(arguments: [("POST", "/fhir/Observation"), ("PUT", "/fhir/Observation/a")])
    func `a fault in a single resource is reported with its element`(
        _ method: String,
        _ path: String
    ) async throws {
        try await RunningServer.run { server in
            let answer = try await server.signedIn().with("Content-Type: application/fhir+json")
                .send(method, path, #"{"resourceType":"Observation","id":"a","code":{"text":"x"}}"#)
            #expect(answer.status == 422)
            #expect(answer.body == outcome("required", "status is missing", at: "Observation.status"))
        }
    }

    @Test func `the CapabilityStatement says that former versions are not kept`() async throws {
        try await RunningServer.run { server in
            let document = try JSONReader.read(Array(try await server.http.get("/fhir/metadata").body.utf8))
            let resources = document["rest"]?.elements.first?["resource"]?.elements ?? []
            let said = resources.map { resource in
                resource["interaction"]?.elements.first { $0["code"]?.string == "vread" }?["documentation"]?.string
            }
            #expect(said == ResourceType.allCases.map { _ in "the current version alone: former ones are not kept" })
        }
    }

    @Test(arguments: [
        "/fhir/metadata", "/fhir/.well-known/smart-configuration", "/fhir/Observation", "/fhir/Observation/a",
        "/fhir/Observation/a/_history/1", "/fhir/Observation/b", "/health", "/openapi.json", "/auth/jwks",
        "/auth/.well-known/openid-configuration", "/.well-known/oauth-authorization-server/auth",
    ])
    func `HEAD is answered like GET, without the body`(_ path: String) async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            #expect(try await http.put("/fhir/Observation/a", observation("\"id\":\"a\"")).status == 201)
            let whole = try await http.get(path)
            let head = try await http.send("HEAD", path)
            #expect(head == HTTPAnswer(status: whole.status, head: whole.head, body: ""))
        }
    }

    @Test(arguments: [
        ("", "application/fhir+json;q=0, application/fhir+xml", 406), ("", "application/fhir+json; q=0.1", 200),
        ("", "application/fhir+json; fhirVersion=4.0", 200), ("", "application/fhir+json; fhirVersion=3.0", 406),
        ("", "text/html", 406), ("", "application/fhir+xml", 406), ("", "application/fhir+json", 200),
        ("?_format=json", "text/html", 200), ("?_format=application/json", "application/xml", 200),
        ("?_format=application/fhir+json", "text/html", 200), ("?_format=application/fhir%2Bjson", "text/html", 200),
        ("?_format=xml", "application/fhir+json", 406), ("?_format=application/fhir+xml", "*/*", 406),
    ])
    func `_format overrides Accept, and only JSON is served`(
        _ query: String,
        _ accept: String,
        _ status: Int
    ) async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn().with("Accept: \(accept)")
            for path in ["/fhir/metadata", "/fhir/Observation"] {
                #expect(try await http.get(path + query).status == status)
            }
            let intake = http.with("Idempotency-Key: a")
            let answer = try await intake.post("/api/v1/observations\(query)", bundle("transaction"))
            #expect(answer.status == status)
        }
    }

    @Test(arguments: [
        ("W/\"1\"", 304, 200), ("\"1\"", 304, 200), ("W/\"0\", W/\"1\"", 304, 200), ("\"0\",\"1\"", 304, 200),
        ("*", 304, 200), ("W/\"2\"", 200, 412), ("1", 200, 412), ("\"0\", \"11\"", 200, 412),
    ])
    func `version tags are compared weakly, even in lists`(_ tags: String, _ read: Int, _ update: Int) async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let resource = observation("\"id\":\"a\"")
            #expect(try await http.put("/fhir/Observation/a", resource).status == 201)
            let answer = try await http.with("If-None-Match: \(tags)").get("/fhir/Observation/a")
            #expect(answer.status == read)
            #expect(answer.body.isEmpty == (read == 304))
            #expect(try await http.with("If-Match: \(tags)").put("/fhir/Observation/a", resource).status == update)
            let reading =
                #"{"request":{"method":"GET","url":"Observation/a","ifNoneMatch":"#
                + JSONEscapes.quoted(tags) + "}}"
            let inside = try await http.post("/fhir", bundle("batch", reading))
            #expect(try statuses(inside) == [read == 304 ? "304 Not Modified" : "200 OK"])
            #expect(inside.body.contains("\"resource\"") == (read != 304))
        }
    }

    @Test func `an update whose If-None-Match names an existing version is refused`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            let resource = observation("\"id\":\"a\"")
            let careful = http.with("If-None-Match: \"1\"")
            #expect(try await careful.put("/fhir/Observation/a", resource).status == 201)
            #expect(try await careful.put("/fhir/Observation/a", resource).status == 412)
        }
    }
}
