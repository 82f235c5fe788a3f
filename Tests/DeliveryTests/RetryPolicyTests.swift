import HTTPTransport
import Testing

@testable import Delivery

/// How long a run waits before it sends the same bytes again.
struct RetryPolicyTests {
    private static let policy = RetryPolicy(firstDelay: .seconds(2), maximumDelay: .seconds(60))

    @Test func `by default the first delay is two seconds and the longest a minute`() throws {
        let server = try HTTPURL("https://fhir.example.org")
        let options = DeliveryOptions(server: server, patientID: "p1", ledgerFolder: "")
        #expect(options.retryPolicy.firstDelay == .seconds(2))
        #expect(options.retryPolicy.maximumDelay == .seconds(60))
    }

    // Chance makes 1,000 draws miss the first or the last tenth of the range once in 10⁴⁵ times.
    @Test(arguments: [(1, 2), (2, 4), (3, 8), (4, 16), (5, 32), (6, 60), (7, 60), (100, 60)])
    func `a delay is random between zero and a limit that doubles with each try`(_ number: Int, _ seconds: Int) throws {
        let limit = Duration.seconds(seconds)
        let delays = (0..<1_000).map { _ in Self.policy.delay(before: number, asked: nil) }
        let (shortest, longest) = (try #require(delays.min()), try #require(delays.max()))
        #expect(shortest >= .zero && shortest < limit / 10)
        #expect(longest > limit / 10 * 9 && longest <= limit)
    }

    @Test func `a negative limit counts as zero`() {
        let policy = RetryPolicy(firstDelay: .seconds(-5), maximumDelay: .seconds(60))
        #expect([1, 90].map { policy.delay(before: $0, asked: nil) } == [.zero, .zero])
    }

    @Test(arguments: [1, 6]) func `the delay that a server asks for is respected at every try`(_ number: Int) {
        let delays = (0..<1_000).map { _ in Self.policy.delay(before: number, asked: .seconds(90)) }
        #expect(delays.allSatisfy { $0 >= .seconds(90) && $0 <= .milliseconds(90_100) })
    }

    private static func asked(_ header: String, _ text: String, date: String? = nil) -> Duration? {
        let headers = [HTTPHeader(header, text)] + (date.map { [HTTPHeader("Date", $0)] } ?? [])
        return RetryPolicy.retryAfter(HTTPResponse(status: 503, headers: headers, body: []), now: 784_111_777)
    }

    @Test(arguments: [
        ("Retry-After", "7", 7_000), ("Retry-After", "Sun, 06 Nov 1994 08:49:47 GMT", 10_000),
        ("Retry-After", "999999", 86_400_000), ("x-ms-retry-after-ms", "250", 250),
    ])
    func `a delay is seconds, a date or milliseconds`(_ header: String, _ text: String, _ milliseconds: Int) {
        #expect(Self.asked(header, text) == .milliseconds(milliseconds))
    }

    // Otherwise a server that is down would be asked ten times a second.
    @Test(arguments: ["0", "-1", "Sun, 06 Nov 1994 08:49:37 GMT", "soon", ""])
    func `if a server asks for no valid delay, the delay grows with each try`(_ text: String) {
        #expect(Self.asked("Retry-After", text) == nil)
        #expect(Self.asked("x-ms-retry-after-ms", text) == nil)
    }

    @Test(arguments: [
        "Sun, 06 Nov -9223372036854775808 08:49:37 GMT", "Sun, 06 Nov 10000 08:49:37 GMT",
        "Sun, 32 Nov 2030 08:49:37 GMT", "Sun, 06 Nov 2030 24:49:37 GMT", "Sun, 06 Nov 2030 08:60:37 GMT",
        "Sun, 06 Nov 2030 08:49:61 GMT", "Sun, 06 Nov 2030 08:49:9223372036854775807 GMT",
    ])
    func `text that is not a date is ignored`(_ text: String) {
        #expect(Self.asked("Retry-After", text) == nil)
        #expect(Self.asked("Retry-After", "Sun, 06 Nov 1994 08:49:47 GMT", date: text) == .seconds(10))
    }

    @Test func `a date is compared with the server's own clock`() {
        let date = "Sun, 06 Nov 1994 08:49:30 GMT"
        #expect(Self.asked("Retry-After", "Sun, 06 Nov 1994 08:49:35 GMT", date: date) == .seconds(5))
    }

    @Test(arguments: [(408, false), (425, true), (429, true), (500, false), (503, true), (504, false)])
    func `a server that is too busy, or was asked too early, has not processed the request`(
        _ status: Int,
        _ isThrottled: Bool
    ) {
        #expect(RetryPolicy.isThrottled(status) == isThrottled)
    }
}
