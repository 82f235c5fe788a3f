internal import Glibc
internal import HTTPTransport

/// How long to wait before the same bytes are sent again.
///
/// Full jitter: a random time up to a limit that doubles, so that the retries of many clients spread out.
///
/// Source: AWS, "Exponential Backoff And Jitter"; RFC 9110, section 10.2.3, for `Retry-After`.
struct RetryPolicy: Sendable {
    var firstDelay: Duration
    var maximumDelay: Duration

    /// The delay before try number `number`, the first repetition being 1.
    ///
    /// - Parameters:
    ///   - number: how many tries were made already, at least 1.
    ///   - asked: how long the server asked to wait, which is kept to.
    /// - Returns: what the server asked for, plus at most 100 ms; otherwise a random time, at most `maximumDelay`.
    func delay(before number: Int, asked: Duration?) -> Duration {
        if let asked { return asked + .milliseconds(Int.random(in: 0...100)) }
        var limit = max(firstDelay, .zero)
        for _ in 1..<max(number, 1) where limit > .zero && limit < maximumDelay { limit *= 2 }
        return min(limit, maximumDelay) * Double.random(in: 0...1)
    }

    /// The wait before try number `number`, within what is left of `budget`.
    ///
    /// A random wait that would exceed the budget is cut, so that the last try is made as the time ends. A wait that
    /// the server asked for is not cut.
    ///
    /// - Parameters:
    ///   - number: how many tries were made already, at least 1.
    ///   - asked: how long the server asked to wait.
    ///   - elapsed: how long it has been tried.
    ///   - budget: how long it is tried in all.
    /// - Returns: the wait; `nil` where no time is left for another try.
    func wait(before number: Int, asked: Duration?, elapsed: Duration, budget: Duration) -> Duration? {
        let left = budget - elapsed
        guard left > .zero else { return nil }
        let delay = delay(before: number, asked: asked)
        return delay < left ? delay : asked == nil ? left : nil
    }

    /// Whether a status says that the server has no time for the request and leaves it undone.
    static func isThrottled(_ status: Int) -> Bool { [425, 429, 503].contains(status) }

    /// Whether a status says that the server behind a gateway is away (502 to 504; 503 may also be the server's own).
    static func isGatewayFault(_ status: Int) -> Bool { (502...504).contains(status) }

    /// Whether a server that gives this status has finished with the request: any other fault may come from a gateway
    /// that gave up waiting.
    static func isServersOwn(_ status: Int) -> Bool { [500, 503, 507].contains(status) }

    /// The wait that `Retry-After` asks for, as seconds or a date; `nil` where it asks for none.
    ///
    /// `x-ms-retry-after-ms`, in milliseconds, takes precedence.
    ///
    /// - Parameters:
    ///   - response: the answer.
    ///   - now: seconds since 1970, by this machine's clock.
    /// - Returns: how long to wait: more than zero and at most a day.
    static func retryAfter(_ response: HTTPResponse, now: Int = time(nil)) -> Duration? {
        if let text = response.header("x-ms-retry-after-ms"), let count = Int(text), count > 0 {
            return .milliseconds(min(count, 86_400_000))
        }
        guard let text = response.header("Retry-After") else { return nil }
        var seconds = Int(text) ?? 0
        if let date = HTTPDate.seconds(text) {
            let own = date - now
            // Two dates of the server's clock are compared, since ours may be wrong; but a gateway may have written
            // `Date`, so the shorter wait counts.
            seconds = response.header("Date").flatMap { HTTPDate.seconds($0) }.map { date - $0 } ?? own
            if own > 0 { seconds = min(seconds, own) }
        }
        return seconds > 0 ? .seconds(min(seconds, 86_400)) : nil
    }
}

extension DeliveryOptions {
    /// The retry policy with these options' delays.
    var retryPolicy: RetryPolicy { RetryPolicy(firstDelay: firstDelay, maximumDelay: maximumDelay) }
}
