import FHIRR4
import Testing
import TransactionBundling

/// What a group counts and moves while it holds Devices, units and borrowed bytes.
struct BundleCarryingTests {
    private struct Builder: ~Copyable {
        var builder: BundleBuilder

        init(_ limits: BundleLimits) { builder = BundleBuilder(limits: limits, key: .test, framing: .transaction) }

        mutating func add(_ resource: Resource) {
            unsafe resource.bytes.withUnsafeBytes { unsafe builder.add(resource.row, $0) }
        }

        mutating func addDevice(_ number: UInt64) {
            let device = Resource(100 + number)
            unsafe device.bytes.withUnsafeBytes { unsafe builder.addCarried(Int32(number), device.row, $0) }
        }

        mutating func ids() -> [String] {
            var found: [Group] = []
            builder.close(into: &found)
            return found.flatMap(\.ids).sorted()
        }
    }

    private static func limits(_ entries: Int, from minimum: Int = 1) -> BundleLimits {
        var limits = BundleLimits(maximumEntryCount: entries)
        limits.minimumEntryCount = minimum
        return limits
    }

    @Test(arguments: [(3, false), (2, true)])
    func `a winning twin needs room for its Devices`(_ limit: Int, _ closes: Bool) {
        var group = Builder(Self.limits(limit))
        group.add(Resource(1, digest: 1))
        group.add(Resource(2))
        let mustClose = group.builder.mustClose(before: Resource(1, digest: 2, device: 1).row, carried: 1)
        let ids = group.ids()
        #expect(mustClose == closes)
        #expect(ids == (closes ? ["2"] : ["1", "2"]))
    }

    @Test func `a loser that makes room for its twin's group takes its Devices along`() {
        var group = Builder(Self.limits(3))
        group.addDevice(1)
        group.add(Resource(1, digest: 1, device: 1))
        group.add(Resource(2))
        let mustClose = group.builder.mustClose(before: Resource(1, digest: 2, device: 2).row, carried: 1)
        let ids = group.ids()
        #expect(mustClose)
        #expect(ids == ["2"])
    }

    @Test func `a group does not end with a unit that leaves it too few entries`() {
        var group = Builder(Self.limits(400, from: 3))
        group.addDevice(1)
        group.builder.beginUnit()
        group.add(Resource(1, digest: 1, device: 1))
        group.add(Resource(1, digest: 2))
        group.add(Resource(96))
        let couldEnd = group.builder.isAtBoundary
        group.builder.endUnit()
        let (canEnd, count) = (group.builder.isAtBoundary, group.builder.count)
        #expect(couldEnd)
        #expect(!canEnd)
        #expect(count == 2)
    }

    @Test func `a group does not end with a resource whose twin it holds`() {
        var group = Builder(Self.limits(400))
        group.add(Resource(1))
        group.add(Resource(96))
        let couldEnd = group.builder.isAtBoundary
        group.add(Resource(1))
        let canEnd = group.builder.isAtBoundary
        #expect(couldEnd)
        #expect(!canEnd)
    }

    @Test(arguments: [false, true])
    func `of twins in one unit the winner alone counts, in any order`(_ isTurned: Bool) {
        let group = Builder(Self.limits(400))
        let twins = [Resource(1, digest: 1), Resource(1, digest: 2, byteCount: 200)]
        let staying = group.builder.staying(of: (isTurned ? twins.reversed() : twins).map(\.row))
        #expect(staying.map(\.digest) == [2])
    }

    /// Where a resource is in its lender's memory says nothing about where it is in the group's.
    @Test func `a group's bytes may be moved while others are borrowed`() {
        let limits = BundleLimits(maximumByteCount: 1000)
        var group = Builder(limits)
        var lent = Resource(2)
        lent.row.start = 1 << 30
        let twins = (1...20).map { Resource(1, digest: UInt64($0), byteCount: 400) }
        unsafe lent.bytes.withUnsafeBytes { bytes in
            unsafe group.builder.addBorrowed(lent.row, bytes)
            for twin in twins { group.add(twin) }
            let ids = group.ids()
            #expect(ids == ["1", "2"])
        }
    }
}
