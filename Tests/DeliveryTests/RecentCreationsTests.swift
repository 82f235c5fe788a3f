import FHIRR4
import Testing

@testable import Delivery

/// How a server that was set back is told from one on which somebody has deleted something.
struct RecentCreationsTests {
    private static let all = (1...32).map { ResourceID(high: UInt64($0), low: 0) }
    /// The last that the server has made, the last at the end.
    private static let newest = Array(all.suffix(3))

    @Test(arguments: [(0, false), (1, false), (8, false), (9, true), (32, true)])
    func `more than a quarter of what was looked for is gone`(_ lostCount: Int, _ isSetBack: Bool) {
        let found = RecentCreations()
            .tellsSetBack(lost: Array(Self.all.prefix(lostCount)), of: 32, live: Self.newest, mayLag: false)
        #expect(found == isSetBack)
    }

    @Test func `the last three are gone, whatever else is there`() {
        let recent = RecentCreations()
        #expect(recent.tellsSetBack(lost: Self.newest, of: 32, live: Self.newest, mayLag: false))
        #expect(!recent.tellsSetBack(lost: Array(Self.newest.prefix(2)), of: 32, live: Self.newest, mayLag: false))
        // A search may not find them yet.
        #expect(!recent.tellsSetBack(lost: Self.newest, of: 32, live: Self.newest, mayLag: true))
    }

    /// Of 32, of which three came last, 29 tell something.
    @Test(arguments: [(7, false), (8, true)])
    func `while an index may lag what came last tells nothing`(_ lostCount: Int, _ isSetBack: Bool) {
        let lost = Array(Self.all.prefix(lostCount)) + Self.newest
        let found = RecentCreations().tellsSetBack(lost: lost, of: 32, live: Self.newest, mayLag: true)
        #expect(found == isSetBack)
    }

    @Test(arguments: [(2, false), (3, true)])
    func `where no last ones are known three of 32 are enough`(_ lostCount: Int, _ isSetBack: Bool) {
        let lost = Array(Self.all.prefix(lostCount))
        #expect(RecentCreations().tellsSetBack(lost: lost, of: 32, live: [], mayLag: false) == isSetBack)
    }
}
