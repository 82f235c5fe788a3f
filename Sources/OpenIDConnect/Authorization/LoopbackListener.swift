internal import Glibc
internal import Synchronization
internal import Threads

/// Waits on a loopback address for the browser to be sent back, once.
///
/// Listens on 127.0.0.1, or on [::1] where there is no IPv4, never on another address, and names the address, not
/// `localhost`, in the redirect URI. One request that is a redirect ends the wait; others (an icon, another host's
/// name, a slow one) are refused and do not end it.
///
/// Source: RFC 8252, sections 7.3 and 8.3.
final class LoopbackListener: Sendable {
    static let path = "/callback"

    /// Where the browser is to be sent, such as `http://127.0.0.1:41231/callback`.
    let redirectURI: String
    private let host: String
    private let listener: Int32
    private let isStopped = Atomic(false)

    /// Opens the port that the system picks, or `port`.
    ///
    /// - Throws: ``OpenIDConnectError/portTaken(port:)``.
    init(port: UInt16?) throws(OpenIDConnectError) {
        guard let socket = LoopbackSocket.open(port: port ?? 0) else { throw .portTaken(port: port ?? 0) }
        listener = socket.descriptor
        host = "\(socket.address):\(socket.port)"
        redirectURI = "http://\(host)\(Self.path)"
    }

    deinit { close(listener) }

    /// The query of the one redirect that comes within `seconds`; `nil` if none does or the task is cancelled.
    func query(within seconds: Int) async -> String? {
        await withTaskCancellationHandler {
            await OwnThread.run { [self] in wait(until: ClockReading.now().bootSeconds + seconds) }
        } onCancel: {
            stop()
        }
    }

    /// Ends the wait at once.
    func stop() {
        isStopped.store(true, ordering: .releasing)
        shutdown(listener, Int32(SHUT_RDWR))
    }

    /// Serves connections until one brings the redirect; runs on a thread of its own.
    private func wait(until end: Int) -> String? {
        var connections: [CallbackConnection] = []
        defer { shutdown(listener, Int32(SHUT_RDWR)) }
        while !isStopped.load(ordering: .acquiring), ClockReading.now().bootSeconds < end {
            var polled = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
            polled += connections.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            guard unsafe poll(&polled, nfds_t(polled.count), 1000) > 0 else { continue }
            for index in connections.indices.reversed() where polled[index + 1].revents != 0 {
                switch connections[index].receive(host: host) {
                case .more: continue
                case .refused: break
                case .redirect(let query): return query
                }
                connections.remove(at: index)
            }
            if polled[0].revents != 0 {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else {
                    // Without a spare descriptor the connection stays in the queue: trying again at once keeps a core
                    // busy.
                    usleep(50_000)
                    continue
                }
                // A page that opens connections and sends nothing must not keep the redirect out.
                if connections.count == 16 { connections.removeFirst() }
                connections.append(CallbackConnection(descriptor))
            }
        }
        return nil
    }
}

/// A listening socket on a loopback address.
private struct LoopbackSocket {
    let descriptor: Int32
    let address: String
    let port: UInt16

    static func open(port: UInt16) -> LoopbackSocket? {
        if let socket = openIPv4(port: port) { return socket }
        // A port that is taken is no reason to use another address than the one that the registration names.
        return errno == EADDRINUSE || errno == EACCES ? nil : openIPv6(port: port)
    }

    private static func openIPv4(port: UInt16) -> LoopbackSocket? {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        guard let descriptor = listening(AF_INET, &address) else { return nil }
        return LoopbackSocket(descriptor: descriptor, address: "127.0.0.1", port: UInt16(bigEndian: address.sin_port))
    }

    private static func openIPv6(port: UInt16) -> LoopbackSocket? {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        address.sin6_addr = in6addr_loopback
        guard let descriptor = listening(AF_INET6, &address) else { return nil }
        return LoopbackSocket(descriptor: descriptor, address: "[::1]", port: UInt16(bigEndian: address.sin6_port))
    }

    /// Listens on `address` and writes the port that the system picked into it.
    private static func listening<Address>(_ family: Int32, _ address: inout Address) -> Int32? {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { return nil }
        // Otherwise the last sign-in's connection keeps a fixed port for a minute; a program that listens there keeps
        // it anyway.
        var isReused: Int32 = 1
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
        var size = socklen_t(MemoryLayout<Address>.size)
        let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, size) == 0 && listen(descriptor, 128) == 0
                    && getsockname(descriptor, address, &size) == 0
            }
        }
        guard isListening else {
            let fault = errno
            close(descriptor)
            errno = fault
            return nil
        }
        return descriptor
    }
}
