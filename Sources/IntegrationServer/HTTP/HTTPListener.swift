import FlyingSocks
import Glibc

/// A listening socket, and every connection it accepts.
struct HTTPListener: Sendable {
    /// Decides whose bodies are read, and answers each request, even one that can't be read.
    struct Handler: Sendable {
        let admit: @Sendable (HTTPRequest) async -> BodyAdmission
        let answer: @Sendable (HTTPRequest) async -> HTTPResponse
        let refuse: @Sendable (HTTPFault) -> HTTPResponse
    }

    /// The port, or the system's choice where 0 was asked for.
    let port: UInt16
    private let socket: Socket
    private let limits: HTTPLimits
    private let connectionCount: Int
    private let deadlines: ConnectionDeadlines
    private let bodies: ByteBudget
    private let strangersBodies: ByteBudget

    init(host: String, port: UInt16, limits: HTTPLimits) throws(IntegrationServerError) {
        do {
            if host.contains(":") {
                socket = try Self.listen(.inet6(ip6: host, port: port))
            } else {
                socket = try Self.listen(.inet(ip4: host, port: port))
            }
            self.port =
                switch try socket.sockname() {
                case .ip4(_, let port), .ip6(_, let port): port
                case .unix: 0
                }
        } catch SocketError.failed("Bind", let number, _), SocketError.failed("Listen", let number, _) {
            throw .cannotListen(host: host, port: port, systemError: number)
        } catch {
            throw .notAnAddress(host)
        }
        self.limits = limits
        deadlines = ConnectionDeadlines(graceSeconds: limits.writeSeconds)
        connectionCount = min(limits.connectionCount, Self.descriptorCount / 2)
        bodies = ByteBudget(limits.allBodiesByteCount)
        strangersBodies = ByteBudget(limits.strangersBodiesByteCount)
    }

    /// Whether `host` is an IPv4 or IPv6 address in digits.
    static func isAddress(_ host: String) -> Bool {
        host.contains(":")
            ? (try? sockaddr_in6.inet6(ip6: host, port: 0)) != nil : (try? sockaddr_in.inet(ip4: host, port: 0)) != nil
    }

    private static func listen(_ address: some SocketAddress) throws -> Socket {
        let socket = try Socket(domain: Int32(address.family), type: .stream)
        try socket.setFlags(.nonBlocking)
        try socket.setValue(true, for: .localAddressReuse)
        do {
            try socket.bind(to: address)
            try socket.listen()
        } catch {
            try? socket.close()
            throw error
        }
        return socket
    }

    /// How many descriptors the process may have open.
    ///
    /// Half of them are left to files and to the runtime, which ends a process that has none.
    private static var descriptorCount: Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
        return Int(clamping: limit.rlim_cur)
    }

    /// Serves until the task is cancelled, then ends every connection.
    func run(_ handler: Handler) async {
        let pool = SocketPool<ePoll>.ePoll(maxEvents: 64)
        let full = HTTPFault(status: 503, what: "too many connections (expected less load): try again")
        do { try await pool.prepare() } catch { return }
        await withDiscardingTaskGroup { group in
            group.addTask { try? await pool.run() }
            group.addTask {
                while !Task.isCancelled {
                    try? await Task.sleep(for: .milliseconds(100))
                    deadlines.expire()
                }
            }
            while !Task.isCancelled {
                do {
                    let accepted = try socket.accept().file
                    guard deadlines.count < connectionCount else {
                        let answer = handler.refuse(full).encoded(forHead: false, keepsConnection: false)
                        Self.turnAway(accepted.rawValue, with: answer.flatMap(\.self))
                        await Task.yield()
                        continue
                    }
                    // Counted here: more connections may be accepted before the task begins.
                    deadlines.set(accepted.rawValue, seconds: limits.idleSeconds)
                    group.addTask { await serve(Socket(file: accepted), pool: pool, handler: handler) }
                } catch SocketError.blocked {
                    try? await pool.suspendSocket(socket, untilReadyFor: [.read])
                } catch {
                    // Out of descriptors, or a client that left before it was accepted.
                    try? await Task.sleep(for: .milliseconds(50))
                }
            }
            // Answers that are ready still go to clients that take them at once; nothing more is read.
            group.cancelAll()
        }
        try? socket.close()
    }

    /// Answers and closes at once: a connection above the limit must not hold a descriptor.
    private static func turnAway(_ descriptor: Int32, with answer: [UInt8]) {
        var unread = [UInt8](repeating: 0, count: 16 << 10)
        _ = unsafe answer.withUnsafeBytes { bytes in
            unsafe send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        }
        // Closing with bytes unread would destroy the answer on its way.
        _ = unsafe unread.withUnsafeMutableBytes { bytes in
            unsafe recv(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT))
        }
        close(descriptor)
    }

    private func serve(_ socket: Socket, pool: SocketPool<ePoll>, handler: Handler) async {
        try? socket.setFlags(.nonBlocking)
        var noDelay: Int32 = 1
        _ = unsafe setsockopt(socket.file.rawValue, Int32(IPPROTO_TCP), TCP_NODELAY, &noDelay, 4)
        var connection = HTTPConnection(
            socket: socket,
            pool: pool,
            deadlines: deadlines,
            limits: limits
        )
        await answer(&connection, handler)
        await pool.settle()
        _ = consume connection
    }

    private func answer(_ connection: inout HTTPConnection, _ handler: Handler) async {
        do throws(HTTPFault) {
            while var request = try await connection.nextHead() {
                var admission = BodyAdmission.small
                // Before it is read: a long body takes memory from others for as long as it is arriving.
                if connection.announcesLongBody { admission = await handler.admit(request) }
                switch admission {
                case .refused(let response):
                    let pieces = response.encoded(forHead: connection.isHead, keepsConnection: false)
                    guard await connection.send(pieces) else { return }
                    return await connection.drain()
                case .small:
                    request.body = try await connection.body(atMost: limits.smallBodyByteCount, from: bodies)
                case .strangers:
                    request.body = try await connection.body(atMost: limits.bodyByteCount, from: strangersBodies)
                case .whole: request.body = try await connection.body(atMost: limits.bodyByteCount, from: bodies)
                }
                let response = await handler.answer(request)
                defer { response.held?.giveBack() }
                guard !response.isWithheld else { return }
                let keeps = request.keepsConnection && !Task.isCancelled
                let pieces = response.encoded(forHead: connection.isHead, keepsConnection: keeps)
                guard await connection.send(pieces), keeps else { return }
            }
        } catch {
            let pieces = handler.refuse(error).encoded(forHead: connection.isHead, keepsConnection: false)
            guard await connection.send(pieces) else { return }
            await connection.drain()
        }
    }
}

extension SocketPool {
    /// Returns once the pool has forgotten what was last waited for.
    ///
    /// It resumes the waiting task first and forgets afterwards. If a socket is closed in between, the pool believes
    /// that it still watches it: the next connection with that number would never be resumed.
    fileprivate func settle() {}
}
