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

    @Test func `too many bodies at once are told to come back`() async throws {
        var limits = HTTPLimits()
        limits.allBodiesByteCount = 10
        try await RunningServer.run(limits: limits) { server in
            let answer = try await server.http.post("/steps", "{\"samples\":[]}")
            #expect(answer.status == 503)
            #expect(answer.header("Retry-After") == "1")
            #expect(try await server.http.get("/health").status == 200)
        }
    }

    @Test func `who announces a body and sends none takes nothing from others`() async throws {
        var limits = HTTPLimits()
        limits.allBodiesByteCount = 20
        limits.bodySeconds = 5
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

    /// Its length alone would give it four minutes.
    @Test(.timeLimit(.minutes(2)))
    func `a long body that does not come is waited for no longer than a short one`() async throws {
        var limits = HTTPLimits()
        limits.bodySeconds = 0.2
        try await RunningServer.run(limits: limits) { server in
            let head = "POST /fhir HTTP/1.1\r\nHost: 127.0.0.1:\(server.http.port)\r\nContent-Length: 16777216\r\n\r\n{"
            let answer = HTTPClient.answer(try await server.http.exchange(head))
            #expect(answer.status == 408)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func `whoever was told to go on has no more time than others`() async throws {
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
    func `each 64 KiB that came give a second more`(_ framing: String) async throws {
        var limits = HTTPLimits()
        limits.bodySeconds = 3
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
            let answer = HTTPClient.answer(try await server.http.exchange(pieces, pausing: isChunked ? 5 : 2.5))
            #expect(answer.body == #"{"saved":0,"message":"Success"}"#)
        }
    }

    @Test func `a body with another type, or compressed, is refused`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            #expect(try await http.post("/fhir", "<a/>", type: "application/fhir+xml").status == 415)
            #expect(try await http.with("Content-Encoding: gzip").post("/fhir", "x").status == 415)
            #expect(try await http.with("Accept: application/fhir+xml").get("/fhir/Device").status == 406)
            #expect(try await http.get("/fhir/Foo").status == 404)
            #expect(try await http.send("PATCH", "/fhir/Device/1", "{}").status == 405)
        }
    }
}
