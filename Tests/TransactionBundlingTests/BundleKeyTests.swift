import FHIRR4

import Testing
import TransactionBundling

/// docs/formats.md, "Keys".
struct BundleKeyTests {
    @Test(arguments: [
        BundleKey(scheme: "pghd2", mappingVersion: "1", options: "", subject: "Patient/p1"),
        BundleKey(scheme: "pghd1", mappingVersion: "2", options: "", subject: "Patient/p1"),
        BundleKey(scheme: "pghd1", mappingVersion: "1", options: "conditional", subject: "Patient/p1"),
        BundleKey(scheme: "pghd1", mappingVersion: "1", options: "", subject: "Patient/p2"),
        BundleKey(scheme: "pghd1", mappingVersion: "1conditional", options: "", subject: "Patient/p1"),
    ])
    func `scheme, mapping, options and subject are part of every key`(_ key: BundleKey) {
        #expect(Self.key(of: [Resource(1)], key) != Self.key(of: [Resource(1)], .test))
    }

    @Test func `ids and digests are part of a key, but their order is not`() {
        let one = Self.key(of: [Resource(1, digest: 7), Resource(2, digest: 8)], .test)
        #expect(Self.key(of: [Resource(2, digest: 8), Resource(1, digest: 7)], .test) == one)
        #expect(Self.key(of: [Resource(1, digest: 8), Resource(2, digest: 7)], .test) != one)
        #expect(Self.key(of: [Resource(1, digest: 7), Resource(3, digest: 8)], .test) != one)
        #expect(Self.key(of: [Resource(1, digest: 7)], .test) != one)
    }

    @Test func `ids that begin alike are sorted correctly`() {
        // The sort uses the first byte; here all ids have the same one, and the worst order.
        var resources = (1...300).map { Resource(UInt64($0)) }
        for index in resources.indices { resources[index].row.id.high = UInt64(1000 - index) }
        let limits = BundleLimits(maximumEntryCount: 30000)
        let ids = groups(resources.filter { $0.row.id.low % 96 != 0 }, limits: limits).flatMap(\.ids).compactMap {
            Int($0)
        }
        #expect(ids == ids.sorted(by: >))
    }

    private static func key(of resources: [Resource], _ key: BundleKey) -> String {
        var builder = BundleBuilder(limits: BundleLimits(), key: key, framing: .transaction)
        for resource in resources { unsafe resource.bytes.withUnsafeBytes { unsafe builder.add(resource.row, $0) } }
        var groups: [Group] = []
        builder.close(into: &groups)
        return groups[0].key
    }
}
