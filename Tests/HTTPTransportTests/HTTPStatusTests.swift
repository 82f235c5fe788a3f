import HTTPTransport
import Testing

/// What a status says about another try.
struct HTTPStatusTests {
    @Test(arguments: [500, 502, 503, 504, 507, 520, 524, 599])
    func `a server error may pass`(_ status: Int) { #expect(HTTPStatus.isServerFault(status)) }

    @Test(arguments: [200, 400, 404, 499, 501, 505, 600])
    func `any other status is not a server error`(_ status: Int) { #expect(!HTTPStatus.isServerFault(status)) }

    @Test(arguments: [(408, true), (409, false), (425, true), (429, true), (500, true), (501, false), (503, true)])
    func `some statuses mean that a later try may be answered differently`(_ status: Int, _ mayPass: Bool) {
        #expect(HTTPStatus.mayPass(status) == mayPass)
    }
}
