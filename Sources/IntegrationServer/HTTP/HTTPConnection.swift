import FlyingSocks
import FoundationEssentials

/// One client's connection: owns the socket, reads requests from it and writes answers, within limits.
struct HTTPConnection: ~Copyable {
    private let socket: Socket
    private let pool: SocketPool<ePoll>
    private let deadlines: ConnectionDeadlines
    private let limits: HTTPLimits
    private let bodies: ByteBudget
    private var buffer: [UInt8] = []
    /// Whether the last request asks for an answer without a body.
    private(set) var isHead = false
    /// What of the budget this connection's body holds.
    private var reserved = 0

    init(
        socket: consuming Socket,
        pool: SocketPool<ePoll>,
        deadlines: ConnectionDeadlines,
        limits: HTTPLimits,
        bodies: ByteBudget
    ) {
        self.socket = socket
        self.pool = pool
        self.deadlines = deadlines
        self.limits = limits
        self.bodies = bodies
        // Who connects wants something.
        deadlines.set(socket.file.rawValue, seconds: limits.headSeconds)
    }

    deinit {
        bodies.give(back: reserved)
        deadlines.remove(closing: socket.file.rawValue)
    }

    /// The next request, whole; `nil` when the client went away or stayed silent between requests.
    mutating func nextRequest() async throws(HTTPFault) -> HTTPRequest? {
        bodies.give(back: reserved)
        reserved = 0
        isHead = false
        guard let head = try await head() else { return nil }
        isHead = head.method == "HEAD"
        guard let target = RequestTarget(head.target) else {
            throw HTTPFault(status: 400, what: "the path is none of this server's (expected plain segments)")
        }
        if case .length(let count) = head.framing, count > limits.bodyByteCount { throw tooLarge }
        if head.framing != .length(0), head.expectsContinue, buffer.isEmpty { try await sendContinue() }
        deadlines.set(socket.file.rawValue, seconds: limits.bodySeconds)
        let body: [UInt8]
        switch head.framing {
        case .length(let count): body = try await bytes(count)
        case .chunked: body = try await chunks()
        }
        deadlines.set(socket.file.rawValue, seconds: limits.answerSeconds)
        return HTTPRequest(
            method: head.method,
            target: target,
            headers: head.headers,
            body: body,
            keepsConnection: head.keepsConnection
        )
    }

    /// Sends bytes; `false` when the client went away.
    mutating func send(_ bytes: [UInt8]) async -> Bool {
        deadlines.set(socket.file.rawValue, seconds: limits.writeSeconds + Double(bytes.count >> 16))
        let data = Data(bytes)
        var sent = data.startIndex
        do {
            while sent < data.endIndex {
                do {
                    sent = try socket.write(data, from: sent)
                } catch SocketError.blocked {
                    try await pool.suspendSocket(socket, untilReadyFor: [.write])
                }
            }
            deadlines.set(socket.file.rawValue, seconds: limits.idleSeconds)
            return true
        } catch {
            return false
        }
    }

    /// Throws away what the client still sends, for a few seconds: closing at once would destroy an answer on its way.
    mutating func drain() async {
        deadlines.set(socket.file.rawValue, seconds: 5)
        buffer = []
        while await fill() { buffer = [] }
    }

    // MARK: Reading

    private mutating func head() async throws(HTTPFault) -> HTTPHead? {
        var searched = 0
        var isWaiting = buffer.isEmpty
        if !isWaiting { deadlines.set(socket.file.rawValue, seconds: limits.headSeconds) }
        while true {
            // Empty lines before a request are skipped (RFC 9112, section 2.2).
            buffer.removeFirst(Self.emptyLinesByteCount(buffer))
            if let end = Self.endOfHead(buffer, from: max(0, searched - 3)) {
                let head = try HTTPHead(buffer[..<end])
                buffer.removeFirst(end + 4)
                return head
            }
            searched = buffer.count
            guard buffer.count <= limits.headByteCount else {
                throw HTTPFault(status: 431, what: "the headers are longer than \(limits.headByteCount) bytes")
            }
            guard await fill() else {
                guard deadlines.isExpired(socket.file.rawValue), !buffer.isEmpty else { return nil }
                throw HTTPFault(status: 408, what: "the headers took too long")
            }
            if isWaiting {
                deadlines.set(socket.file.rawValue, seconds: limits.headSeconds)
                isWaiting = false
            }
        }
    }

    /// Counted first, so that many are moved over once.
    private static func emptyLinesByteCount(_ bytes: [UInt8]) -> Int {
        var count = 0
        while count + 1 < bytes.count, bytes[count] == 0x0D, bytes[count + 1] == 0x0A { count += 2 }
        return count
    }

    private static func endOfHead(_ bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        while index + 3 < bytes.count {
            if bytes[index] == 0x0D, bytes[index + 1] == 0x0A, bytes[index + 2] == 0x0D, bytes[index + 3] == 0x0A {
                return index
            }
            index += 1
        }
        return nil
    }

    /// Counts bytes of the body that came: what is only announced takes no memory, and gives no time.
    private mutating func admit(_ count: Int) throws(HTTPFault) {
        guard bodies.take(count) else {
            throw HTTPFault(status: 503, what: "too many bodies at once (expected less load): try again")
        }
        let seconds = (reserved + count) >> 16 - reserved >> 16
        reserved += count
        if seconds > 0 { deadlines.extend(socket.file.rawValue, seconds: Double(seconds)) }
    }

    private var tooLarge: HTTPFault {
        HTTPFault(status: 413, what: "the body is longer than \(limits.bodyByteCount) bytes (expected less): split it")
    }

    /// The next `count` bytes.
    private mutating func bytes(_ count: Int) async throws(HTTPFault) -> [UInt8] {
        try admit(min(buffer.count, count))
        while buffer.count < count {
            let former = buffer.count
            guard await fill() else { throw incomplete }
            try admit(min(buffer.count, count) - former)
        }
        if buffer.count == count {
            defer { buffer = [] }
            return buffer
        }
        let bytes = Array(buffer[..<count])
        buffer.removeFirst(count)
        return bytes
    }

    private var incomplete: HTTPFault {
        deadlines.isExpired(socket.file.rawValue)
            ? HTTPFault(status: 408, what: "the body took too long")
            : HTTPFault(status: 400, what: "the body ended early")
    }

    /// A chunked body (RFC 9112, section 7.1); trailers are thrown away.
    private mutating func chunks() async throws(HTTPFault) -> [UInt8] {
        var body: [UInt8] = []
        while true {
            guard let count = Self.chunkSize(try await line()) else {
                throw HTTPFault(status: 400, what: "a chunk's size is no hexadecimal number")
            }
            if count == 0 { break }
            guard body.count + count <= limits.bodyByteCount else { throw tooLarge }
            body += try await bytes(count)
            guard try await line().isEmpty else { throw HTTPFault(status: 400, what: "a chunk is longer than it said") }
        }
        for _ in 0..<100 where try await line().isEmpty { return body }
        throw HTTPFault(status: 431, what: "more than 100 trailers")
    }

    /// Hexadecimal digits, and at most an extension behind them (RFC 9112, section 7.1.1).
    private static func chunkSize(_ line: [UInt8]) -> Int? {
        let digits = line.prefix { hexDigitValue($0) != nil }
        let rest = line.dropFirst(digits.count)
        guard (1...8).contains(digits.count),
            rest.isEmpty || rest.first(where: { $0 != 0x20 && $0 != 0x09 }) == UInt8(ascii: ";")
        else { return nil }
        return digits.reduce(0) { $0 << 4 | Int(hexDigitValue($1) ?? 0) }
    }

    private mutating func line() async throws(HTTPFault) -> [UInt8] {
        while true {
            if let end = buffer.firstIndex(of: 0x0A) {
                guard end > 0, buffer[end - 1] == 0x0D else { throw HTTPFault(status: 400, what: "a line has no CR") }
                let line = Array(buffer[..<(end - 1)])
                guard !line.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else {
                    throw HTTPFault(status: 400, what: "a chunk's line has a control character")
                }
                buffer.removeFirst(end + 1)
                return line
            }
            guard buffer.count < 8_192 else { throw HTTPFault(status: 400, what: "a chunk's line is too long") }
            guard await fill() else { throw incomplete }
        }
    }

    /// Waits for bytes; `false` at the end, and when the deadline passes.
    private mutating func fill() async -> Bool {
        do {
            while true {
                do {
                    buffer += try socket.read(atMost: 32 << 10)
                    return true
                } catch SocketError.blocked {
                    try await pool.suspendSocket(socket, untilReadyFor: [.read])
                }
            }
        } catch {
            return false
        }
    }

    private mutating func sendContinue() async throws(HTTPFault) {
        guard await send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) else { throw incomplete }
    }
}
