import Foundation
import Glibc
import HTTPTransport
import TestSupport
import Testing

@testable import OpenIDConnect
import Threads

struct LoopbackListenerTests {
    private let client: HTTPClient

    init() throws { client = try HTTPClient() }

    @Test func `if no redirect comes, the error says which one may not be registered`() {
        let error = OpenIDConnectError.noRedirect(seconds: 180, redirectURI: "http://127.0.0.1:41231/callback")
        #expect(
            error.description
                == "no answer from the browser within 180 s: sign in again; if the browser shows an error, its redirect "
                + "http://127.0.0.1:41231/callback may not be registered: have it registered, or give the registered port "
                + "with --redirect-port"
        )
    }

    private func get(_ address: String, host: String? = nil, method: HTTPRequest.Method = .get) async throws
        -> HTTPResponse
    {
        let headers = host.map { [HTTPHeader("Host", $0)] } ?? []
        return try await client.send(HTTPRequest(method, HTTPURL(address), headers: headers, connection: .fresh))
    }

    /// What the listener answers to `text`; the wait does not block a thread that other tests need.
    private func answer(to text: String, port: UInt16) async -> String {
        await OwnThread.run { IdleConnection(port: port).answer(to: text) }
    }

    @Test func `S10 the redirect names 127.0.0.1 and a port that the system chose`() throws {
        let listeners = try (0..<20).map { _ in try LoopbackListener(port: nil) }
        for listener in listeners {
            #expect(listener.redirectURI.wholeMatch(of: #/http:\/\/127\.0\.0\.1:\d{4,5}\/callback/#) != nil)
        }
        #expect(Set(listeners.map(\.redirectURI)).count == 20)
    }

    @Test func `S10 the listener only listens on the loopback address`() throws {
        let listener = try LoopbackListener(port: nil)
        let port = try HTTPURL(listener.redirectURI).port
        // /proc/net/tcp: address and port in hexadecimal, state 0A is listening.
        let wanted = String(port, radix: 16, uppercase: true)
        let table = try #require(FileHandle(forReadingAtPath: "/proc/net/tcp"))
        let text = String(decoding: try table.readToEnd() ?? Data(), as: UTF8.self)
        let rows = text.split(separator: "\n").dropFirst().map { $0.split(separator: " ") }
        let addresses = rows.filter { $0[3] == "0A" && $0[1].hasSuffix(":\(wanted)") }.map { String($0[1].prefix(8)) }
        #expect(addresses == ["0100007F"])
    }

    @Test func `a port is free again after its sign-in`() async throws {
        var first: LoopbackListener? = try LoopbackListener(port: nil)
        let address = try #require(first?.redirectURI)
        async let query = first?.query(within: 60)
        #expect(try await get(address + "?code=c").status == 200)
        #expect(await query == "code=c")
        first = nil
        #expect(try LoopbackListener(port: HTTPURL(address).port).redirectURI == address)
    }

    @Test func `a port in use is an error`() throws {
        let first = try LoopbackListener(port: nil)
        let port = try HTTPURL(first.redirectURI).port
        #expect(throws: OpenIDConnectError.portTaken(port: port)) { _ = try LoopbackListener(port: port) }
    }

    @Test func `S11 one redirect is accepted, and then nobody listens`() async throws {
        let listener = try LoopbackListener(port: nil)
        async let query = listener.query(within: 60)
        let answer = try await get(listener.redirectURI + "?code=c1&state=s1")
        #expect(answer.status == 200)
        #expect(await query == "code=c1&state=s1")
        let origin = try HTTPURL(listener.redirectURI).origin
        await #expect(throws: HTTPError.noConnection(origin: origin)) {
            try await get(listener.redirectURI + "?code=c2&state=s2")
        }
    }

    @Test func `S11 a request that is not the redirect is refused, and the wait continues`() async throws {
        let listener = try LoopbackListener(port: nil)
        let origin = try HTTPURL(listener.redirectURI).origin
        let port = try HTTPURL(listener.redirectURI).port
        async let query = listener.query(within: 60)
        #expect(try await get(origin + "/favicon.ico").status == 404)
        #expect(try await get(origin + "/?code=c&state=s").status == 404)
        #expect(try await get(origin + "/callback/?code=c").status == 404)
        #expect(try await get(origin + "/callback").status == 400)
        #expect(try await get(origin + "/callback?code=c", method: .post).status == 405)
        #expect(try await get(origin + "/callback?code=c", host: "evil.example.org").status == 400)
        #expect(try await get(origin + "/callback?code=c", host: "localhost:\(port)").status == 400)
        #expect(try await get(origin + "/callback?code=c", host: "127.0.0.1").status == 400)
        #expect(try await get(origin + "/callback?x=\(String(repeating: "x", count: 20_000))").status == 431)
        #expect(try await get(origin + "/callback?code=right").status == 200)
        #expect(await query == "code=right")
    }

    @Test func `S11 a request with two Host headers is refused`() async throws {
        let listener = try LoopbackListener(port: nil)
        let url = try HTTPURL(listener.redirectURI)
        async let query = listener.query(within: 60)
        let hosts = ["127.0.0.1:\(url.port)", "evil.example.org"]
        for pair in [hosts, hosts.reversed()] {
            let lines = pair.map { "Host: \($0)\r\n" }.joined()
            let answer = await answer(to: "GET /callback?code=wrong HTTP/1.1\r\n\(lines)\r\n", port: url.port)
            #expect(answer.hasPrefix("HTTP/1.1 400 "))
        }
        #expect(try await get(listener.redirectURI + "?code=right").status == 200)
        #expect(await query == "code=right")
    }

    @Test(arguments: ["GET /callback?code=c SPAM/1.1", "GET /callback?code=c HTTP/2", "GET /callback?code=c", "x"])
    func `S11 a request that is not HTTP 1 is refused`(_ line: String) async throws {
        let listener = try LoopbackListener(port: nil)
        let url = try HTTPURL(listener.redirectURI)
        async let query = listener.query(within: 60)
        let answer = await answer(to: "\(line)\r\nHost: 127.0.0.1:\(url.port)\r\n\r\n", port: url.port)
        #expect(answer.hasPrefix("HTTP/1.1 400 "))
        #expect(try await get(listener.redirectURI + "?code=right").status == 200)
        #expect(await query == "code=right")
    }

    @Test func `S11 silent connections do not block the redirect`() async throws {
        let listener = try LoopbackListener(port: nil)
        let port = try HTTPURL(listener.redirectURI).port
        async let query = listener.query(within: 60)
        let idle = (0..<40).map { _ in IdleConnection(port: port) }
        #expect(try await get(listener.redirectURI + "?code=c").status == 200)
        #expect(await query == "code=c")
        #expect(idle.count == 40)
    }

    @Test func `S11 of more than sixteen connections the oldest is closed, and the redirect may come in parts`()
        async throws
    {
        let listener = try LoopbackListener(port: nil)
        let port = try HTTPURL(listener.redirectURI).port
        async let query = listener.query(within: 60)
        let idle = (0..<16).map { _ in IdleConnection(port: port) }
        let redirect = IdleConnection(port: port)
        redirect.send("GET /callback?code=c HTTP/1.1\r\n")
        let last = IdleConnection(port: port)
        let answers = await OwnThread.run { [idle[0].answer(to: ""), idle[1].answer(to: "")] }
        #expect(answers == ["", ""])
        let answer = await OwnThread.run { redirect.answer(to: "Host: 127.0.0.1:\(port)\r\n\r\n") }
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        #expect(await query == "code=c")
        withExtendedLifetime(last) {}
    }

    @Test func `S11 the wait ends when its time is up or its task is cancelled`() async throws {
        let listener = try LoopbackListener(port: nil)
        #expect(await listener.query(within: 0) == nil)
        #expect(SignIn.browserSeconds == 180)
        let other = try LoopbackListener(port: nil)
        let task = Task { await other.query(within: 3600) }
        task.cancel()
        #expect(await task.value == nil)
    }

    @Test func `S12 the page shows nothing of the sign-in and may load nothing`() async throws {
        let listener = try LoopbackListener(port: nil)
        async let query = listener.query(within: 60)
        let answer = try await get(listener.redirectURI + "?code=CANARY&state=CANARY")
        _ = await query
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("CANARY"))
        #expect(
            answer.header("Content-Security-Policy")
                == "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
        )
        #expect(answer.header("Cache-Control") == "no-store")
        #expect(answer.header("Referrer-Policy") == "no-referrer")
        #expect(answer.header("X-Content-Type-Options") == "nosniff")
        #expect(answer.header("Content-Type") == "text/html; charset=utf-8")
    }

    @Test func `S12 the server's text is escaped`() async throws {
        let listener = try LoopbackListener(port: nil)
        async let query = listener.query(within: 60)
        let answer = try await get(listener.redirectURI + "?error=%3Cscript%3E%22%26'%0d%0a&state=s")
        _ = await query
        let body = String(decoding: answer.body, as: UTF8.self)
        #expect(body.contains("The server said: &lt;script&gt;&quot;&amp;???. Go back to the terminal."))
        #expect(!body.contains("<script>"))
    }
}

/// A connection that is opened and not used; closed with its owner.
private final class IdleConnection: Sendable {
    let descriptor: Int32

    init(port: UInt16) {
        // The listener's queue may be full; this does not wait for a place in it.
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let descriptor = descriptor
        unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = unsafe connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
        _ = fcntl(descriptor, F_SETFL, 0)
        let bytes = Array(text.utf8)
        _ = unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// What the other side answers to `text` before it closes the connection.
    func answer(to text: String) -> String {
        send(text)
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
            answer += buffer[..<count]
        }
    }
}
