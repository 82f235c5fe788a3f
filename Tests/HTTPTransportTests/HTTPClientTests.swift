import FoundationEssentials
import Glibc
import HTTPTransport
import Synchronization
import TestSupport
import Testing

struct HTTPClientTests {
    private let client: HTTPClient

    init() throws { client = try HTTPClient() }

    private func url(_ server: ScriptedServer, _ target: String = "/") throws -> HTTPURL {
        try HTTPURL(server.url + target)
    }

    @Test func `a request arrives as it was made`() async throws {
        let server = try ScriptedServer { _ in .response(201, headers: ["Location": "Observation/1"], body: "{}") }
        let response = try await client.send(
            HTTPRequest(
                .post,
                url(server, "/r4/a/../b?c=d%20e"),
                headers: [HTTPHeader("Content-Type", "application/fhir+json"), HTTPHeader("Idempotency-Key", "k1")],
                authorization: .bearer("t1"),
                body: Array("{\"resourceType\":\"Bundle\"}".utf8)
            )
        )
        #expect(response.status == 201)
        #expect(response.header("location") == "Observation/1")
        #expect(response.body == Array("{}".utf8))
        let request = try #require(server.requests.first)
        #expect(request.method == "POST")
        #expect(request.target == "/r4/a/../b?c=d%20e")
        #expect(request.text == "{\"resourceType\":\"Bundle\"}")
        #expect(
            request.headers == [
                "host": "127.0.0.1:\(server.port)", "accept": "*/*", "accept-encoding": "gzip",
                "content-type": "application/fhir+json",
                "idempotency-key": "k1", "authorization": "Bearer t1", "content-length": "25", "user-agent": "pghd",
            ]
        )
    }

    @Test(arguments: HTTPRequest.Method.allCases)
    func `each method is sent under its name`(_ method: HTTPRequest.Method) async throws {
        let server = try ScriptedServer { .response(200, body: $0.method + $0.text) }
        let body = method == .get ? nil : Array("x".utf8)
        let response = try await client.send(HTTPRequest(method, url(server), body: body))
        #expect(String(decoding: response.body, as: UTF8.self) == method.rawValue + (method == .get ? "" : "x"))
    }

    @Test func `a body of many megabytes arrives whole`() async throws {
        let server = try ScriptedServer { .response(200, body: "\($0.body.count) \($0.body.last ?? 0)") }
        let body = [UInt8](repeating: 7, count: 5 << 20) + [9]
        let response = try await client.send(HTTPRequest(.post, url(server), body: body))
        #expect(String(decoding: response.body, as: UTF8.self) == "\((5 << 20) + 1) 9")
        #expect(server.requests.first?.headers["expect"] == nil)
    }

    @Test func `each of sixty-four simultaneous requests gets its own answer`() async throws {
        let server = try ScriptedServer { .response(200, body: $0.target) }
        let answers = try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
            for number in 0..<64 {
                group.addTask { [client] in
                    let request = HTTPRequest(.get, try HTTPURL("\(server.url)/\(number)"))
                    return (number, try await client.send(request).body)
                }
            }
            return try await group.reduce(into: [Int: [UInt8]]()) { $0[$1.0] = $1.1 }
        }
        #expect(answers == Dictionary(uniqueKeysWithValues: (0..<64).map { ($0, Array("/\($0)".utf8)) }))
        // The server ends after its last use.
        #expect(server.requests.count == 64)
    }

    @Test func `a gate limits how many requests are in flight, and each gets its own answer`() async throws {
        let travelling = Mutex((now: 0, most: 0, looks: 0))
        let server = try ScriptedServer { request in
            travelling.withLock { travelling in
                travelling.now += 1
                travelling.most = max(travelling.most, travelling.now)
            }
            // No request is answered before three are in flight, unless that never happens.
            while travelling.withLock({ $0.most < 3 && $0.looks < 10_000 }) {
                travelling.withLock { $0.looks += 1 }
                usleep(500)
            }
            travelling.withLock { $0.now -= 1 }
            return .response(200, body: request.target)
        }
        let gate = TransferGate(3)
        let answers = try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
            for number in 0..<300 {
                group.addTask { [client] in
                    let request = HTTPRequest(.get, try HTTPURL("\(server.url)/\(number)"), gate: gate)
                    return (number, try await client.send(request).body)
                }
            }
            return try await group.reduce(into: [Int: [UInt8]]()) { $0[$1.0] = $1.1 }
        }
        #expect(answers == Dictionary(uniqueKeysWithValues: (0..<300).map { ($0, Array("/\($0)".utf8)) }))
        #expect(travelling.withLock { $0.most } == 3)
    }

    /// The answer to a request that nothing holds up from now on.
    private func promptAnswer(_ answer: Task<HTTPResponse, any Error>) async throws -> HTTPResponse {
        let patience = Task {
            try await Task.sleep(for: .seconds(30))
            answer.cancel()
        }
        defer { patience.cancel() }
        return try await answer.value
    }

    private func promptAnswer(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await promptAnswer(Task { [client] in try await client.send(request) })
    }

    @Test func `a gate that was full lets the next request through at once`() async throws {
        let server = try ScriptedServer { _ in .response(200) }
        let request = HTTPRequest(.get, try url(server), gate: TransferGate(1))
        for _ in 0..<3 {
            #expect(try await promptAnswer(request).status == 200)
            // Long enough for the client's thread to sleep.
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    @Test func `a request cancelled in flight makes room, and one cancelled earlier is never sent`() async throws {
        let server = try ScriptedServer { $0.target == "/first" ? .silence : .response(200) }
        let gate = TransferGate(1)
        func task(_ target: String) throws -> Task<HTTPResponse, any Error> {
            // Longer than any test takes: these requests must end by being cancelled.
            let limits = HTTPLimits(idle: .seconds(3600), total: .seconds(3600))
            let request = HTTPRequest(.get, try url(server, target), limits: limits, gate: gate)
            return Task { [client] in try await client.send(request) }
        }
        let first = try task("/first")
        while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        let second = try task("/second")
        let third = try task("/third")
        try await Task.sleep(for: .milliseconds(100))
        // With this request the client's thread takes in those that wait.
        _ = try await promptAnswer(HTTPRequest(.get, url(server, "/beside")))
        second.cancel()
        first.cancel()
        await #expect(throws: HTTPError.cancelled) { try await first.value }
        await #expect(throws: HTTPError.cancelled) { try await second.value }
        #expect(try await promptAnswer(third).status == 200)
        #expect(server.requests.map(\.target) == ["/first", "/beside", "/third"])
    }

    @Test func `a gate lets at least one request through`() {
        #expect([-1, 0, 1, 2].map { TransferGate($0).maximumCount } == [1, 1, 1, 2])
    }

    @Test func `a connection is kept for the next request, unless it is a fresh one`() async throws {
        let server = try ScriptedServer { _ in .response(200) }
        for _ in 0..<3 { _ = try await client.send(HTTPRequest(.get, url(server))) }
        #expect(server.connectionCount == 1)
        for _ in 0..<2 { _ = try await client.send(HTTPRequest(.get, url(server), connection: .fresh)) }
        #expect(server.connectionCount == 3)
    }

    @Test func `no request uses another's fresh connection`() async throws {
        let server = try ScriptedServer { _ in .response(200) }
        _ = try await client.send(HTTPRequest(.get, url(server), connection: .fresh))
        _ = try await client.send(HTTPRequest(.get, url(server)))
        #expect(server.connectionCount == 2)
    }

    @Test func `a body that is resent because the kept connection had ended is whole, and is reported`() async throws {
        let count = Atomic(0)
        let server = try ScriptedServer { request in
            let isSecond = count.add(1, ordering: .relaxed).newValue == 2
            return isSecond ? .hangUp : .response(200, body: request.text)
        }
        let request = HTTPRequest(.post, try url(server), body: Array("body".utf8))
        #expect(try await client.send(request).wasRepeated == false)
        let response = try await client.send(request)
        #expect(response.wasRepeated)
        #expect(response.body == Array("body".utf8))
        #expect(server.requests.map(\.text) == ["body", "body", "body"])
    }

    @Test func `a body that must not be resent is sent once`() async throws {
        let server = try ScriptedServer { $0.text == "body" ? .hangUp : .response(200) }
        _ = try await client.send(HTTPRequest(.post, url(server)))
        await #expect(throws: HTTPError.connectionLost(origin: server.url)) {
            var request = HTTPRequest(.post, try url(server), body: Array("body".utf8))
            request.mayRepeat = false
            return try await client.send(request)
        }
        #expect(server.requests.map(\.text) == ["", "body"])
    }

    @Test func `a body that was received counts as sent even if the repeat finds no listener`() async throws {
        let stop = Mutex<(@Sendable () -> Void)?>(nil)
        let server = try ScriptedServer { request in
            guard request.text == "body" else { return .response(200) }
            stop.withLock { $0?() }
            return .hangUp
        }
        stop.withLock { $0 = { [weak server] in server?.stopListening() } }
        _ = try await client.send(HTTPRequest(.post, url(server)))
        let lost = HTTPError.connectionLost(origin: server.url)
        await #expect(throws: lost) {
            try await client.send(HTTPRequest(.post, url(server), body: Array("body".utf8)))
        }
        #expect(!lost.isBeforeSending)
        #expect(server.requests.map(\.text) == ["", "body"])
    }

    @Test func `headers before the final ones are not part of the answer`() async throws {
        let server = try ScriptedServer { _ in
            .raw(
                "HTTP/1.1 103 Early Hints\r\nLocation: Patient/1\r\n\r\n"
                    + "HTTP/1.1 201 Created\r\nLocation: Patient/2\r\nContent-Length: 0\r\n\r\n"
            )
        }
        let response = try await client.send(HTTPRequest(.get, url(server)))
        #expect(response.status == 201)
        #expect(response.headers == [HTTPHeader("Location", "Patient/2"), HTTPHeader("Content-Length", "0")])
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `S3 a redirect is returned, not followed`(_ status: Int) async throws {
        let other = try ScriptedServer { _ in .response(200) }
        let location = other.url
        let server = try ScriptedServer { _ in .response(status, headers: ["Location": location]) }
        let response = try await client.send(HTTPRequest(.post, url(server), authorization: .bearer("t"), body: [1]))
        #expect(response.status == status)
        #expect(response.header("Location") == location)
        #expect(other.requests.isEmpty)
    }

    @Test(arguments: [Duration.milliseconds(100), .microseconds(1), .zero, .seconds(-1)])
    func `S4 an answer that never comes is given up at the time limit`(_ total: Duration) async throws {
        let server = try ScriptedServer { _ in .silence }
        let request = HTTPRequest(.get, try url(server), limits: HTTPLimits(total: total))
        await #expect(throws: HTTPError.timedOut(origin: server.url)) { try await client.send(request) }
    }

    @Test func `S4 an answer that stalls is given up at the idle limit`() async throws {
        let server = try ScriptedServer { _ in .silence }
        let request = HTTPRequest(.get, try url(server), limits: HTTPLimits(idle: .seconds(1)))
        await #expect(throws: HTTPError.timedOut(origin: server.url)) { try await client.send(request) }
    }

    @Test func `S4 an answer above the limit is refused, and one at the limit is not`() async throws {
        let server = try ScriptedServer { .response(200, body: String(repeating: "x", count: $0.target.count - 1)) }
        func request(_ count: Int) throws -> HTTPRequest {
            let target = "/" + String(repeating: "y", count: count)
            return HTTPRequest(.get, try url(server, target), limits: HTTPLimits(maximumBodyByteCount: 100))
        }
        #expect(try await client.send(request(100)).body.count == 100)
        await #expect(throws: HTTPError.responseTooLarge(origin: server.url, maximumByteCount: 100)) {
            try await client.send(request(101))
        }
    }

    @Test func `S4 endless headers are refused`() async throws {
        let server = try ScriptedServer { _ in
            .raw(
                "HTTP/1.1 200 OK\r\n"
                    + String(repeating: "X-Filler: \(String(repeating: "x", count: 80))\r\n", count: 1000)
            )
        }
        let request = HTTPRequest(.get, try url(server), limits: HTTPLimits(maximumBodyByteCount: 100))
        await #expect(throws: HTTPError.responseTooLarge(origin: server.url, maximumByteCount: 65_536)) {
            try await client.send(request)
        }
    }

    @Test func `a byte order mark before a body is not part of it`() async throws {
        let server = try ScriptedServer { _ in .response(200, body: "\u{FEFF}{}") }
        #expect(try await client.send(HTTPRequest(.get, url(server))).body == Array("{}".utf8))
    }

    @Test func `a gzip answer is unpacked`() async throws {
        let packed = try #require(Data(base64Encoded: Self.packedBundle))
        let server = try ScriptedServer { _ in .bytes(200, headers: ["Content-Encoding": "gzip"], body: Array(packed)) }
        let response = try await client.send(HTTPRequest(.get, url(server)))
        #expect(response.body == Array(#"{"resourceType":"Bundle"}"#.utf8))
        #expect(server.requests.first?.headers["accept-encoding"] == "gzip")
    }

    @Test func `S4 a limit counts the bytes that gzip unpacks to`() async throws {
        let packed = try #require(Data(base64Encoded: Self.packedHundredThousand))
        let server = try ScriptedServer { _ in .bytes(200, headers: ["Content-Encoding": "gzip"], body: Array(packed)) }
        func request(_ limit: Int) throws -> HTTPRequest {
            HTTPRequest(.get, try url(server), limits: HTTPLimits(maximumBodyByteCount: limit))
        }
        #expect(try await client.send(request(100_000)).body.count == 100_000)
        await #expect(throws: HTTPError.responseTooLarge(origin: server.url, maximumByteCount: 99_999)) {
            try await client.send(request(99_999))
        }
    }

    /// `{"resourceType":"Bundle"}`, packed by Python's gzip.
    private static let packedBundle = "H4sIAAAAAAACA6tWKkotzi8tSk4NqSxIVbJScirNS8lJVaoFALqxJfUZAAAA"
    /// 100,000 times x, packed by Python's gzip.
    private static let packedHundredThousand =
        "H4sIAAAAAAACA+3BMQEAAADCoNqLbw0PoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIBXA3ERB/6ghgEA"

    @Test(arguments: [
        (ScriptedServer.Reply.hangUp, "lost"),
        (.raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), "lost"),
        (.raw("SSH-2.0-OpenSSH_9.2\r\n"), "malformed"),
        (.response(200, headers: ["Content-Encoding": "gzip"], body: "no gzip"), "malformed"),
    ])
    func `a broken answer is an error`(_ reply: ScriptedServer.Reply, _ kind: String) async throws {
        let server = try ScriptedServer { _ in reply }
        let error =
            kind == "lost" ? HTTPError.connectionLost(origin: server.url) : .malformedResponse(origin: server.url)
        await #expect(throws: error) { try await client.send(HTTPRequest(.get, url(server))) }
    }

    @Test func `a port without a listener is an error`() async throws {
        var server: ScriptedServer? = try ScriptedServer { _ in .hangUp }
        let address = try #require(server?.url)
        server = nil
        await #expect(throws: HTTPError.noConnection(origin: address)) {
            try await client.send(HTTPRequest(.get, HTTPURL(address)))
        }
        #expect(HTTPError.noConnection(origin: address).isBeforeSending)
        #expect(HTTPError.proxy(origin: address, fault: .noConnection).isBeforeSending)
    }

    @Test func `cancelling the task cancels the transfer`() async throws {
        let server = try ScriptedServer { _ in .silence }
        let request = HTTPRequest(.get, try url(server))
        let task = Task { [client] in try await client.send(request) }
        while server.requests.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        task.cancel()
        await #expect(throws: HTTPError.cancelled) { try await task.value }
    }

    @Test func `a task that is already cancelled sends nothing`() async throws {
        let server = try ScriptedServer { _ in .response(200) }
        let request = HTTPRequest(.get, try url(server))
        let task = Task { [client] in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await client.send(request)
        }
        await #expect(throws: HTTPError.cancelled) { try await task.value }
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: ["a\r\nX-Evil: 1", "a\nb", "a\u{0}b", "a\u{7F}b"])
    func `a header with a control character is not sent`(_ value: String) async throws {
        let server = try ScriptedServer { _ in .response(200) }
        await #expect(throws: HTTPError.unsendableHeader(name: "Authorization")) {
            try await client.send(HTTPRequest(.get, url(server), authorization: .bearer(value)))
        }
        await #expect(throws: HTTPError.unsendableHeader(name: "If-Match")) {
            try await client.send(HTTPRequest(.get, url(server), headers: [HTTPHeader("If-Match", value)]))
        }
        // A name like this must not be shown.
        await #expect(throws: HTTPError.unsendableHeader(name: "given")) {
            try await client.send(HTTPRequest(.get, url(server), headers: [HTTPHeader(value, "x")]))
        }
        #expect(server.requests.isEmpty)
    }

    /// RFC 9110, section 5.5.
    @Test func `a header may hold a tab`() async throws {
        let server = try ScriptedServer { _ in .response(200) }
        _ = try await client.send(HTTPRequest(.get, url(server), headers: [HTTPHeader("X-Api-Key", "a\tb")]))
        #expect(server.requests.map { $0.headers["x-api-key"] } == ["a\tb"])
    }

    @Test func `S21 authorizations, requests and answers do not print their contents`() throws {
        let (canary, url) = (Array("CANARY".utf8), try HTTPURL("https://fhir.example.org/?name=CANARY"))
        let authorization = Authorization.bearer("CANARY")
        let header = HTTPHeader("X-Api-Key", "CANARY")
        let request = HTTPRequest(.post, url, headers: [header], authorization: authorization, body: canary)
        let answer = HTTPResponse(status: 200, headers: [header], body: canary)
        let printed = printed([authorization, header, request, answer])
        #expect(!printed.contains("CANARY"))
        #expect(!printed.contains("67"))
    }

    @Test func `the user agent is that of the client, of its server or of the request`() async throws {
        let server = try ScriptedServer { _ in .response(200) }
        let own = OriginHeaders([HTTPHeader("User-Agent", "clinic")], for: try url(server))
        let clients = try [HTTPClient(), HTTPClient(userAgent: "pghd/1"), HTTPClient(ownHeaders: own)]
        for client in clients { _ = try await client.send(HTTPRequest(.get, url(server))) }
        _ = try await client.send(HTTPRequest(.get, url(server), headers: [HTTPHeader("User-Agent", "night")]))
        #expect(server.requests.map { $0.headers["user-agent"] } == ["pghd", "pghd/1", "clinic", "night"])
    }
}
