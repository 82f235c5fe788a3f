import Testing

@testable import IntegrationServer

/// Bytes that no proper client sends, and the expected answer.
struct HostileRequest: CustomTestStringConvertible {
    let bytes: String
    let status: Int
    let what: String

    init(_ bytes: String, _ status: Int, _ what: String) {
        self.bytes = bytes
        self.status = status
        self.what = what
    }

    var testDescription: String { "\(status) \(what)" }
}

struct HostileRequestTests {
    private static let host = "Host: 127.0.0.1:PORT"

    @Test(arguments: [
        HostileRequest("nonsense\r\n\r\n", 400, "the request line is not METHOD TARGET HTTP/1.1"),
        HostileRequest("GET /health HTTP/2.0\r\n\(host)\r\n\r\n", 505, "the HTTP version is not 1.1 or 1.0"),
        HostileRequest(
            "GET /health?a\nX:y HTTP/1.1\r\n\(host)\r\n\r\n",
            400,
            "the request line is not METHOD TARGET HTTP/1.1"
        ),
        HostileRequest(
            "GET /health?a\rX:y HTTP/1.1\r\n\(host)\r\n\r\n",
            400,
            "the request line is not METHOD TARGET HTTP/1.1"
        ),
        HostileRequest("GET /health HTTP/1.1\r\n\r\n", 400, "Host is missing"),
        HostileRequest("GET /health HTTP/1.1\r\n\(host)\r\n\(host)\r\n\r\n", 400, "host is there twice"),
        HostileRequest("GET /health HTTP/1.1\r\n\(host)\r\n folded\r\n\r\n", 400, "a header is not NAME: VALUE"),
        HostileRequest("GET /health HTTP/1.1\r\n\(host)\r\nA : b\r\n\r\n", 400, "a header is not NAME: VALUE"),
        HostileRequest("GET /health HTTP/1.1\r\n\(host)\r\nA: \u{0}\r\n\r\n", 400, "a header has a control character"),
        HostileRequest(
            "GET /\(String(repeating: "a", count: 9_000)) HTTP/1.1\r\n\(host)\r\n\r\n",
            414,
            "the target is longer than 8,192 bytes"
        ),
        HostileRequest(
            "GET /health HTTP/1.1\r\n\(host)\r\nA: \(String(repeating: "a", count: 40_000))",
            431,
            "the headers are longer than 32768 bytes"
        ),
        HostileRequest(
            "GET /health HTTP/1.1\r\n\(String(repeating: "A: b\r\n", count: 101))\r\n",
            431,
            "more than 100 headers"
        ),
        HostileRequest(
            "POST /fhir HTTP/1.1\r\n\(host)\r\nContent-Length: x\r\n\r\n",
            400,
            "Content-Length is not a number"
        ),
        HostileRequest(
            "POST /fhir HTTP/1.1\r\n\(host)\r\nContent-Length: -1\r\n\r\n",
            400,
            "Content-Length is not a number"
        ),
        HostileRequest(
            "POST /fhir HTTP/1.1\r\n\(host)\r\nContent-Length: 99999999999999999999\r\n\r\n",
            413,
            "the body is longer than 16777216 bytes (expected less): split it"
        ),
        HostileRequest(
            "POST /fhir HTTP/1.1\r\n\(host)\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            400,
            "Transfer-Encoding is not chunked alone"
        ),
        HostileRequest(
            "POST /steps HTTP/1.1\r\n\(host)\r\nTransfer-Encoding: chun\u{212A}ed\r\n\r\n0\r\n\r\n",
            400,
            "Transfer-Encoding is not chunked alone"
        ),
        HostileRequest(
            "POST /steps HTTP/1.0\r\n\(host)\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            400,
            "Transfer-Encoding does not go with HTTP/1.0"
        ),
        HostileRequest(
            "POST /steps HTTP/1.1\r\n\(host)\r\nTransfer-Encoding: chunked\r\n\r\n+e\r\n",
            400,
            "a chunk's size is not a hexadecimal number"
        ),
        HostileRequest(
            "POST /steps HTTP/1.1\r\n\(host)\r\nTransfer-Encoding: chunked\r\n\r\n-0\r\n",
            400,
            "a chunk's size is not a hexadecimal number"
        ),
        HostileRequest(
            "POST /steps HTTP/1.1\r\n\(host)\r\nTransfer-Encoding: chunked\r\n\r\n e\r\n",
            400,
            "a chunk's size is not a hexadecimal number"
        ),
        HostileRequest(
            "POST /steps HTTP/1.1\r\n\(host)\r\nTransfer-Encoding: chunked\r\n\r\n0x0\r\n",
            400,
            "a chunk's size is not a hexadecimal number"
        ),
        HostileRequest(
            "POST /steps HTTP/1.1\r\n\(host)\r\nTransfer-Encoding: chunked\r\n\r\ne\u{37E}\r\n",
            400,
            "a chunk's size is not a hexadecimal number"
        ),
        HostileRequest(
            "POST /steps HTTP/1.1\r\n\(host)\r\nTransfer-Encoding: chunked\r\n\r\ne \r\n",
            400,
            "a chunk's size is not a hexadecimal number"
        ),
        HostileRequest(
            "POST /steps HTTP/1.1\r\n\(host)\r\nTransfer-Encoding: chunked\r\n\r\n0;a=\r\u{0}\r\n\r\n",
            400,
            "a chunk's line has a control character"
        ),
        HostileRequest(
            "POST /steps HTTP/1.1\r\n\(host)\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            400,
            "a chunk's size is not a hexadecimal number"
        ),
        HostileRequest(
            "POST /steps HTTP/1.1\r\n\(host)\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
            400,
            "a chunk is longer than it said"
        ),
        HostileRequest("GET /health HTTP/1.1\r\n\(host)\r\nExpect: x\r\n\r\n", 417, "Expect is not 100-continue"),
        HostileRequest(
            "GET /fhir/../auth/token HTTP/1.1\r\n\(host)\r\n\r\n",
            400,
            "the path is none of this server's (expected plain segments)"
        ),
        HostileRequest(
            "GET /fhir/%2e%2e/x HTTP/1.1\r\n\(host)\r\n\r\n",
            400,
            "the path is none of this server's (expected plain segments)"
        ),
        HostileRequest(
            "GET /fhir//Observation HTTP/1.1\r\n\(host)\r\n\r\n",
            400,
            "the path is none of this server's (expected plain segments)"
        ),
        HostileRequest(
            "GET /fhir/%2Fetc HTTP/1.1\r\n\(host)\r\n\r\n",
            400,
            "the path is none of this server's (expected plain segments)"
        ),
        HostileRequest(
            "GET /fhir/%ff HTTP/1.1\r\n\(host)\r\n\r\n",
            400,
            "the path is none of this server's (expected plain segments)"
        ),
        HostileRequest(
            "GET http://evil.example.org/health HTTP/1.1\r\n\(host)\r\n\r\n",
            421,
            "Host is not this server's (expected the one of its base URL)"
        ),
        HostileRequest(
            "GET /health HTTP/1.1\r\nHost: evil.example.org\r\nConnection: close\r\n\r\n",
            421,
            "Host is not this server's (expected the one of its base URL)"
        ),
        HostileRequest(
            "GET /health HTTP/1.1\r\n\(host)\r\nOrigin: https://evil.example.org\r\nConnection: close\r\n\r\n",
            403,
            "Origin is not this server's: other sites' pages may not call it"
        ),
        HostileRequest(
            "GET /health HTTP/1.1\r\n\(host)\r\nOrigin: null\r\nConnection: close\r\n\r\n",
            403,
            "Origin is not this server's: other sites' pages may not call it"
        ),
        HostileRequest(
            "GET /nowhere HTTP/1.1\r\n\(host)\r\nConnection: close\r\n\r\n",
            404,
            "there is no such resource"
        ),
        HostileRequest(
            "DELETE /steps HTTP/1.1\r\n\(host)\r\nConnection: close\r\n\r\n",
            405,
            "only POST goes with this URL"
        ),
    ])
    func `a hostile request gets an OperationOutcome, and the server survives`(_ request: HostileRequest) async throws {
        try await RunningServer.run { server in
            let bytes = request.bytes.replacing("PORT", with: "\(server.http.port)")
            let answer = HTTPClient.answer(try await server.http.exchange(bytes, isHeldOpen: false))
            #expect(answer.status == request.status)
            #expect(answer.body.hasPrefix(#"{"resourceType":"OperationOutcome","issue":[{"severity":"error","code":""#))
            #expect(answer.body.contains(#""diagnostics":"\#(request.what)""#))
            #expect(try await server.http.get("/health").body == #"{"status":"ok"}"#)
        }
    }

    @Test(arguments: [
        ("GET /health HTTP/1.1\r\nHost:", "headers"),
        ("POST /fhir HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 10\r\n\r\n{", "body"),
        ("POST /steps HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "body"),
    ])
    func `a client that sends too slowly gets 408 and is disconnected`(_ bytes: String, _ what: String) async throws {
        var limits = HTTPLimits()
        // When other tests run, headers that have arrived may be read a second later.
        limits.headSeconds = what == "headers" ? 2 : 120
        limits.bodySeconds = what == "body" ? 2 : 120
        try await RunningServer.run(limits: limits) { server in
            let text = bytes.replacing("PORT", with: "\(server.http.port)")
            let answer = HTTPClient.answer(try await server.http.exchange(text))
            #expect(answer.status == 408)
            #expect(answer.body == outcome("timeout", "the \(what) took too long"))
        }
    }

    @Test func `a silent client is disconnected`() async throws {
        var limits = HTTPLimits()
        limits.idleSeconds = 0.2
        try await RunningServer.run(limits: limits) { server in
            let answer = try await server.http.exchange("")
            #expect(answer.isEmpty)
        }
    }

    @Test(arguments: ["http://127.0.0.1:PORT/health", "HTTP://localhost:PORT/health?a=/", "https://[::1]:PORT/health"])
    func `a target in absolute form decides the host, whatever Host says`(_ target: String) async throws {
        try await RunningServer.run { server in
            let line = "GET \(target) HTTP/1.1\r\nHost: evil.example.org\r\nConnection: close\r\n\r\n"
            let text = try await server.http.exchange(line.replacing("PORT", with: "\(server.http.port)"))
            #expect(HTTPClient.answer(text).body == #"{"status":"ok"}"#)
        }
    }

    @Test func `requests sent in one piece are answered in order`() async throws {
        try await RunningServer.run { server in
            let host = "Host: 127.0.0.1:\(server.http.port)"
            let chunked =
                "POST /steps HTTP/1.1\r\n\(host)\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "8 ;x=y\r\n{\"sample\r\n6\r\ns\":[]}\r\n0\r\nTrailer: x\r\n\r\n"
            let last = "GET /health HTTP/1.1\r\n\(host)\r\nConnection: close\r\n\r\n"
            let text = try await server.http.exchange(chunked + "\r\n" + last)
            let bodies = text.split(separator: "\r\n").filter { $0.hasPrefix("{") || $0.contains("}HTTP") }
            #expect(bodies == [#"{"saved":0,"message":"Success"}HTTP/1.1 200 OK"#, #"{"status":"ok"}"#])
        }
    }

    @Test func `any number of empty lines before a request is ignored`() async throws {
        var limits = HTTPLimits()
        limits.headSeconds = 600
        try await RunningServer.run(limits: limits) { server in
            let lines = Array(repeating: String(repeating: "\r\n", count: 1 << 19), count: 48)
            let request = "GET /health HTTP/1.1\r\nHost: 127.0.0.1:\(server.http.port)\r\nConnection: close\r\n\r\n"
            let answer = HTTPClient.answer(try await server.http.exchange(lines + [request]))
            #expect(answer.body == #"{"status":"ok"}"#)
        }
    }
}
