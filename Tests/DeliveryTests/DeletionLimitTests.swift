import Testing

@testable import Delivery

struct DeletionLimitTests {
    @Test(arguments: [
        (0, 1), (1, 1), (99, 1), (100, 1), (199, 1), (200, 2), (99_999, 999), (100_000, 1000), (200_000, 1000),
    ])
    func `a run deletes at most one in a hundred of what is there, at least one and at most a thousand`(
        _ live: Int,
        _ allowed: Int
    ) {
        #expect(Delivery.maximumDeletionCount(ofLive: live) == allowed)
    }
}
