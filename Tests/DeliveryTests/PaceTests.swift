import Testing

@testable import Delivery

/// What a dry run concludes from the last run's pace.
struct PaceTests {
    @Test(arguments: [(0, 7, 0), (1, 7, 1), (7, 7, 1), (8, 7, 2), (3, 0, 3)] as [(UInt64, UInt64, UInt64)])
    func `the estimated time for some entries is rounded up`(_ count: UInt64, _ pace: UInt64, _ seconds: UInt64) {
        #expect(Delivery.seconds(for: count, atPace: pace) == seconds)
    }
}
