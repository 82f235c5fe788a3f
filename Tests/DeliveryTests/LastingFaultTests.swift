import HTTPTransport
import Testing

@testable import Delivery

struct LastingFaultTests {
    @Test(arguments: [
        HTTPError.certificateForAnotherHost(origin: "o", host: "h"), .untrustedCertificate(origin: "o"),
        .clientCertificateWanted(origin: "o"), .proxy(origin: "o", fault: .status(403)),
        .proxy(origin: "o", fault: .status(407)), .proxy(origin: "o", fault: .untrustedCertificate(caFile: nil)),
        .proxy(origin: "o", fault: .certificateForAnotherHost),
        .proxy(origin: "o", fault: .certificateOutOfDate(hasExpired: true)),
        .proxy(origin: "o", fault: .clientCertificateWanted),
    ])
    func `a refusal that would come again ends the run, unless the server was reached before`(_ error: HTTPError) {
        #expect(error.isLasting(isReached: false))
        #expect(!error.isLasting(isReached: true))
    }

    @Test(arguments: [
        HTTPError.noTLS(origin: "o"), .noConnection(origin: "o"), .proxy(origin: "o", fault: .status(502)),
        .proxy(origin: "o", fault: .status(503)), .proxy(origin: "o", fault: .noConnection),
        .proxy(origin: "o", fault: .unusable), .proxy(origin: "o", fault: .noTLS),
    ])
    func `what may pass is tried again, whether or not the server was reached before`(_ error: HTTPError) {
        #expect(!error.isLasting(isReached: false))
        #expect(!error.isLasting(isReached: true))
    }
}
