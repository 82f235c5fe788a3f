internal import Glibc

/// One connection to the redirect's port, and the one request that it may make.
///
/// Owns the descriptor; the answer is written before it is closed.
final class CallbackConnection {
    /// What has become of a connection.
    enum Step: Equatable {
        /// The header is not complete yet.
        case more
        /// It was not a redirect, and was answered so.
        case refused
        /// The redirect, with this query.
        case redirect(query: String)
    }

    private static let maximumHeaderByteCount = 16 << 10

    let descriptor: Int32
    private var header: [UInt8] = []

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        // Neither reading nor writing may keep the listener from other connections.
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    /// Reads what has arrived, and answers once the header is complete.
    func receive(host: String) -> Step {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        guard count > 0 else { return count < 0 && errno == EAGAIN ? .more : .refused }
        header += buffer[..<count]
        guard header.count <= Self.maximumHeaderByteCount else { return refuse(431) }
        guard header.firstRange(of: Array("\r\n\r\n".utf8)) != nil else { return .more }
        return answer(String(decoding: header, as: UTF8.self), host: host)
    }

    private func answer(_ header: String, host: String) -> Step {
        let lines = header.split(separator: "\r\n", omittingEmptySubsequences: false)
        let parts = lines[0].split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[2].hasPrefix("HTTP/1.") else { return refuse(400) }
        // Another name for this address would be a page that pretends to be us (DNS rebinding).
        let hosts = lines.dropFirst().filter { $0.lowercased().hasPrefix("host:") }
        guard hosts.count == 1, let named = hosts.first, named.dropFirst(5).filter({ $0 != " " }) == host else {
            return refuse(400)
        }
        let target = parts[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard target[0] == LoopbackListener.path else { return refuse(404) }
        guard parts[0] == "GET" else { return refuse(405) }
        guard target.count == 2 else { return refuse(400) }
        send(CallbackPage.response(query: String(target[1])))
        return .redirect(query: String(target[1]))
    }

    private func refuse(_ status: Int) -> Step {
        send(CallbackPage.refusal(status))
        return .refused
    }

    /// Writes into the empty buffer of a new connection, which holds far more than a page.
    private func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        shutdown(descriptor, Int32(SHUT_WR))
    }
}
