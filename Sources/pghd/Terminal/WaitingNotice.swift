import HTTPTransport
import Synchronization

/// The line that says once in a process why nothing happens yet.
///
///     pghd: https://fhir.example.org/r4: no connection yet (nobody listens there): trying for 600 s (--retry-for)
enum WaitingNotice {
    private static let wasGiven = Mutex(false)

    /// Says it, unless it was said before.
    static func say(_ server: HTTPURL, _ error: HTTPError, _ patience: Duration) {
        let isFirst = wasGiven.withLock { wasGiven in
            defer { wasGiven = true }
            return !wasGiven
        }
        guard isFirst else { return }
        pghd.say(
            "pghd: \(server): no connection yet (\(error.reason)): trying for \(patience.components.seconds) s (--retry-for)"
        )
    }
}
