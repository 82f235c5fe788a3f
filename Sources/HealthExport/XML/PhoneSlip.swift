/// An attribute that a phone writes twice in one tag, which is not well-formed and would cost the whole element.
///
/// iOS 16.0 wrote a statistic's end as a second `startDate`:
/// `<WorkoutStatistics type="…" startDate="2022-09-20 08:00:00 +0100" startDate="2022-09-20 08:30:00 +0100"
/// sum="5.1"/>`. It is read as `endDate`. A prescription with several pictures has all their identifiers in one
/// `<Attachment identifier="…" identifier="…"/>`; none is kept, so only the first is read
/// (docs/decisions/0038-doubled-start-date.md).
struct PhoneSlip {
    /// Where in the text it is.
    let offset: Int
    /// The length of what is replaced.
    let byteCount: Int
    let replacement: StaticString
    let kind: Malformation.Kind

    /// The slips of the tag at `index`, in their order.
    ///
    /// - Returns: none if the tag is another one or not well-formed otherwise, or if it isn't certain what was meant: a
    ///   statistic has a third `startDate`, or an `endDate`.
    static func all(in bytes: UnsafeRawBufferPointer, tagAt index: Int) -> [PhoneSlip] {
        if let attributes = unsafe attributes(of: "<WorkoutStatistics", in: bytes, at: index) {
            func named(_ name: StaticString) -> [Range<Int>] {
                attributes.map(\.name).filter { unsafe has(name, in: bytes, at: $0) }
            }
            let starts = named("startDate")
            guard starts.count == 2, named("endDate").isEmpty else { return [] }
            let (start, count) = (starts[1].lowerBound, starts[1].count)
            return [PhoneSlip(offset: start, byteCount: count, replacement: "endDate", kind: .doubledStartDate)]
        }
        let attributes = unsafe attributes(of: "<Attachment", in: bytes, at: index) ?? []
        return attributes.filter { unsafe has("identifier", in: bytes, at: $0.name) }.dropFirst().map {
            let start = $0.name.lowerBound
            return PhoneSlip(offset: start, byteCount: $0.end - start, replacement: "", kind: .doubledIdentifier)
        }
    }

    /// The attributes of the tag at `index`, each with the place of its name and where its value ends.
    ///
    /// - Returns: `nil` if the tag has another name or is not well-formed.
    private static func attributes(
        of tag: StaticString,
        in bytes: UnsafeRawBufferPointer,
        at index: Int
    ) -> [(name: Range<Int>, end: Int)]? {
        var place = index + tag.utf8CodeUnitCount
        guard place <= bytes.count, unsafe has(tag, in: bytes, at: index..<place) else { return nil }
        var attributes: [(name: Range<Int>, end: Int)] = []
        while true {
            let name = unsafe skip(bytes, from: place, while: isSpace)
            guard name < bytes.count else { return nil }
            if unsafe bytes[name] == UInt8(ascii: "/") || bytes[name] == UInt8(ascii: ">") { return attributes }
            // White space must separate a name from what precedes it.
            guard name > place else { return nil }
            // Neither names nor values contain `<`, so even if quotes are left open, each tag is read only up to the
            // next one.
            let nameEnd = unsafe skip(bytes, from: name) {
                !isSpace($0) && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: "<")
            }
            let equals = unsafe skip(bytes, from: nameEnd, while: isSpace)
            guard nameEnd > name, equals < bytes.count, unsafe bytes[equals] == UInt8(ascii: "=") else { return nil }
            let quote = unsafe skip(bytes, from: equals + 1, while: isSpace)
            guard quote < bytes.count else { return nil }
            let mark = unsafe bytes[quote]
            guard mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "'") else { return nil }
            let close = unsafe skip(bytes, from: quote + 1) { $0 != mark && $0 != UInt8(ascii: "<") }
            guard close < bytes.count, unsafe bytes[close] == mark else { return nil }
            place = close + 1
            attributes.append((name..<nameEnd, place))
        }
    }

    private static func has(_ text: StaticString, in bytes: UnsafeRawBufferPointer, at range: Range<Int>) -> Bool {
        text.withUTF8Buffer { unsafe bytes[range].elementsEqual($0) }
    }

    private static func skip(_ bytes: UnsafeRawBufferPointer, from start: Int, while isPassed: (UInt8) -> Bool) -> Int {
        var index = start
        while index < bytes.count, unsafe isPassed(bytes[index]) { index += 1 }
        return index
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
