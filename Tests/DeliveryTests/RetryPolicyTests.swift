import HTTPTransport
import Testing

@testable import Delivery

/// What a server asks for before the same bytes go again.
struct RetryPolicyTests {
    private static func asked(_ header: String, _ text: String, date: String? = nil) -> Duration? {
        let headers = [HTTPHeader(header, text)] + (date.map { [HTTPHeader("Date", $0)] } ?? [])
        return RetryPolicy.retryAfter(HTTPResponse(status: 503, headers: headers, body: []), now: 784_111_777)
    }

    @Test(arguments: [
        ("Retry-After", "7", 7_000), ("Retry-After", "Sun, 06 Nov 1994 08:49:47 GMT", 10_000),
        ("Retry-After", "999999", 86_400_000), ("x-ms-retry-after-ms", "250", 250),
    ])
    func `seconds, a date or milliseconds are kept to`(_ header: String, _ text: String, _ milliseconds: Int) {
        #expect(Self.asked(header, text) == .milliseconds(milliseconds))
    }

    // Else a server that is down would be asked ten times a second.
    @Test(arguments: ["0", "-1", "Sun, 06 Nov 1994 08:49:37 GMT", "soon", ""])
    func `who asks for nothing gets the time that grows with each try`(_ text: String) {
        #expect(Self.asked("Retry-After", text) == nil)
        #expect(Self.asked("x-ms-retry-after-ms", text) == nil)
    }

    @Test(arguments: [
        "Sun, 06 Nov -9223372036854775808 08:49:37 GMT", "Sun, 06 Nov 10000 08:49:37 GMT",
        "Sun, 32 Nov 2030 08:49:37 GMT", "Sun, 06 Nov 2030 24:49:37 GMT", "Sun, 06 Nov 2030 08:60:37 GMT",
        "Sun, 06 Nov 2030 08:49:61 GMT", "Sun, 06 Nov 2030 08:49:9223372036854775807 GMT",
    ])
    func `what is no date asks for nothing`(_ text: String) {
        #expect(Self.asked("Retry-After", text) == nil)
        #expect(Self.asked("Retry-After", "Sun, 06 Nov 1994 08:49:47 GMT", date: text) == .seconds(10))
    }

    @Test func `a date is compared with the server's own`() {
        let date = "Sun, 06 Nov 1994 08:49:30 GMT"
        #expect(Self.asked("Retry-After", "Sun, 06 Nov 1994 08:49:35 GMT", date: date) == .seconds(5))
    }

    @Test(arguments: [500, 502, 503, 504, 507, 520, 524, 599])
    func `a fault of the server passes`(_ status: Int) { #expect(RetryPolicy.isServerFault(status)) }

    @Test(arguments: [200, 400, 404, 499, 501, 505, 600])
    func `what it does not take or know does not`(_ status: Int) { #expect(!RetryPolicy.isServerFault(status)) }

    @Test(arguments: [(408, true), (409, false), (425, true), (429, true), (500, true), (501, false), (503, true)])
    func `a request may be answered otherwise later`(_ status: Int, _ mayPass: Bool) {
        #expect(RetryPolicy.mayPass(status) == mayPass)
    }

    @Test(arguments: [(408, false), (425, true), (429, true), (500, false), (503, true), (504, false)])
    func `a server that is too busy, or was asked too early, has left a request undone`(
        _ status: Int,
        _ isThrottled: Bool
    ) {
        #expect(RetryPolicy.isThrottled(status) == isThrottled)
    }
}
