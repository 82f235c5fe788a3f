import Glibc
import Synchronization

/// When each open connection must have made progress; nothing more is read from one that is late.
final class ConnectionDeadlines: Sendable {
    private struct Entry {
        var instant: ContinuousClock.Instant
        var isExpired = false
    }

    private let entries = Mutex<[Int32: Entry]>([:])
    private let graceSeconds: Double

    /// - Parameter graceSeconds: how long one that is late has to take an answer.
    init(graceSeconds: Double) { self.graceSeconds = graceSeconds }

    var count: Int { entries.withLock { $0.count } }

    func set(_ descriptor: Int32, seconds: Double) {
        entries.withLock { $0[descriptor] = Entry(instant: .now + .seconds(seconds)) }
    }

    /// Gives more time to a connection that is not late yet.
    func extend(_ descriptor: Int32, seconds: Double) {
        entries.withLock { entries in
            guard entries[descriptor]?.isExpired == false else { return }
            entries[descriptor]?.instant += .seconds(seconds)
        }
    }

    func isExpired(_ descriptor: Int32) -> Bool {
        entries.withLock { $0[descriptor]?.isExpired ?? false }
    }

    /// Closes the descriptor, under the lock, so that nobody shuts down a number that is another connection's by now.
    func remove(closing descriptor: Int32) {
        entries.withLock { entries in
            entries[descriptor] = nil
            close(descriptor)
        }
    }

    /// Ends the wait of every connection that is late; if it is late again, in both directions.
    func expire() {
        let now = ContinuousClock.now
        entries.withLock { entries in
            for (descriptor, entry) in entries where entry.instant < now {
                shutdown(descriptor, Int32(entry.isExpired ? SHUT_RDWR : SHUT_RD))
                entries[descriptor]?.isExpired = true
                entries[descriptor]?.instant = now + .seconds(graceSeconds)
            }
        }
    }
}
