import FHIRR4
import TestSupport
import Testing

@testable import Delivery

/// A table of ids, compared with Swift's dictionary.
struct StandingVersionsTests {
    /// Few ids in one table, so that most occur again, or many in all tables, so that tables grow; the same in each
    /// run.
    @Test(arguments: [(60, 1), (100_000, 256)])
    func `the table answers as a dictionary does`(_ ids: Int, _ tables: UInt64) {
        var generator = RandomBits(state: 7)
        var versions = StandingVersions()
        var dictionary: [ResourceID: UInt64] = [:]
        let known = (0..<ids).map { _ in
            ResourceID(high: (generator.next() % tables) << 56 | generator.next() >> 8, low: generator.next())
        }
        for _ in 0..<2 * ids {
            let id = known[Int(generator.next() % UInt64(ids))]
            #expect(versions[id] == dictionary[id])
            let digest = generator.next()
            versions.set(id, digest)
            dictionary[id] = digest
        }
        #expect(versions.count == dictionary.count)
        #expect(known.allSatisfy { versions[$0] == dictionary[$0] })
    }

    @Test func `ids with the same hash are distinguished`() {
        var versions = StandingVersions()
        let ids = (1...40).map { ResourceID(high: UInt64($0), low: .max) }
        for (digest, id) in ids.enumerated() { versions.set(id, UInt64(digest)) }
        #expect(ids.map { versions[$0] } == (0..<40).map { UInt64($0) })
        #expect(versions[ResourceID(high: 41, low: .max)] == nil)
    }
}
