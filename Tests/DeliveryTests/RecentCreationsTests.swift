import FHIRR4
import Testing

@testable import Delivery

/// How a server that was restored to an older state is distinguished from one on which somebody deleted something.
struct RecentCreationsTests {
    private static let all = (1...32).map { ResourceID(high: UInt64($0), low: 0) }
    /// What the server created last, the latest at the end.
    private static let newest = Array(all.suffix(3))

    @Test(arguments: [(0, false), (1, false), (8, false), (9, true), (32, true)])
    func `a server was set back if over a quarter of the sample is gone`(_ lostCount: Int, _ isSetBack: Bool) {
        let found = RecentCreations()
            .tellsSetBack(lost: Array(Self.all.prefix(lostCount)), of: 32, live: Self.newest, mayLag: false)
        #expect(found == isSetBack)
    }

    @Test func `a server was set back if the last three are gone, whatever else is there`() {
        let recent = RecentCreations()
        #expect(recent.tellsSetBack(lost: Self.newest, of: 32, live: Self.newest, mayLag: false))
        #expect(!recent.tellsSetBack(lost: Array(Self.newest.prefix(2)), of: 32, live: Self.newest, mayLag: false))
        // A search may not find them yet.
        #expect(!recent.tellsSetBack(lost: Self.newest, of: 32, live: Self.newest, mayLag: true))
    }

    /// Of 32 resources the latest three say nothing, so 29 count.
    @Test(arguments: [(7, false), (8, true)])
    func `while an index may lag, the latest creations say nothing`(_ lostCount: Int, _ isSetBack: Bool) {
        let lost = Array(Self.all.prefix(lostCount)) + Self.newest
        let found = RecentCreations().tellsSetBack(lost: lost, of: 32, live: Self.newest, mayLag: true)
        #expect(found == isSetBack)
    }

    @Test(arguments: [(2, false), (3, true)])
    func `if the latest creations are not known, three of 32 missing are enough`(_ lostCount: Int, _ isSetBack: Bool) {
        let lost = Array(Self.all.prefix(lostCount))
        #expect(RecentCreations().tellsSetBack(lost: lost, of: 32, live: [], mayLag: false) == isSetBack)
    }
}
