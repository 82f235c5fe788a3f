internal import FHIRR4
internal import HealthExport

/// Metadata JSON entry by entry, for records whose entries no other record has: an app's own ids, a pressure, a note.
///
/// What an entry adds depends on the entry alone, unless it shares an element with others. So what a key becomes is
/// looked up once, the meanings of keys with few values are kept, and a text or a number is written where it belongs.
// None of its types is private: if a struct that can't be copied holds a RawArray of a private type, Swift 6.3.1 stops
// with an assertion in a debug build.
struct MetadataEntryCache: ~Copyable {
    /// How entries with a key are written.
    enum Rule: BitwiseCopyable {
        /// They are not written: they are read elsewhere, or not wanted.
        case nothing
        /// Their text, with the same JSON around it.
        case text
        /// What their value means.
        case value
        /// Their number, with JSON around it that depends on the unit.
        case quantity
        /// Not written if it is 0, else together with the others.
        case flag
        /// Together with others that describe the same element.
        case together
    }

    enum Place: BitwiseCopyable { case none, identifiers, elements, components, extensions }

    /// What an entry becomes: the JSON before its text, the text if there is one, and the JSON after it.
    struct Part: BitwiseCopyable {
        var place = Place.none
        var opening = RecordTemplate.Piece()
        var text = AttributeRange.absent
        var form = Form.string
        var closing = RecordTemplate.Piece()
        /// Whether the table does not know the unit or the value.
        var isUnmapped = false
    }

    /// How the text of a part is written.
    enum Form: BitwiseCopyable {
        case string, number
        /// An instant, in seconds since 1970.
        case instant(Int64)
    }

    struct Key: BitwiseCopyable {
        var rule: Rule
        var part = Part()
        /// What comes before an instant instead of before a text.
        var instantOpening = RecordTemplate.Piece()
    }

    private static let limit = 1 << 10
    private static let maximumByteCount = 256 << 10
    /// Longer keys and values are not kept: there might be a thousand of any length.
    private static let maximumNameByteCount = 1 << 10
    /// Stand-ins for a number, a text and an instant in JSON that others will be put into.
    private static let sampleNumber = "123456789.987654321"
    private static let sampleText = "text"
    private static let sampleInstant = "1970-01-01 00:00:00 +0000"

    private var keyNames = InternedBytes(limit: limit)
    private var keys = RawArray<Key>(capacity: 64)
    private var valueNames = InternedBytes(limit: limit)
    private var values = RawArray<Part>(capacity: 64)
    private var name = JSONBytes(capacity: 256)
    /// The JSON around texts, and what values become.
    private var pieces = JSONBytes(capacity: 1 << 12)
    private var dates = FHIRDateTimeWriter()
    /// The parts of the current record, in the order of its keys.
    private var parts = RawArray<Part>(capacity: 16)

    /// Appends what the entries add; `nil`, with nothing appended, if only all of them together show it.
    mutating func write(
        _ entries: MetadataCache.Entries,
        _ meaning: MetadataCache.Meaning,
        by mapper: MetadataMapper,
        to json: inout JSONBytes
    ) -> MetadataJSON? {
        if keyNames.isFull || valueNames.isFull || pieces.count > Self.maximumByteCount { forget() }
        parts.removeAll()
        var last = AttributeRange.absent
        var hasElement = false
        var result = MetadataJSON()
        for place in unsafe entries.order.indices {
            let entry = unsafe entries.all[Int(entries.order[place])]
            guard unsafe !FHIRText.isBlank(entries.text(entry.key)) && !FHIRText.isBlank(entries.text(entry.value))
            else { continue }
            if last.isPresent, entries.isEqual(last, entry.key) { return nil }
            last = entry.key
            guard let part = part(entry, entries, meaning, by: mapper) else { return nil }
            if part.place == .elements {
                if hasElement { return nil }
                hasElement = true
            }
            if part.place != .none { parts.append(part) }
            if part.isUnmapped { result.hasUnmapped = true }
        }
        result.identifiers = append(.identifiers, entries, to: &json)
        result.elements = append(.elements, entries, to: &json)
        result.components = append(.components, entries, to: &json)
        result.extensions = append(.extensions, entries, to: &json)
        return result
    }

    private mutating func forget() {
        keyNames.removeAll()
        keys.removeAll()
        valueNames.removeAll()
        values.removeAll()
        pieces.removeAll()
    }

    /// What an entry becomes; `nil` if that can't be told without the others.
    private mutating func part(
        _ entry: MetadataElement,
        _ entries: MetadataCache.Entries,
        _ meaning: MetadataCache.Meaning,
        by mapper: MetadataMapper
    ) -> Part? {
        let (name, value) = unsafe (entries.text(entry.key), entries.text(entry.value))
        guard let key = unsafe key(name, by: mapper) else { return nil }
        switch key.rule {
        case .nothing: return meaning.hasZone && meaning.places.contains(.udi) ? key.part : nil
        case .together: return nil
        case .flag: return unsafe value.elementsEqual("0".utf8) ? key.part : nil
        case .text:
            var part = key.part
            part.text = entry.value
            // An instant is not written as a text, except in identifiers.
            if part.place == .extensions, let seconds = unsafe ExportDate.seconds(value),
                FHIRDateTime.range.contains(seconds)
            {
                part.opening = key.instantOpening
                part.form = .instant(seconds)
            }
            return part
        case .quantity:
            guard let count = unsafe Self.numberCount(value) else { fallthrough }
            let unit = unsafe UnsafeRawBufferPointer(rebasing: value[count...])
            var part = unsafe self.value(name, Self.sampleNumber, unit, meaning.places, by: mapper)
            part?.text = AttributeRange(start: entry.value.start, count: UInt32(count))
            part?.form = .number
            return part
        case .value: return unsafe self.value(name, "", value, meaning.places, by: mapper)
        }
    }

    /// How many bytes of a quantity such as `418 cm` are its number, if JSON can hold that as it is.
    private static func numberCount(_ value: UnsafeRawBufferPointer) -> Int? {
        let count = unsafe value.firstIndex(of: UInt8(ascii: " ")) ?? value.count
        guard let number = unsafe ExactDecimal(UnsafeRawBufferPointer(rebasing: value[..<count])), number.isShort
        else { return nil }
        return count
    }

    /// How entries with a key are written; `nil` if there is no room for more.
    private mutating func key(_ name: UnsafeRawBufferPointer, by mapper: MetadataMapper) -> Key? {
        if let number = unsafe keyNames.number(of: name) { return keys[number] }
        guard !keyNames.isFull, name.count <= Self.maximumNameByteCount else { return nil }
        let text = unsafe String(decoding: name, as: UTF8.self)
        var key = Key(rule: Self.rule(of: text, keepsRest: mapper.keepsRest))
        if key.rule == .text {
            key.part = part(text, Self.sampleText, by: mapper)
            split(&key.part, around: "\"\(Self.sampleText)\"")
            // An instant is not written as a text, except in identifiers.
            if key.part.place == .extensions {
                var instant = part(text, Self.sampleInstant, by: mapper)
                split(&instant, around: "\"\(FHIRDateTime.utcText(0))\"")
                key.instantOpening = instant.opening
            }
        }
        _ = unsafe keyNames.insert(name)
        keys.append(key)
        return key
    }

    private static func rule(of key: String, keepsRest: Bool) -> Rule {
        switch MetadataRule.rules.value(ofExactly: key) {
        case .elsewhere: .nothing
        case .identifier: .text
        case .extension(.text), nil: keepsRest ? .text : .nothing
        case .extension(.quantity), .extension(.levelDifference), .component(_, .quantity),
            .component(_, .levelDifference):
            .quantity
        case .extension, .component, .bodySite, .method: .value
        case .laboratory, .lowerBound, .upperBound: .flag
        case .rangeLow, .rangeHigh: .together
        }
    }

    /// What a value becomes, with `number` before it; `nil` if there is no room for more.
    ///
    /// With `sampleNumber` the result is the JSON around any number.
    private mutating func value(
        _ key: UnsafeRawBufferPointer,
        _ number: String,
        _ value: UnsafeRawBufferPointer,
        _ places: MetadataPlaces,
        by mapper: MetadataMapper
    ) -> Part? {
        name.removeAll()
        name.append(places.rawValue)
        unsafe name.append(key)
        name.append(number.isEmpty ? 0x1F : 0x1E)
        unsafe name.append(value)
        if let number = unsafe name.withBytes({ unsafe valueNames.number(of: $0) }) { return values[number] }
        guard !valueNames.isFull, name.count <= Self.maximumNameByteCount else { return nil }
        let text = unsafe number + String(decoding: value, as: UTF8.self)
        var part = part(unsafe String(decoding: key, as: UTF8.self), text, places, by: mapper)
        // A unit may contain the sample too, after the number.
        if !number.isEmpty, part.place != .none { split(&part, around: number, isLast: false) }
        _ = unsafe name.withBytes { unsafe valueNames.insert($0) }
        values.append(part)
        return part
    }

    /// What an entry becomes by itself.
    private mutating func part(
        _ key: String,
        _ value: String,
        _ places: MetadataPlaces = [],
        by mapper: MetadataMapper
    ) -> Part {
        let elements = mapper.map([(key: key, value: value)], places: places)
        func piece(_ place: Place, _ write: (inout JSONBytes) -> Void) -> Part? {
            let piece = pieces.piece(write)
            return piece.count > 0 ? Part(place: place, opening: piece, isUnmapped: !elements.unmapped.isEmpty) : nil
        }
        return piece(.identifiers) { MetadataElements.write(elements.identifiers, to: &$0) }
            ?? piece(.elements) { elements.writeElements(to: &$0) }
            ?? piece(.components) { MetadataElements.write(elements.components, to: &$0) }
            ?? piece(.extensions) { MetadataElements.write(elements.extensions, to: &$0) }
            ?? Part()
    }

    /// Takes a sample out of the JSON that was made from it, so that other texts can be put in its place.
    ///
    /// - Parameters:
    ///   - part: what was made from the sample.
    ///   - sample: the sample as JSON shows it.
    ///   - isLast: whether to take its last occurrence, as a key before it may look the same.
    private func split(_ part: inout Part, around sample: String, isLast: Bool = true) {
        let whole = part.opening
        let range = Int(whole.start)..<Int(whole.start + whole.count)
        let start = unsafe pieces.withBytes { all in
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: all[range])
            func isSample(_ start: Int) -> Bool { unsafe bytes[start...].starts(with: sample.utf8) }
            return isLast ? bytes.indices.last(where: isSample) : bytes.indices.first(where: isSample)
        }
        guard let start else { preconditionFailure("a value was written without itself") }
        let end = UInt32(start + sample.utf8.count)
        part.opening = whole.part(0..<UInt32(start))
        part.closing = whole.part(end..<whole.count)
    }

    /// Appends the parts that go into one place.
    private mutating func append(
        _ place: Place,
        _ entries: MetadataCache.Entries,
        to json: inout JSONBytes
    ) -> RecordTemplate.Piece {
        json.piece { json in
            for index in 0..<parts.count where parts[index].place == place {
                let part = parts[index]
                append(part.opening, to: &json)
                if part.text.isPresent {
                    switch part.form {
                    case .string: unsafe json.appendString(entries.text(part.text))
                    case .number: unsafe json.append(entries.text(part.text))
                    case .instant(let seconds):
                        json.append(UInt8(ascii: "\""))
                        let target = unsafe json.reserve(25)
                        unsafe json.advance(by: dates.write(seconds, offsetMinutes: nil, to: target))
                        json.append(UInt8(ascii: "\""))
                    }
                }
                append(part.closing, to: &json)
            }
        }
    }

    private func append(_ piece: RecordTemplate.Piece, to json: inout JSONBytes) {
        guard piece.count > 0 else { return }
        unsafe pieces.withBytes { all in
            let start = Int(piece.start)
            unsafe json.append(UnsafeRawBufferPointer(rebasing: all[start..<start + Int(piece.count)]))
        }
    }
}
