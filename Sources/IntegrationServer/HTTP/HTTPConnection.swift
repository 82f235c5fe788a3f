import FlyingSocks
import FoundationEssentials
import Glibc

/// One client's connection: owns the socket, reads requests from it and writes answers, within limits.
struct HTTPConnection: ~Copyable {
    private let socket: Socket
    private let pool: SocketPool<ePoll>
    private let deadlines: ConnectionDeadlines
    private let limits: HTTPLimits
    private var received = ReceivedBytes()
    /// Whether the last request asks for an answer without a body.
    private(set) var isHead = false
    /// How the body of the last head ends.
    private var framing = HTTPHead.Framing.length(0)
    private var expectsContinue = false
    /// How much of the body has arrived.
    private var bodyByteCount = 0
    /// How much of which budget this connection's body holds.
    private var reserved: (count: Int, budget: ByteBudget)?

    init(
        socket: consuming Socket,
        pool: SocketPool<ePoll>,
        deadlines: ConnectionDeadlines,
        limits: HTTPLimits
    ) {
        self.socket = socket
        self.pool = pool
        self.deadlines = deadlines
        self.limits = limits
        // A client that connects wants something.
        deadlines.set(socket.file.rawValue, seconds: limits.headSeconds)
    }

    deinit {
        if let reserved { reserved.budget.give(back: reserved.count) }
        deadlines.remove(closing: socket.file.rawValue)
    }

    /// The next request without its body; `nil` when the client went away or stayed silent between requests.
    mutating func nextHead() async throws(HTTPFault) -> HTTPRequest? {
        if let reserved { reserved.budget.give(back: reserved.count) }
        reserved = nil
        isHead = false
        guard let head = try await head() else { return nil }
        isHead = head.method == "HEAD"
        guard let target = RequestTarget(head.target) else {
            throw HTTPFault(status: 400, what: "the path is none of this server's (expected plain segments)")
        }
        framing = head.framing
        expectsContinue = head.expectsContinue
        if case .length(let count) = framing, count > limits.bodyByteCount { throw tooLarge(limits.bodyByteCount) }
        return HTTPRequest(
            method: head.method,
            target: target,
            headers: head.headers,
            keepsConnection: head.keepsConnection
        )
    }

    /// Whether the body may be longer than what is read from anybody.
    var announcesLongBody: Bool {
        switch framing {
        case .length(let count): count > limits.smallBodyByteCount
        case .chunked: true
        }
    }

    /// Reads the body of the last head: at most `limit` bytes, of which those of a long one count against `budget`.
    mutating func body(atMost limit: Int, from budget: ByteBudget) async throws(HTTPFault) -> [UInt8] {
        if case .length(let count) = framing, count > limit { throw tooLarge(limit) }
        if framing != .length(0), expectsContinue, received.isEmpty { try await sendContinue() }
        deadlines.set(socket.file.rawValue, seconds: limits.bodySeconds)
        bodyByteCount = 0
        reserved = (0, budget)
        let body: [UInt8]
        switch framing {
        case .length(let count): body = Array(try await bytes(count))
        case .chunked: body = try await chunks(atMost: limit)
        }
        deadlines.set(socket.file.rawValue, seconds: limits.answerSeconds)
        return body
    }

    /// Sends bytes, piece by piece; `false` when the client went away.
    mutating func send(_ pieces: [[UInt8]]) async -> Bool {
        let count = pieces.reduce(0) { $0 + $1.count }
        deadlines.set(socket.file.rawValue, seconds: limits.writeSeconds + Double(count >> 16))
        do {
            for piece in pieces {
                // In steps: a copy of a long piece would be held for as long as the client takes.
                for start in stride(from: 0, to: piece.count, by: Self.stepByteCount) {
                    try await write(Data(piece[start..<min(start + Self.stepByteCount, piece.count)]))
                }
            }
            deadlines.set(socket.file.rawValue, seconds: limits.idleSeconds)
            return true
        } catch {
            return false
        }
    }

    private static let stepByteCount = 256 << 10

    private func write(_ data: Data) async throws {
        var sent = data.startIndex
        while sent < data.endIndex {
            do {
                sent = try socket.write(data, from: sent)
            } catch SocketError.blocked {
                try await pool.suspendSocket(socket, untilReadyFor: [.write])
            }
        }
    }

    /// Ends the answer's side at once, so that the client need not wait for the end, and discards what it still sends,
    /// for a few seconds: closing with that unread would destroy an answer on its way (RFC 9112, section 9.6).
    mutating func drain() async {
        shutdown(socket.file.rawValue, Int32(SHUT_WR))
        deadlines.set(socket.file.rawValue, seconds: 5)
        received.removeAll()
        while await fill() { received.removeAll() }
        // Takes what is already there when the server stops, and waits for nothing more.
        if Task.isCancelled { _ = try? socket.read(atMost: 1 << 20) }
    }

    // MARK: Reading

    private mutating func head() async throws(HTTPFault) -> HTTPHead? {
        var searched = 0
        var isWaiting = received.isEmpty
        if !isWaiting { deadlines.set(socket.file.rawValue, seconds: limits.headSeconds) }
        while true {
            // Empty lines before a request are skipped (RFC 9112, section 2.2).
            received.skip(received.emptyLinesByteCount)
            let end = received.distanceToEmptyLine(from: max(0, searched - 3))
            // Checked even if the end has come: a head that is too long may arrive in one piece.
            guard end ?? received.count <= limits.headByteCount else {
                throw HTTPFault(status: 431, what: "the headers are longer than \(limits.headByteCount) bytes")
            }
            if let end {
                let head = try HTTPHead(received.take(end))
                received.skip(4)
                return head
            }
            searched = received.count
            guard await fill() else {
                guard deadlines.isExpired(socket.file.rawValue), !received.isEmpty else { return nil }
                throw HTTPFault(status: 408, what: "the headers took too long")
            }
            if isWaiting {
                deadlines.set(socket.file.rawValue, seconds: limits.headSeconds)
                isWaiting = false
            }
        }
    }

    /// Counts bytes of the body that arrived: what is only announced takes no memory and gains no time.
    private mutating func admit(_ count: Int) throws(HTTPFault) {
        let seconds = (bodyByteCount + count) >> 16 - bodyByteCount >> 16
        bodyByteCount += count
        // A short body is read whatever others hold.
        if bodyByteCount > limits.smallBodyByteCount, let (held, budget) = reserved {
            guard budget.take(bodyByteCount - held) else {
                throw HTTPFault(status: 503, what: "too many bodies at once (expected less load): try again")
            }
            reserved = (bodyByteCount, budget)
        }
        if seconds > 0 { deadlines.extend(socket.file.rawValue, seconds: Double(seconds)) }
    }

    private func tooLarge(_ limit: Int) -> HTTPFault {
        HTTPFault(status: 413, what: "the body is longer than \(limit) bytes (expected less): split it")
    }

    /// The next `count` bytes.
    private mutating func bytes(_ count: Int) async throws(HTTPFault) -> ArraySlice<UInt8> {
        try admit(min(received.count, count))
        while received.count < count {
            let former = received.count
            guard await fill() else { throw incomplete }
            try admit(min(received.count, count) - former)
        }
        return received.take(count)
    }

    private var incomplete: HTTPFault {
        if deadlines.isExpired(socket.file.rawValue) { return HTTPFault(status: 408, what: "the body took too long") }
        // Nothing was wrong with it: after a 400 the client would not send it again.
        if Task.isCancelled { return HTTPFault(status: 503, what: "the server stops: try again") }
        return HTTPFault(status: 400, what: "the body ended early")
    }

    /// A chunked body (RFC 9112, section 7.1); trailers are discarded.
    ///
    /// What frames the chunks counts too: a chunk of one byte is as much work as five bytes more.
    private mutating func chunks(atMost limit: Int) async throws(HTTPFault) -> [UInt8] {
        var body: [UInt8] = []
        var framingByteCount = 0
        while true {
            let size = try await line()
            guard let count = Self.chunkSize(size) else {
                throw HTTPFault(status: 400, what: "a chunk's size is not a hexadecimal number")
            }
            if count == 0 { break }
            framingByteCount += size.count + 4
            guard body.count + framingByteCount + count <= limit else { throw tooLarge(limit) }
            body += try await bytes(count)
            guard try await line().isEmpty else { throw HTTPFault(status: 400, what: "a chunk is longer than it said") }
        }
        for _ in 0..<100 where try await line().isEmpty { return body }
        throw HTTPFault(status: 431, what: "more than 100 trailers")
    }

    /// Hexadecimal digits, and at most an extension after them (RFC 9112, section 7.1.1).
    private static func chunkSize(_ line: ArraySlice<UInt8>) -> Int? {
        let digits = line.prefix { hexDigitValue($0) != nil }
        let rest = line.dropFirst(digits.count)
        guard (1...8).contains(digits.count),
            rest.isEmpty || rest.first(where: { $0 != 0x20 && $0 != 0x09 }) == UInt8(ascii: ";")
        else { return nil }
        return digits.reduce(0) { $0 << 4 | Int(hexDigitValue($1) ?? 0) }
    }

    private mutating func line() async throws(HTTPFault) -> ArraySlice<UInt8> {
        while true {
            if let end = received.distance(to: 0x0A) {
                guard end > 0, received[end - 1] == 0x0D else {
                    throw HTTPFault(status: 400, what: "a line has no CR")
                }
                let line = received.take(end - 1)
                guard !line.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else {
                    throw HTTPFault(status: 400, what: "a chunk's line has a control character")
                }
                received.skip(2)
                return line
            }
            guard received.count < 8_192 else { throw HTTPFault(status: 400, what: "a chunk's line is too long") }
            guard await fill() else { throw incomplete }
        }
    }

    /// Waits for bytes; `false` at the end, when the deadline passes and when the server stops.
    private mutating func fill() async -> Bool {
        // A client that sends without a pause is never waited for: others share the thread, and its time still passes.
        await Task.yield()
        guard !Task.isCancelled, !deadlines.isExpired(socket.file.rawValue) else { return false }
        do {
            while true {
                do {
                    received.append(try socket.read(atMost: 32 << 10))
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
        guard await send([Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)]) else { throw incomplete }
    }
}
