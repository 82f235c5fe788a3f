import Testing

@testable import Delivery

/// What a run keeps in memory of its ledger's Bundles.
struct KnownBundlesTests {
    private static func key(_ digit: String) -> String { String(repeating: digit, count: 64) }

    private static func bundles(liveCount: Int) -> KnownBundles {
        var bundles = KnownBundles()
        bundles.add(Ledger.Key(number: 7, key: key("a"), kind: 3, memberCount: 2, liveCount: liveCount))
        return bundles
    }

    @Test func `a Bundle stands if all its members are live`() {
        var whole = Self.bundles(liveCount: 2)
        #expect(whole.hasUnseen)
        #expect(whole.meetStanding(Self.key("a"))?.kind == 3)
        #expect(whole.isSeen(7))
        #expect(!whole.hasUnseen)
        var part = Self.bundles(liveCount: 1)
        #expect(part.meetStanding(Self.key("a"))?.kind == nil)
        #expect(!part.isSeen(7))
        #expect(part.hasUnseen)
        #expect(!Self.bundles(liveCount: 0).hasUnseen)
    }

    @Test func `a known key keeps its number, and a new one gets the next`() {
        var bundles = Self.bundles(liveCount: 2)
        #expect(bundles.number(of: Self.key("b"), kind: 4, memberCount: 5) == 8)
        #expect(bundles.number(of: Self.key("a"), kind: 3, memberCount: 5) == 7)
        #expect(bundles.number(of: Self.key("b"), kind: 4, memberCount: 5) == 8)
        bundles.mark(8, .standing)
        #expect(bundles.meetStanding(Self.key("b"))?.kind == 4)
        bundles.unmark(8, .standing)
        #expect(bundles.meetStanding(Self.key("b"))?.kind == nil)
    }

    @Test func `keys that differ anywhere in their first half are distinguished`() {
        var bundles = KnownBundles()
        for place in 0..<32 {
            var digits = Array(String(repeating: "0", count: 64))
            digits[place] = "f"
            #expect(bundles.number(of: String(digits), kind: 0, memberCount: 5) == Int64(place + 1))
        }
    }
}
