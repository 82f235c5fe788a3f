import HTTPTransport
import Testing

@testable import Delivery

/// How long a date in `Retry-After` asks to wait if the clocks differ.
struct RetryAfterTests {
    // 08:49:37 by this machine's clock.
    @Test(arguments: [("08:40:00", 10), ("08:49:42", 5)])
    func `a date is waited for until the sooner instant by either clock`(_ date: String, _ seconds: Int) {
        let headers = [
            HTTPHeader("Retry-After", "Sun, 06 Nov 1994 08:49:47 GMT"),
            HTTPHeader("Date", "Sun, 06 Nov 1994 \(date) GMT"),
        ]
        let response = HTTPResponse(status: 503, headers: headers, body: [])
        #expect(RetryPolicy.retryAfter(response, now: 784_111_777) == .seconds(seconds))
    }
}
