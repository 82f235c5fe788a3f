import Synchronization

/// Bytes that several may hold together: the bodies of all requests, the answers to one.
final class ByteBudget: Sendable {
    private let left: Mutex<Int>

    init(_ count: Int) {
        left = Mutex(count)
    }

    func take(_ count: Int) -> Bool {
        left.withLock { left in
            guard count <= left else { return false }
            left -= count
            return true
        }
    }

    func give(back count: Int) {
        left.withLock { $0 += count }
    }
}
