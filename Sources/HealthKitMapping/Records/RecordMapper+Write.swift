internal import FHIRR4
internal import HealthExport

extension RecordMapper {
    /// Where parts of an Observation are, counted from its start.
    struct WrittenPlaces: BitwiseCopyable {
        /// The element of its time.
        var effective = 0
        /// Its number.
        var value = 0
        var valueCount = 0
    }

    /// Writes the Observation of a record.
    mutating func write(
        _ input: RecordInput,
        _ resolved: ResolvedRecord,
        _ id: ResourceID,
        _ added: MetadataJSON,
        _ json: inout JSONBytes
    ) -> WrittenPlaces {
        let template = unsafe resolved.template
        let (start, end) = (resolved.start, resolved.writtenEnd)
        let beatCount = input.hasBeats ? beats.components.count : 0
        let fixed = unsafe Self.fixedByteCount(template) + added.byteCount + beatCount
        let zone = offsets(of: input, start, end)
        // Room for ids, two times with zones, and a number as written or as converted.
        let target = unsafe json.reserve(fixed + 1280 + input.value.count)
        var dates = dates
        var places = WrittenPlaces()
        let count = unsafe cache.pieces.bytes.withBytes { all in
            unsafe metadataCache.withPieces(of: added) { more in
                guard let pieces = all.baseAddress, let morePieces = more.baseAddress else { return 0 }
                let added = unsafe beats.components.withBytes { beats in
                    unsafe Added(
                        pieces: morePieces,
                        json: added,
                        beats: UnsafeRawBufferPointer(start: beats.baseAddress, count: beatCount)
                    )
                }
                var cursor = unsafe JSONCursor(target, id)
                unsafe Self.writeOpening(template, id, pieces, added, to: &cursor)
                places.effective = unsafe cursor.place - target
                Self.writeEffective(start, end, zone, &dates, to: &cursor)
                unsafe cursor.put(pieces, template.pointee.beforeValue)
                places.value = unsafe cursor.place - target
                if unsafe !template.pointee.valueIsFixed, let value = resolved.value {
                    let conversion = unsafe template.pointee.conversion
                    places.valueCount = unsafe Self.writeNumber(value, input.value, conversion, to: cursor.place)
                    unsafe cursor.place += places.valueCount
                }
                unsafe Self.writeClosing(template, pieces, added, to: &cursor)
                return unsafe cursor.place - target
            }
        }
        self.dates = dates
        unsafe json.advance(by: count)
        return places
    }

    /// The offsets of a record's times; none for UTC.
    private mutating func offsets(of input: RecordInput, _ start: Int64, _ end: Int64) -> RecordZones.Offsets {
        guard input.metadata.timeZone.isPresent || zones.hasOwn else { return RecordZones.Offsets() }
        return unsafe zones.offsets(start, end, in: input.bytes.bytes(of: input.metadata.timeZone))
    }

    /// Everything before the effective time.
    private static func writeOpening(
        _ template: UnsafePointer<RecordTemplate>,
        _ id: ResourceID,
        _ pieces: UnsafeRawPointer,
        _ added: Added,
        to cursor: inout JSONCursor
    ) {
        unsafe cursor.put(pieces, template.pointee.beforeID)
        if unsafe template.pointee.hasOwnID {
            cursor.putID()
        } else {
            unsafe id.writeUUID(to: cursor.place)
            unsafe cursor.place += ResourceID.uuidByteCount
        }
        unsafe cursor.put(pieces, template.pointee.beforeIdentifier)
        cursor.putID()
        let piece = unsafe template.pointee.beforeEffective
        guard added.json.identifiers.count > 0 else { return unsafe cursor.put(pieces, piece) }
        // After the end of our own identifier.
        unsafe cursor.put(pieces, piece.part(0..<2))
        unsafe cursor.put(added.pieces, added.json.identifiers)
        unsafe cursor.put(pieces, piece.part(2..<piece.count))
    }

    /// Everything after the number.
    private static func writeClosing(
        _ template: UnsafePointer<RecordTemplate>,
        _ pieces: UnsafeRawPointer,
        _ added: Added,
        to cursor: inout JSONCursor
    ) {
        let piece = unsafe template.pointee.afterValue
        let json = added.json
        let beats = unsafe added.beats
        if json.byteCount > 0 || beats.count > 0 {
            let (deviceEnd, gatewayEnd) = unsafe (template.pointee.deviceEnd, template.pointee.gatewayEnd)
            if unsafe !template.pointee.valueIsFixed { unsafe cursor.put(added.pieces, json.comparator) }
            unsafe cursor.put(pieces, piece.part(0..<deviceEnd))
            unsafe cursor.put(added.pieces, json.elements)
            if json.components.count > 0 || beats.count > 0 {
                // The bracket replaces the first one's comma.
                cursor.put(",\"component\":")
                let first = unsafe cursor.place
                unsafe cursor.put(added.pieces, json.components)
                unsafe cursor.put(beats)
                unsafe first.storeBytes(of: UInt8(ascii: "["), as: UInt8.self)
                cursor.put("]")
            }
            unsafe cursor.put(pieces, piece.part(deviceEnd..<gatewayEnd))
            if json.extensions.count > 0, deviceEnd == gatewayEnd {
                cursor.put(",\"extension\":")
                let first = unsafe cursor.place
                unsafe cursor.put(added.pieces, json.extensions)
                unsafe first.storeBytes(of: UInt8(ascii: "["), as: UInt8.self)
                cursor.put("]")
            } else {
                unsafe cursor.put(added.pieces, json.extensions)
            }
            unsafe cursor.put(pieces, piece.part(gatewayEnd..<piece.count))
        } else {
            unsafe cursor.put(pieces, piece)
        }
        guard unsafe template.pointee.hasTrailingID else { return }
        cursor.putID()
        unsafe cursor.put(pieces, template.pointee.end)
    }

    private static func fixedByteCount(_ template: UnsafePointer<RecordTemplate>) -> Int {
        unsafe Int(
            template.pointee.beforeID.count + template.pointee.beforeIdentifier.count
                + template.pointee.beforeEffective.count + template.pointee.beforeValue.count
                + template.pointee.afterValue.count + template.pointee.end.count
        )
    }

    /// The number as Apple wrote it, or converted if a rule says so.
    static func writeNumber(
        _ value: ExactDecimal,
        _ text: UnsafeRawBufferPointer,
        _ conversion: ValueConversion,
        to target: UnsafeMutableRawPointer
    ) -> Int {
        if case .asWritten = conversion, let base = text.baseAddress {
            // A FHIR decimal has at most 18 digits; Apple writes 17.
            if text.count > 18, unsafe significantDigitCount(text) > 18 {
                return unsafe value.writeShort(to: target)
            }
            unsafe target.copyMemory(from: base, byteCount: text.count)
            return text.count
        }
        let converted = conversion.apply(to: value)
        return unsafe converted.isShort ? converted.write(to: target) : converted.writeShort(to: target)
    }

    private static func significantDigitCount(_ number: UnsafeRawBufferPointer) -> Int {
        var count = 0
        for index in number.indices {
            let byte = unsafe number[index]
            guard byte != UInt8(ascii: "-") && byte != UInt8(ascii: ".") else { continue }
            guard byte &- 48 < 10 else { break }
            if count > 0 || byte != UInt8(ascii: "0") { count += 1 }
        }
        return count
    }

    /// `"effectiveDateTime":"…"`, or `effectivePeriod` where start and end differ; with the zone's name next to each
    /// time that is written with its offset.
    private static func writeEffective(
        _ start: Int64,
        _ end: Int64,
        _ zone: RecordZones.Offsets,
        _ dates: inout FHIRDateTimeWriter,
        to cursor: inout JSONCursor
    ) {
        func put(_ key: StaticString, _ seconds: Int64, _ minutes: Int?) {
            cursor.put("\"")
            cursor.put(key)
            cursor.put("\":\"")
            unsafe cursor.place += dates.write(seconds, offsetMinutes: minutes, to: cursor.place)
            cursor.put("\"")
            guard minutes != nil else { return }
            cursor.put(",\"_")
            cursor.put(key)
            cursor.put("\":{\"extension\":[{\"url\":\"http://hl7.org/fhir/StructureDefinition/tz-code\",")
            cursor.put("\"valueCode\":\"")
            unsafe zone.name.withUnsafeBytes { unsafe cursor.put($0) }
            cursor.put("\"}]}")
        }
        if start == end { return put("effectiveDateTime", start, zone.start) }
        cursor.put("\"effectivePeriod\":{")
        put("start", start, zone.start)
        // A period that has not ended has no end.
        if end != ExportDate.distantFuture {
            cursor.put(",")
            put("end", end, zone.end)
        }
        cursor.put("}")
    }
}

/// What metadata and beats add to a resource.
@safe
private struct Added {
    var pieces: UnsafeRawPointer
    var json: MetadataJSON
    /// Components, each with a comma before it.
    var beats: UnsafeRawBufferPointer
}

/// Where the next bytes of a resource go; the caller has made room.
@safe
private struct JSONCursor {
    var place: UnsafeMutableRawPointer
    /// The text of the resource's id, made once for its three places.
    private let id: WrittenResourceID

    init(_ place: UnsafeMutableRawPointer, _ id: ResourceID) {
        unsafe self.place = place
        self.id = id.written
    }

    mutating func put(_ pieces: UnsafeRawPointer, _ piece: RecordTemplate.Piece) {
        unsafe place.copyMemory(from: pieces + Int(piece.start), byteCount: Int(piece.count))
        unsafe place += Int(piece.count)
    }

    mutating func put(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        unsafe place.copyMemory(from: base, byteCount: bytes.count)
        unsafe place += bytes.count
    }

    /// Puts the id.
    mutating func putID() {
        unsafe id.write(to: place)
        unsafe place += ResourceID.byteCount
    }

    mutating func put(_ text: StaticString) {
        unsafe place.copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
        unsafe place += text.utf8CodeUnitCount
    }
}
