import Foundation
import Glibc
import Synchronization

/// A server on 127.0.0.1 that answers HTTP/1.1 as a closure decides, including faults.
///
/// For behaviour that no real server can be made to show. It stops when its owner releases it.
public final class ScriptedServer: Sendable {
    /// What arrived.
    public struct Request: Sendable, Equatable {
        /// The method, such as `POST`.
        public var method: String
        /// Path and query as they were sent.
        public var target: String
        /// Names in lower case, values as they were sent.
        public var headers: [String: String]
        /// The whole body.
        public var body: [UInt8]

        /// The path alone.
        public var path: String { String(target.prefix { $0 != "?" }) }
        /// The body as text.
        public var text: String { String(decoding: body, as: UTF8.self) }
        /// The body read as a form.
        public var form: [String: String] { ScriptedServer.formFields(text) }
        /// The query read as a form.
        public var query: [String: String] { ScriptedServer.formFields(String(target.dropFirst(path.count + 1))) }
    }

    /// How the server replies.
    public enum Reply: Sendable {
        /// An answer with its length.
        case response(Int, headers: [String: String] = [:], body: String = "")
        /// An answer whose body is not text.
        case bytes(Int, headers: [String: String] = [:], body: [UInt8])
        /// These bytes, and then the connection is closed.
        case raw(String)
        /// The connection is closed without sending a byte.
        case hangUp
        /// Nothing, until the client closes the connection.
        case silence
    }

    /// The port that the system chose.
    public let port: UInt16
    private let listener: Int32
    private let connections = Connections()
    private let state = Mutex(State())

    private struct State {
        var requests: [Request] = []
        var connectionCount = 0
        var isListening = true
    }

    /// The open connections.
    ///
    /// A connection stays in the set while its thread serves it: a number that was closed may already belong to another
    /// socket.
    private final class Connections: Sendable {
        private let open = Mutex<Set<Int32>?>([])

        /// - Returns: whether the server is still there.
        func add(_ connection: Int32) -> Bool {
            open.withLock { open in
                open?.insert(connection)
                return open != nil
            }
        }

        func end(_ connection: Int32) {
            open.withLock { open in
                open?.remove(connection)
                close(connection)
            }
        }

        func shutDownAll() {
            open.withLock { open in
                for connection in open ?? [] { shutdown(connection, Int32(SHUT_RDWR)) }
                open = nil
            }
        }
    }

    /// Starts to listen.
    ///
    /// - Throws: ``TestFileError`` when the system refuses.
    public init(_ answer: @escaping @Sendable (Request) -> Reply) throws(TestFileError) {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, size) == 0 && listen(descriptor, 64) == 0
                    && getsockname(descriptor, address, &size) == 0
            }
        }
        guard isBound else { throw TestFileError(path: "127.0.0.1", systemError: errno) }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [weak self, connections] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else {
                    // Closed here, so that no other socket gets the number while this thread waits on it.
                    close(descriptor)
                    return
                }
                guard let self, self.open(connection) else {
                    close(connection)
                    continue
                }
                Thread.detachNewThread { [weak self] in
                    Self.serve(connection) { request in
                        self?.state.withLock { $0.requests.append(request) }
                        return answer(request)
                    }
                    connections.end(connection)
                }
            }
        }
    }

    deinit {
        connections.shutDownAll()
        stopListening()
    }

    /// Accepts no more connections; open ones continue.
    public func stopListening() {
        state.withLock { state in
            // Only once: the waiting thread then closes it, and the number may become another's.
            if state.isListening { shutdown(listener, Int32(SHUT_RDWR)) }
            state.isListening = false
        }
    }

    /// Its base, `http://127.0.0.1:PORT`.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// All requests so far, in order of arrival.
    public var requests: [Request] { state.withLock { $0.requests } }

    /// How many connections were accepted.
    public var connectionCount: Int { state.withLock { $0.connectionCount } }

    private func open(_ connection: Int32) -> Bool {
        state.withLock { $0.connectionCount += 1 }
        return connections.add(connection)
    }

    /// Answers the requests of one connection.
    private static func serve(_ connection: Int32, _ answer: (Request) -> Reply) {
        var input = ConnectionInput(connection)
        while let request = input.next() {
            switch answer(request) {
            case .response(let status, let headers, let body):
                send(status, headers, Array(body.utf8), to: connection)
            case .bytes(let status, let headers, let body): send(status, headers, body, to: connection)
            case .raw(let text):
                send(Array(text.utf8), to: connection)
                shutdown(connection, Int32(SHUT_WR))
                return
            case .hangUp: return
            case .silence:
                while input.fill() {}
                return
            }
        }
    }

    private static func send(_ status: Int, _ headers: [String: String], _ body: [UInt8], to connection: Int32) {
        var head = "HTTP/1.1 \(status) Scripted\r\nContent-Length: \(body.count)\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        send(Array((head + "\r\n").utf8) + body, to: connection)
    }

    private static func send(_ bytes: [UInt8], to connection: Int32) {
        var sent = 0
        while sent < bytes.count {
            let step = unsafe bytes.withUnsafeBytes { bytes in
                unsafe Glibc.send(
                    connection,
                    bytes.baseAddress.map { unsafe $0 + sent },
                    bytes.count - sent,
                    Int32(MSG_NOSIGNAL)
                )
            }
            guard step > 0 else { return }
            sent += step
        }
    }

    fileprivate static func formFields(_ text: String) -> [String: String] {
        var fields: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            func decoded(_ part: Substring) -> String {
                part.replacing("+", with: " ").removingPercentEncoding ?? String(part)
            }
            fields[decoded(parts[0])] = parts.count > 1 ? decoded(parts[1]) : ""
        }
        return fields
    }
}

/// The bytes of a connection, cut into requests.
private struct ConnectionInput {
    private let connection: Int32
    private var bytes: [UInt8] = []

    init(_ connection: Int32) { self.connection = connection }

    /// Reads some more; `false` at the end.
    mutating func fill() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(connection, $0.baseAddress, $0.count, 0) }
        guard count > 0 else { return false }
        bytes += buffer[..<count]
        return true
    }

    mutating func next() -> ScriptedServer.Request? {
        var end: Range<Int>?
        while end == nil {
            end = bytes.firstRange(of: Array("\r\n\r\n".utf8))
            if end == nil, !fill() { return nil }
        }
        guard let end else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let first = lines[0].split(separator: " ")
        guard first.count == 3 else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...]
            headers[line[..<colon].lowercased()] = value.trimmingCharacters(in: .whitespaces)
        }
        bytes.removeFirst(end.upperBound)
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        while bytes.count < length { guard fill() else { return nil } }
        defer { bytes.removeFirst(length) }
        return .init(
            method: String(first[0]),
            target: String(first[1]),
            headers: headers,
            body: Array(bytes[..<length])
        )
    }
}
