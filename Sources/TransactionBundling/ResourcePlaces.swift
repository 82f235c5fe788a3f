public import FHIRR4

/// Where resources are in a list that is held elsewhere, by id: four bytes a slot, at most half of them taken.
///
///     places.insert(7, of: id) { rows[$0].id }
///     places.place(of: id) { rows[$0].id == id }   // 7
///
/// A place is never removed: the caller says which places still count. Ids are hashes, so their bits need no mixing.
@frozen
@usableFromInline
package struct ResourcePlaces: Sendable {
    /// A place plus one, or 0; open addressing.
    @usableFromInline internal var slots: [UInt32]
    @usableFromInline internal var count = 0

    /// An empty table with room for `capacity` places before it grows.
    @inlinable
    package init(capacity: Int) {
        var size = 1024
        while size < capacity * 2 { size *= 2 }
        slots = [UInt32](repeating: 0, count: size)
    }

    /// Forgets all places and keeps the room.
    @inlinable
    package mutating func removeAll() {
        unsafe slots.withUnsafeMutableBufferPointer { unsafe $0.update(repeating: 0) }
        count = 0
    }

    /// The first place under this id for which `matches` is true, or -1.
    @inlinable
    package func place(of id: ResourceID, where matches: (Int) -> Bool) -> Int {
        var slot = Int(truncatingIfNeeded: id.low) & (slots.count - 1)
        while slots[slot] != 0 {
            let place = Int(slots[slot]) - 1
            if matches(place) { return place }
            slot = (slot + 1) & (slots.count - 1)
        }
        return -1
    }

    /// Adds a place under its id.
    ///
    /// - Parameters:
    ///   - place: below 2^32 - 1.
    ///   - id: the id of what is there.
    ///   - earlier: the id at a place that was added before, `nil` if it no longer counts; called when the table grows.
    @inlinable
    package mutating func insert(_ place: Int, of id: ResourceID, earlier: (Int) -> ResourceID?) {
        if (count + 1) * 2 > slots.count { grow(earlier) }
        take(place, id)
    }

    @usableFromInline
    mutating func grow(_ earlier: (Int) -> ResourceID?) {
        let places = slots.filter { $0 != 0 }.map { Int($0) - 1 }.sorted()
        let live = places.compactMap { place in earlier(place).map { (place, $0) } }
        self = ResourcePlaces(capacity: max(live.count * 2, slots.count / 2))
        for (place, id) in live { take(place, id) }
    }

    @inlinable
    @inline(__always)
    mutating func take(_ place: Int, _ id: ResourceID) {
        var slot = Int(truncatingIfNeeded: id.low) & (slots.count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = UInt32(truncatingIfNeeded: place + 1)
        count += 1
    }
}
