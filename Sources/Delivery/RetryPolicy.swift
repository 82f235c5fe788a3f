internal import Glibc
internal import HTTPTransport

/// How long to wait before the same bytes go again.
///
/// Full jitter: a random time up to a limit that doubles, so that many clients of one server spread.
/// Source: AWS, "Exponential Backoff And Jitter"; RFC 9110, section 10.2.3, for `Retry-After`.
struct RetryPolicy: Sendable {
    var firstDelay: Duration
    var maximumDelay: Duration

    /// The delay before try number `number`, the first repetition being 1.
    ///
    /// - Parameters:
    ///   - number: how often it was tried already, at least 1.
    ///   - asked: what the server asked for, which is kept to.
    /// - Returns: a random time, up to the longest.
    func delay(before number: Int, asked: Duration?) -> Duration {
        if let asked { return asked + .milliseconds(Int.random(in: 0...100)) }
        var limit = max(firstDelay, .zero)
        for _ in 1..<max(number, 1) where limit > .zero && limit < maximumDelay { limit *= 2 }
        return min(limit, maximumDelay) * Double.random(in: 0...1)
    }

    /// The wait before try number `number`, within what is left of `budget`.
    ///
    /// A random wait that would pass the budget is cut, so that the last try comes as the time ends; what the server
    /// asked for is not.
    ///
    /// - Parameters:
    ///   - number: how often it was tried already, at least 1.
    ///   - asked: what the server asked for.
    ///   - elapsed: how long it has been tried.
    ///   - budget: how long it is tried at all.
    /// - Returns: the wait; `nil` where no time is left for another try.
    func wait(before number: Int, asked: Duration?, elapsed: Duration, budget: Duration) -> Duration? {
        let left = budget - elapsed
        guard left > .zero else { return nil }
        let delay = delay(before: number, asked: asked)
        return delay < left ? delay : asked == nil ? left : nil
    }

    /// Whether a status tells of a fault that may pass, of the server or of what stands before it.
    ///
    /// One that nobody has named is a 500 (RFC 9110, section 15): a proxy's 524 says that its server still works on it.
    static func isServerFault(_ status: Int) -> Bool { (500...599).contains(status) && status != 501 && status != 505 }

    /// Whether the same request may be answered otherwise later: it took too long, came too early or too often, or met a
    /// fault that may pass.
    static func mayPass(_ status: Int) -> Bool { [408, 425, 429].contains(status) || isServerFault(status) }

    /// Whether a server says so that has no time for the request, which it leaves undone.
    static func isThrottled(_ status: Int) -> Bool { [425, 429, 503].contains(status) }

    /// Whether a status is that of a gateway whose server is away, or of a server that is.
    static func isGatewayFault(_ status: Int) -> Bool { (502...504).contains(status) }

    /// Whether a server that answers so is done with the request: any other fault may be a gateway's, which gave up waiting.
    static func isServersOwn(_ status: Int) -> Bool { [500, 503, 507].contains(status) }

    /// What `Retry-After` asks for: seconds, or until a date; `nil` where it asks for nothing.
    ///
    /// - Parameters:
    ///   - response: the answer.
    ///   - now: seconds since 1970, by this machine's clock.
    /// - Returns: how long to wait, more than nothing and at most a day.
    static func retryAfter(_ response: HTTPResponse, now: Int = time(nil)) -> Duration? {
        if let text = response.header("x-ms-retry-after-ms"), let count = Int(text), count > 0 {
            return .milliseconds(min(count, 86_400_000))
        }
        guard let text = response.header("Retry-After") else { return nil }
        var seconds = Int(text) ?? 0
        if let date = HTTPDate.seconds(text) {
            let own = date - now
            // Two dates of one clock, since ours may be wrong; but a gateway may have written `Date`: the sooner of both.
            seconds = response.header("Date").flatMap { HTTPDate.seconds($0) }.map { date - $0 } ?? own
            if own > 0 { seconds = min(seconds, own) }
        }
        return seconds > 0 ? .seconds(min(seconds, 86_400)) : nil
    }
}

extension DeliveryOptions {
    /// The waits that are asked for.
    var retryPolicy: RetryPolicy { RetryPolicy(firstDelay: firstDelay, maximumDelay: maximumDelay) }
}
