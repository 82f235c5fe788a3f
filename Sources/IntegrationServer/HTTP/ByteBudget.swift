import Synchronization

/// Bytes that all bodies together may hold.
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
