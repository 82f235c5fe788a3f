import HTTPTransport
import Synchronization

/// The line that says why nothing happens: once a minute at most.
///
///     pghd: https://fhir.example.org/r4: no connection yet (nobody listens there): trying for 600 s (--retry-for)
enum WaitingNotice {
    private static let last = Mutex<ContinuousClock.Instant?>(nil)

    /// Says it, unless something of the kind was said just now.
    ///
    /// - Parameters:
    ///   - server: which one is waited for.
    ///   - what: why.
    ///   - patience: for how long.
    ///   - isOption: whether that is what `--retry-for` says; a host without an address is given up before.
    static func say(_ server: HTTPURL, _ what: String, _ patience: Duration, isOption: Bool) {
        let isDue = last.withLock { last in
            if let last, .now - last < .seconds(60) { return false }
            last = .now
            return true
        }
        guard isDue else { return }
        pghd.say(
            "pghd: \(server): \(what): trying for \(patience.components.seconds) s\(isOption ? " (--retry-for)" : "")"
        )
    }
}
