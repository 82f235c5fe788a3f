import Testing

@testable import IntegrationServer

/// What a body may cost the server in memory and time.
struct RequestBodyTests {
    @Test func `a body of 100 MB is refused before it is read, and the answer arrives`() async throws {
        try await RunningServer.run { server in
            let head =
                "POST /fhir HTTP/1.1\r\nHost: 127.0.0.1:\(server.http.port)\r\nContent-Length: 104857600\r\n\r\n"
            let filled = head + String(repeating: " ", count: 1 << 20)
            let answer = HTTPClient.answer(try await server.http.exchange(filled, repeating: 100, isHeldOpen: false))
            #expect(answer.status == 413)
            #expect(try await server.http.get("/health").status == 200)
        }
    }

    @Test func `too many bodies at once are refused, to be sent again later`() async throws {
        var limits = HTTPLimits()
        (limits.allBodiesByteCount, limits.strangersBodiesByteCount, limits.smallBodyByteCount) = (20, 10, 0)
        try await RunningServer.run(limits: limits) { server in
            let answer = try await server.http.post("/steps", "{\"samples\":[]}")
            #expect(answer.status == 503)
            #expect(answer.body == outcome("throttled", "too many bodies at once (expected less load): try again"))
            #expect(answer.header("Retry-After") == "1")
            #expect(try await server.http.get("/health").status == 200)
        }
    }

    @Test func `a client that announces a body and sends none takes no room from others`() async throws {
        var limits = HTTPLimits()
        (limits.strangersBodiesByteCount, limits.smallBodyByteCount, limits.bodySeconds) = (20, 0, 5)
        try await RunningServer.run(limits: limits) { server in
            let silent = "POST /steps HTTP/1.1\r\nHost: 127.0.0.1:\(server.http.port)\r\nContent-Length: 20\r\n\r\n"
            async let held = server.http.exchange(silent)
            try await Task.sleep(for: .milliseconds(300))
            let answer = try await server.http.post("/steps", "{\"samples\":[]}", type: "application/json")
            #expect(answer.body == #"{"saved":0,"message":"Success"}"#)
            let late = HTTPClient.answer(try await held)
            #expect(late.status == 408)
        }
    }

    /// The announced length alone would allow it four minutes.
    @Test(.timeLimit(.minutes(2)))
    func `a long body that does not arrive is waited for no longer than a short one`() async throws {
        var limits = HTTPLimits()
        limits.bodySeconds = 0.2
        try await RunningServer.run(limits: limits) { server in
            let head =
                "POST /steps HTTP/1.1\r\nHost: 127.0.0.1:\(server.http.port)\r\nContent-Length: 16777216\r\n\r\n{"
            let answer = HTTPClient.answer(try await server.http.exchange(head))
            #expect(answer.status == 408)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `a client that got 100 Continue has no more time than others`() async throws {
        var limits = HTTPLimits()
        limits.bodySeconds = 0.2
        limits.idleSeconds = 240
        try await RunningServer.run(limits: limits) { server in
            let head =
                "POST /fhir HTTP/1.1\r\nHost: 127.0.0.1:\(server.http.port)\r\nExpect: 100-continue\r\n"
                + "Content-Length: 10\r\n\r\n"
            let text = try await server.http.exchange(head)
            #expect(text.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 408 Request Timeout\r\n"))
        }
    }

    @Test(arguments: ["Content-Length: 1966094", "Transfer-Encoding: chunked"])
    func `each 64 KiB that have arrived allow one more second`(_ framing: String) async throws {
        var limits = HTTPLimits()
        limits.bodySeconds = 12
        try await RunningServer.run(limits: limits) { server in
            let isChunked = framing.hasSuffix("chunked")
            let head =
                "POST /steps HTTP/1.1\r\nHost: 127.0.0.1:\(server.http.port)\r\nContent-Type: application/json\r\n"
                + "Connection: close\r\n\(framing)\r\n\r\n"
            let blank = String(repeating: " ", count: 30 * 65_536)
            let pieces =
                isChunked
                ? [head + "1E0000\r\n\(blank)\r\n", "d\r\n{\"samples\":[]\r\n1\r\n}\r\n0\r\n\r\n"]
                : [head + blank, "{\"samples\":[", "]}"]
            let answer = HTTPClient.answer(try await server.http.exchange(pieces, pausing: isChunked ? 15 : 7.5))
            #expect(answer.body == #"{"saved":0,"message":"Success"}"#)
        }
    }

    @Test func `a short body is read even if others use the whole budget`() async throws {
        var limits = HTTPLimits()
        (limits.allBodiesByteCount, limits.strangersBodiesByteCount, limits.smallBodyByteCount) = (0, 0, 100)
        try await RunningServer.run(limits: limits) { server in
            let http = server.http
            let (short, blank) = ("{\"samples\":[]}", String(repeating: " ", count: 100))
            let taken = try await http.post("/steps", short, type: "application/json")
            let refused = try await http.post("/steps", short + blank, type: "application/json")
            #expect([taken.status, refused.status] == [200, 503])
        }
    }

    /// The body is not sent: a client without a token is refused before it is read.
    @Test func `a long body is only read from a client that may send it`() async throws {
        let cases = [
            ("/fhir", "Content-Length: 16777216", 401), ("/fhir/Observation", "Transfer-Encoding: chunked", 401),
            ("/api/v1/observations", "Content-Length: 16777216", 401),
            ("/test/faults", "Content-Length: 16777216", 401),
            ("/auth/token", "Content-Length: 16777216", 413), ("/nowhere", "Content-Length: 16777216", 413),
            ("/fhir/metadata", "Content-Length: 16777216", 413),
        ]
        try await RunningServer.run { server in
            for (path, framing, status) in cases {
                let head = "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(server.http.port)\r\n\(framing)\r\n\r\n"
                let text = try await server.http.exchange(head + "1\r\n", isHeldOpen: false)
                let answer = HTTPClient.answer(text)
                #expect(answer.status == status, "\(path)")
                #expect(answer.header("Connection") == "close")
                #expect(answer.header("WWW-Authenticate").isEmpty == (status != 401))
            }
        }
    }

    @Test func `the framing of chunks counts towards the limit`() async throws {
        var limits = HTTPLimits()
        limits.bodyByteCount = 1_000
        try await RunningServer.run(limits: limits) { server in
            let head =
                "POST /steps HTTP/1.1\r\nHost: 127.0.0.1:\(server.http.port)\r\nContent-Type: application/json\r\n"
                + "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
            func send(_ chunk: String, _ count: Int) async throws -> Int {
                let chunks = String(repeating: chunk, count: count) + "d\r\n{\"samples\":[]\r\n1\r\n}\r\n0\r\n\r\n"
                return HTTPClient.answer(try await server.http.exchange(head + chunks)).status
            }
            let statuses = [
                try await send("1\r\n \r\n", 100), try await send("1\r\n \r\n", 200),
                try await send("c8\r\n\(String(repeating: " ", count: 200))\r\n", 4),
            ]
            #expect(statuses == [200, 413, 200])
        }
    }

    @Test func `headers are too long however they arrive`() async throws {
        var limits = HTTPLimits()
        limits.headByteCount = 1_000
        try await RunningServer.run(limits: limits) { server in
            let head =
                "GET /health HTTP/1.1\r\nHost: 127.0.0.1:\(server.http.port)\r\nConnection: close\r\n"
                + "X: \(String(repeating: "a", count: 1_000))\r\n\r\n"
            let pieces = [String(head.prefix(900)), String(head.dropFirst(900))]
            let texts = [
                try await server.http.exchange(head), try await server.http.exchange(pieces, pausing: 0.2),
            ]
            #expect(texts.map { HTTPClient.answer($0).status } == [431, 431])
        }
    }

    @Test func `a body of another type, or a compressed one, is refused`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            #expect(try await http.post("/fhir", "<a/>", type: "application/fhir+xml").status == 415)
            let older = "application/fhir+json; fhirVersion=3.0"
            #expect(try await http.post("/fhir/Device", #"{"resourceType":"Device"}"#, type: older).status == 415)
            #expect(try await http.with("Content-Encoding: gzip").post("/fhir", "x").status == 415)
            #expect(try await http.with("Accept: application/fhir+xml").get("/fhir/Device").status == 406)
            #expect(try await http.get("/fhir/Foo").status == 404)
            #expect(try await http.send("PATCH", "/fhir/Device/1", "{}").status == 405)
        }
    }
}
