import Testing

@testable import IntegrationServer

struct FaultTests {
    @Test func `a rule fails exactly the requests that it counts`() async throws {
        try await RunningServer.run { server in
            let asked = try await server.ask(
                forFaults:
                    #"{"method":"GET","path":"/health","requests":[2,3],"status":503,"headers":{"Retry-After":"7"}}"#
            )
            #expect(asked.status == 200)
            var statuses: [Int] = []
            for _ in 0..<4 { statuses.append(try await server.http.get("/health").status) }
            #expect(statuses == [200, 503, 503, 200])
            #expect(
                try await server.ask(forFaults: #"{"path":"/hea*","status":429,"headers":{"Retry-After":"7"}}"#).status
                    == 200
            )
            let failed = try await server.http.get("/health")
            #expect(failed.header("Retry-After") == "7")
            #expect(failed.body == outcome("throttled", "a fault on request (--test)"))
        }
    }

    @Test func `a rule's headers replace the server's`() async throws {
        try await RunningServer.run { server in
            let headers = #"{"content-type":"text/html","Content-Length":"3","Date":"x"}"#
            _ = try await server.ask(forFaults: #"{"path":"/health","headers":\#(headers)}"#)
            let answer = try await server.http.get("/health")
            let lines = answer.head.lowercased().split(separator: "\r\n")
            for name in ["content-type: text/html", "content-length: 3", "date: x"] {
                let header = name.prefix { $0 != " " }
                #expect(lines.filter { $0.hasPrefix(header) } == [name[...]])
            }
        }
    }

    @Test(arguments: [
        ("/fhir/Observation", 401, "WWW-Authenticate", "Bearer realm=\"BASE\", error=\"invalid_token\""),
        ("/fhir/Observation", 405, "Allow", "POST, PUT, DELETE"),
        ("/auth/jwks", 401, "WWW-Authenticate", "Bearer error=\"invalid_client\""),
    ])
    func `a fault has the header that its status requires`(
        _ path: String,
        _ status: Int,
        _ name: String,
        _ value: String
    ) async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            _ = try await server.ask(forFaults: #"{"path":"\#(path)","status":\#(status)}"#)
            let answer = try await http.get(path)
            #expect(answer.status == status)
            #expect(answer.header(name) == value.replacing("BASE", with: server.server.addresses.fhirBase))
        }
    }

    @Test func `a fault at the issuer has OAuth's form`() async throws {
        let cases = [
            (400, "invalid_request"), (401, "invalid_client"), (429, "temporarily_unavailable"),
            (500, "server_error"), (503, "temporarily_unavailable"),
        ]
        try await RunningServer.run { server in
            for (status, error) in cases {
                _ = try await server.ask(forFaults: #"{"path":"/auth/token","status":\#(status)}"#)
                let answer = try await server.token([:])
                #expect(answer.status == status)
                #expect(answer.body == #"{"error":"\#(error)","error_description":"a fault on request (--test)"}"#)
            }
        }
    }

    @Test(arguments: [("beforeCommit", 404), ("afterCommit", 200)])
    func `a connection can be cut before or after the commit`(_ cut: String, _ status: Int) async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            _ = try await server.ask(forFaults: #"{"method":"PUT","path":"/fhir/Observation/a","cut":"\#(cut)"}"#)
            let answer = try await http.put("/fhir/Observation/a", observation("\"id\":\"a\""))
            #expect(answer == HTTPAnswer(status: 0, head: "", body: ""))
            #expect(try await http.get("/fhir/Observation/a").status == status)
        }
    }

    @Test func `an answer may be delayed longer than a client may take to read it`() async throws {
        var limits = HTTPLimits()
        limits.writeSeconds = 2
        try await RunningServer.run(limits: limits) { server in
            _ = try await server.ask(forFaults: #"{"path":"/health","delayMilliseconds":6000}"#)
            #expect(try await server.http.get("/health").status == 200)
        }
    }

    @Test func `a long answer may be read slowly`() async throws {
        var limits = HTTPLimits()
        limits.writeSeconds = 2
        try await RunningServer.run(limits: limits) { server in
            let http = try await server.signedIn()
            // More than the system buffers for a client that does not read.
            let note = String(repeating: "x", count: 12 << 20)
            let content = observation("\"id\":\"a\",\"note\":[{\"text\":\"\(note)\"}]")
            #expect(try await http.put("/fhir/Observation/a", content).status == 201)
            let lines = ["GET /fhir/Observation/a HTTP/1.1", "Host: 127.0.0.1:\(http.port)", "Connection: close"]
            let request = (lines + http.headers).joined(separator: "\r\n") + "\r\n\r\n"
            // It is read after more than twice the time allowed for a short answer.
            let answer = HTTPClient.answer(try await http.exchange([request, ""], pausing: 5))
            #expect(answer.header("Content-Length") == "\(answer.body.utf8.count)")
        }
    }

    @Test func `one entry fails inside a 200 while the others are stored`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            _ = try await server.ask(forFaults: #"{"path":"/fhir","failEntry":0,"status":429}"#)
            let answer = try await http.post(
                "/fhir",
                bundle(
                    "transaction",
                    entry("PUT", "Observation/a", observation("\"id\":\"a\"")),
                    entry("PUT", "Observation/b", observation("\"id\":\"b\""))
                )
            )
            let statuses = try JSONReader.read(Array(answer.body.utf8))["entry"]?.elements.map {
                $0["response"]?["status"]?.string
            }
            #expect(answer.status == 200)
            #expect(statuses == ["429 Too Many Requests", "201 Created"])
            #expect(try await http.get("/fhir/Observation/a").status == 404)
        }
    }

    @Test func `faults need the token that was printed`() async throws {
        try await RunningServer.run { server in
            let answers = [
                try await server.http.bearing("x").post("/test/faults", "{\"rules\":[]}"),
                try await server.http.post("/test/faults", "{\"rules\":[]}"),
            ]
            #expect(answers.map(\.status) == [401, 401])
        }
    }

    @Test func `without --test this address does not exist`() async throws {
        try await RunningServer.run({ $0.isTest = false }) { server in
            #expect(server.server.addresses.testToken == nil)
            let answer = try await server.http.bearing("").post("/test/faults", "{\"rules\":[]}")
            #expect(answer.status == 404)
        }
    }

    @Test(arguments: [
        (#"{"status":503}"#, "path", "a path such as /fhir"),
        (#"{"path":"/x","method":5}"#, "method", "a name such as POST"),
        (#"{"path":"/x","status":200}"#, "status", "400 to 599"),
        (#"{"path":"/x","requests":[0]}"#, "requests", "numbers from 1"),
        (#"{"path":"/x","cut":"never"}"#, "cut", "beforeCommit or afterCommit"),
        (#"{"path":"/x","delayMilliseconds":-1}"#, "delayMilliseconds", "0 to 600,000"),
        (#"{"path":"/x","delayMilliseconds":"1500"}"#, "delayMilliseconds", "0 to 600,000"),
        (#"{"path":"/x","delayMilliseconds":1.5}"#, "delayMilliseconds", "0 to 600,000"),
        (#"{"path":"/x","failEntry":-1}"#, "failEntry", "an entry's number from 0"),
        (#"{"path":"/x","headers":{"A\r\nB":"c"}}"#, "headers", "names and texts"),
        (#"{"path":"/x","headers":"x"}"#, "headers", "names and texts"),
        (#"{"path":"/x","headers":null}"#, "headers", "names and texts"),
        (
            #"{"path":"/x","colour":1}"#, "colour",
            "method, path, requests, status, headers, delayMilliseconds, cut, failEntry"
        ),
    ])
    func `a rule that is not usable is refused by name`(_ rule: String, _ name: String, _ expected: String) async throws
    {
        try await RunningServer.run { server in
            let answer = try await server.ask(forFaults: rule)
            #expect(answer.status == 400)
            #expect(
                answer.body == outcome("value", "\(name) can't be used (expected \(expected))", at: "rules[0].\(name)")
            )
        }
    }
}
