import HTTPTransport
import Synchronization

/// The line that says why nothing happens, shown once a minute at most.
///
///     pghd: https://fhir.example.org/r4: no connection yet (nobody listens there): trying for 600 s (--retry-for)
enum WaitingNotice {
    private static let last = Mutex<ContinuousClock.Instant?>(nil)

    /// Says it, unless such a line was shown less than a minute ago.
    ///
    /// - Parameters:
    ///   - server: the server that is waited for.
    ///   - what: why.
    ///   - patience: for how long.
    ///   - isOption: whether `--retry-for` gives that time; a host without an address is given up sooner.
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
