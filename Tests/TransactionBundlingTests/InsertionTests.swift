import FHIRR4

import TestSupport
import Testing
import TransactionBundling

/// A new record in an old export, as described in docs/formats.md, "Bundles".
///
/// How many Bundles change is tested with a whole export.
struct InsertionTests {
    @Test func `a record inserted into a type does not change the Bundles of other types`() {
        var numbers = RandomBits(state: 12)
        let resources = (0..<3000).map { Resource(numbers.next(), kind: UInt64($0 / 1000)) }
        let before = groups(resources)
        for place in [0, 999, 1000, 1500, 1999, 2000, 3000] {
            var list = resources
            let type = resources[min(place, 2999)].row.kind
            list.insert(Resource(numbers.next(), kind: type), at: place)
            let ids = Set(resources.filter { $0.row.kind != type }.map { String($0.row.id.low) })
            let others = groups(list).filter { ids.contains($0.ids[0]) }
            #expect(others == before.filter { ids.contains($0.ids[0]) }, "inserted at \(place)")
        }
    }
}
