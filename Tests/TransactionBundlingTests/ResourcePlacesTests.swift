import FHIRR4
import Testing
import TransactionBundling

struct ResourcePlacesTests {
    /// Ids that hash to few slots, so that most collide.
    private static let ids = (0..<5000).map { ResourceID(high: UInt64($0), low: UInt64($0 % 7)) }

    @Test func `each id is found where it was put, however many came after it`() {
        var places = ResourcePlaces(capacity: 1)
        for (place, id) in Self.ids.enumerated() {
            #expect(places.place(of: id) { Self.ids[$0] == id } == -1)
            places.insert(place, of: id) { Self.ids[$0] }
        }
        for (place, id) in Self.ids.enumerated() { #expect(places.place(of: id) { Self.ids[$0] == id } == place) }
    }

    @Test func `of several places under one id the first is found, even after the table grew`() {
        var places = ResourcePlaces(capacity: 1)
        let id = ResourceID(high: 1, low: 3)
        for place in 0..<2000 { places.insert(place, of: id) { _ in id } }
        #expect(places.place(of: id) { _ in true } == 0)
        #expect(places.place(of: id) { $0 >= 1500 } == 1500)
    }

    @Test func `when the table grows, places that no longer count are removed and the others stay`() {
        var places = ResourcePlaces(capacity: 1)
        for (place, id) in Self.ids.enumerated() {
            places.insert(place, of: id) { $0 % 2 == 0 ? Self.ids[$0] : nil }
        }
        let found = Self.ids.map { id in places.place(of: id) { Self.ids[$0] == id } }
        for place in Self.ids.indices where place % 2 == 0 { #expect(found[place] == place) }
        #expect(found[1] == -1)
        places.removeAll()
        #expect(places.place(of: Self.ids[0]) { _ in true } == -1)
    }
}
