import HTTPTransport
import Testing

@testable import Delivery

struct LastingFaultTests {
    @Test(arguments: [
        HTTPError.certificateForAnotherHost(origin: "o", host: "h"), .untrustedCertificate(origin: "o"),
        .clientCertificateWanted(origin: "o"),
    ])
    func `a refusal that would come again ends the run, unless the server was reached before`(_ error: HTTPError) {
        #expect(error.isLasting(isReached: false))
        #expect(!error.isLasting(isReached: true))
    }

    @Test(arguments: [
        HTTPError.noTLS(origin: "o"), .noConnection(origin: "o"), .proxy(origin: "o", status: 503),
    ])
    func `what may pass is tried again, whether or not the server was reached before`(_ error: HTTPError) {
        #expect(!error.isLasting(isReached: false))
        #expect(!error.isLasting(isReached: true))
    }
}
