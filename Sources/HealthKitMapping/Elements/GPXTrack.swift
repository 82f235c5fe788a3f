internal import FHIRR4
internal import HealthExport

/// A GPX 1.1 track whose bytes are the same in every export of the same route.
///
/// Source: <https://www.topografix.com/GPX/1/1/>.
struct GPXTrack: Sendable {
    /// UTF-8 text.
    let bytes: [UInt8]

    /// Takes an export's file, without what describes the export and not the route.
    ///
    /// Outside the track's points every `<time>…</time>` (the export's) and `<name>…</name>` (the route's end by the
    /// phone's clock, in its language) is cut out; all other bytes stay. `nil` for a file that is not GPX.
    init?(file: [UInt8]) {
        guard Self.find("<gpx", in: file[...], from: 0, to: min(file.count, 4096)) != nil else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(file.count)
        var place = 0
        while place < file.count {
            let segment = Self.find("<trkseg", in: file[...], from: place, to: file.count) ?? file.count
            Self.copy(file[place..<segment], without: ["time", "name"], to: &bytes)
            let end = Self.find("</trkseg>", in: file[...], from: segment, to: file.count) ?? file.count
            bytes += file[segment..<end]
            place = end
        }
        self.bytes = bytes
    }

    /// Writes a track of `Location` elements, in their order, in the form of Apple's own files.
    ///
    /// Those without a place are left out; `nil` if none has one.
    init?(locations: [HealthElement]) {
        let points = locations.compactMap { Self.point($0) }
        guard !points.isEmpty else { return nil }
        let text =
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="Apple Health Export" xmlns="http://www.topografix.com/GPX/1/1">
              <trk>
                <trkseg>

            """ + points.joined() + "    </trkseg>\n  </trk>\n</gpx>\n"
        bytes = Array(text.utf8)
    }

    /// Whether a `Location` says where it is.
    static func hasPlace(_ location: HealthElement) -> Bool { point(location) != nil }

    /// How many values of a `Location` with a place can't be read, and so are in no track.
    static func unreadableCount(in location: HealthElement) -> Int {
        guard hasPlace(location) else { return 0 }
        let numbers = ["altitude", "speed", "course", "horizontalAccuracy", "verticalAccuracy"]
        let isDateWrong = location["date"]?.unlessBlank != nil && time(of: location) == nil
        let wrong = numbers.count { name in location[name]?.unlessBlank.map { ExactDecimal($0) == nil } ?? false }
        return wrong + (isDateWrong ? 1 : 0)
    }

    private static func point(_ location: HealthElement) -> String? {
        guard let latitude = decimal("latitude", of: location), let longitude = decimal("longitude", of: location)
        else {
            return nil
        }
        func element(_ name: String, _ attribute: String) -> String {
            decimal(attribute, of: location).map { "<\(name)>\($0)</\(name)>" } ?? ""
        }
        let extensions =
            element("speed", "speed") + element("course", "course") + element("hAcc", "horizontalAccuracy")
            + element("vAcc", "verticalAccuracy")
        return "      <trkpt lon=\"\(longitude)\" lat=\"\(latitude)\">" + element("ele", "altitude")
            + (time(of: location).map { "<time>\(FHIRDateTime.utcText($0))</time>" } ?? "")
            + (extensions.isEmpty ? "" : "<extensions>\(extensions)</extensions>") + "</trkpt>\n"
    }

    private static func time(of location: HealthElement) -> Int64? {
        location.fhirInstant("date")
    }

    private static func decimal(_ attribute: String, of location: HealthElement) -> String? {
        location[attribute].flatMap { ExactDecimal($0) == nil ? nil : $0 }
    }

    private static func copy(_ part: ArraySlice<UInt8>, without names: [String], to target: inout [UInt8]) {
        var place = part.startIndex
        // The next one of each name; looked for again only once the copy is past it.
        var cuts = names.map { element(named: $0, in: part, from: place) }
        while let next = cuts.compactMap(\.self).min(by: { $0.lowerBound < $1.lowerBound }) {
            target += part[place..<next.lowerBound]
            place = next.upperBound
            for (number, cut) in cuts.enumerated() where cut.map({ $0.lowerBound < place }) ?? false {
                cuts[number] = element(named: names[number], in: part, from: place)
            }
        }
        target += part[place..<part.endIndex]
    }

    /// The first element of a name that begins at `start` or after it.
    private static func element(named name: String, in part: ArraySlice<UInt8>, from start: Int) -> Range<Int>? {
        guard let first = find("<\(name)>", in: part, from: start, to: part.endIndex),
            let last = find("</\(name)>", in: part, from: first, to: part.endIndex)
        else { return nil }
        return first..<(last + name.utf8.count + 3)
    }

    /// Where `text` begins, at `start` or after it, if it ends by `end`.
    private static func find(_ text: String, in bytes: ArraySlice<UInt8>, from start: Int, to end: Int) -> Int? {
        let pattern = Array(text.utf8)
        guard let first = pattern.first, end - start >= pattern.count else { return nil }
        var place = start
        while place <= end - pattern.count {
            if bytes[place] == first, bytes[place..<(place + pattern.count)].elementsEqual(pattern) { return place }
            place += 1
        }
        return nil
    }
}
