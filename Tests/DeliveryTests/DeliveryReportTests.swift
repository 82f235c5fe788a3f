import Testing

@testable import Delivery

/// The numbers that a delivery reports.
struct DeliveryReportTests {
    @Test func `the added numbers of two runs over one export count each entry once`() {
        var first = DeliveryReport()
        first.delivered = 7
        first.replaced = 3
        first.alreadyThere = 90
        first.retried = 1
        first.deletionsOffered = 3
        first.deletionsDone = 2
        first.deletionsRefused = 1
        first.bundlesDelivered = 4
        first.requests = ["200": 4, "503": 1]
        first.bytesSent = 1000
        first.leftForAnotherRun = 2
        first.ownerComparison = .patient
        first.ledgerSetAside = "ledger.damaged"
        var second = DeliveryReport()
        second.delivered = 2
        second.replaced = 1
        second.alreadyThere = 95
        second.deletionsOffered = 1
        second.deletionsDone = 1
        second.bundlesDelivered = 1
        second.requests = ["200": 1]
        second.bytesSent = 50
        second.ownerComparison = .exports

        let both = second.after(first)
        #expect((both.delivered, both.replaced, both.alreadyThere, both.retried) == (9, 4, 88, 1))
        #expect((both.deletionsOffered, both.deletionsDone, both.deletionsRefused) == (3, 3, 1))
        #expect(both.bundlesDelivered == 5)
        #expect(both.requests == ["200": 5, "503": 1])
        #expect(both.bytesSent == 1050)
        #expect(both.leftForAnotherRun == 0)
        #expect(both.ownerComparison == .patient)
        #expect(both.ledgerSetAside == "ledger.damaged")
    }
}
