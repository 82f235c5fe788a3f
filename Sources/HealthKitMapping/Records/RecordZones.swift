internal import FHIRR4
internal import HealthExport

/// The zones that records are written in: the run's own, and those that records name.
struct RecordZones {
    /// What an effective time needs of a zone.
    struct Offsets {
        /// Minutes east of Greenwich at the start; `nil` for UTC.
        var start: Int?
        /// The same at the end.
        var end: Int?
        /// The zone's name in bytes.
        var name: [UInt8] = []
    }

    /// What a digest has of the offsets at a start and an end, such as `60,60`; `nil` where there are none.
    ///
    /// Another version of a zone's rules changes what is written, and so must change the digest.
    static func text(_ start: Int?, _ end: Int?) -> String? {
        guard start != nil || end != nil else { return nil }
        return "\(start.map(String.init) ?? ""),\(end.map(String.init) ?? "")"
    }

    private static let limit = 1000
    private static let longestName = 255
    private var zones: [(offsets: ZoneOffsets, name: [UInt8])] = []
    /// Places in `zones` by name, `nil` for names that are not a zone.
    ///
    /// By their bytes: text that compares equal may differ in bytes, and only one spelling is a zone's.
    private var places: [[UInt8]: Int?] = [:]
    private let own: [UInt8]?
    // Neighbours mostly name the same zone.
    private var lastName: [UInt8] = []
    private var lastPlace: Int?

    /// The zones of one run.
    ///
    /// - Parameter own: the name of the zone asked for, such as `Europe/Paris`; `nil` for UTC.
    init(own: String?) { self.own = own.map { Array($0.utf8) } }

    /// Whether times are written in a zone if the record names none.
    var hasOwn: Bool { own != nil }

    /// The offsets of the zone that a record names, or else of the run's own.
    mutating func offsets(_ start: Int64, _ end: Int64, in name: UnsafeRawBufferPointer) -> Offsets {
        guard let place = unsafe place(of: name) ?? own.flatMap({ place(named: $0) }) else { return Offsets() }
        let first = zones[place].offsets.minutes(at: start)
        return Offsets(
            start: first,
            end: start == end ? first : zones[place].offsets.minutes(at: end),
            name: zones[place].name
        )
    }

    /// The offsets of the zone that a record names, as a digest has them; `nil` if it names none.
    mutating func ownOffsets(_ start: Int64, _ end: Int64, in name: UnsafeRawBufferPointer) -> String? {
        guard let place = unsafe place(of: name) else { return nil }
        return Self.text(zones[place].offsets.minutes(at: start), zones[place].offsets.minutes(at: end))
    }

    /// Whether there is a zone of this name.
    mutating func hasZone(named name: UnsafeRawBufferPointer) -> Bool { unsafe place(of: name) != nil }

    private mutating func place(of name: UnsafeRawBufferPointer) -> Int? {
        // No zone has a longer name, and each name that is looked up is kept.
        guard unsafe !name.isEmpty && name.count <= Self.longestName else { return nil }
        if unsafe lastName.count == name.count && lastName.elementsEqual(name) { return lastPlace }
        let bytes = unsafe Array(name)
        let place = place(named: bytes)
        (lastName, lastPlace) = (bytes, place)
        return place
    }

    private mutating func place(named name: [UInt8]) -> Int? {
        if let known = places[name] { return known }
        if places.count > Self.limit {
            places.removeAll()
            zones.removeAll()
            (lastName, lastPlace) = ([], nil)
        }
        let place = ZoneOffsets(name: String(decoding: name, as: UTF8.self)).map { zone in
            zones.append((zone, Array(zone.name.utf8)))
            return zones.count - 1
        }
        places[name] = .some(place)
        return place
    }
}
