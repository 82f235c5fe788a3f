internal import FHIRR4
internal import HealthExport

extension RecordMapper {
    /// Writes the Observation of a record.
    mutating func write(
        _ template: UnsafePointer<RecordTemplate>,
        _ id: ResourceID,
        _ start: Int64,
        _ end: Int64,
        _ value: ExactDecimal?,
        _ valueText: UnsafeRawBufferPointer,
        _ metadata: RecordMetadata,
        _ added: MetadataJSON,
        _ bytes: UnsafePointer<UInt8>,
        _ json: inout JSONBytes
    ) {
        let fixed = unsafe Self.fixedByteCount(template) + added.byteCount
        let isZoned = metadata.timeZone.isPresent || zone != nil
        let zoned = isZoned ? unsafe zonedEffective(start, end, metadata, bytes) : []
        // Ids, two times with zones, and a number as written or converted.
        let target = unsafe json.reserve(fixed + 1280 + valueText.count)
        var cursor = unsafe target
        func putText(_ text: StaticString) {
            unsafe cursor.copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
            unsafe cursor += text.utf8CodeUnitCount
        }
        var dates = dates
        unsafe cache.pieces.bytes.withBytes { all in
            guard let pieces = all.baseAddress else { return }
            func put(_ piece: RecordTemplate.Piece) {
                unsafe cursor.copyMemory(from: pieces + Int(piece.start), byteCount: Int(piece.count))
                unsafe cursor += Int(piece.count)
            }
            func put(_ piece: RecordTemplate.Piece, _ range: Range<UInt32>) {
                put(RecordTemplate.Piece(start: piece.start + range.lowerBound, count: UInt32(range.count)))
            }
            func putAdded(_ piece: RecordTemplate.Piece, skipping skipped: UInt32 = 0) {
                guard piece.count > skipped else { return }
                func copy(_ all: UnsafeRawBufferPointer) {
                    guard let start = all.baseAddress else { return }
                    let count = Int(piece.count - skipped)
                    unsafe cursor.copyMemory(from: start + Int(piece.start + skipped), byteCount: count)
                    unsafe cursor += count
                }
                if added.isKept {
                    unsafe metadataCache.kept.withBytes { unsafe copy($0) }
                } else {
                    unsafe metadataCache.single.withBytes { unsafe copy($0) }
                }
            }
            func putID() {
                unsafe id.write(to: cursor)
                unsafe cursor += ResourceID.byteCount
            }
            unsafe put(template.pointee.beforeID)
            if unsafe template.pointee.hasOwnID { putID() } else { unsafe cursor += Self.writeUUID(id, to: cursor) }
            unsafe put(template.pointee.beforeIdentifier)
            putID()
            if added.identifiers.count > 0 {
                // Behind the closing of our own identifier.
                unsafe put(template.pointee.beforeEffective, 0..<2)
                putAdded(added.identifiers)
                unsafe put(template.pointee.beforeEffective, 2..<template.pointee.beforeEffective.count)
            } else {
                unsafe put(template.pointee.beforeEffective)
            }
            unsafe cursor +=
                isZoned ? Self.copy(zoned, to: cursor) : Self.writeEffective(start, end, &dates, to: cursor)
            unsafe put(template.pointee.beforeValue)
            if unsafe !template.pointee.valueIsFixed, let value {
                unsafe cursor += Self.writeNumber(value, valueText, template.pointee.conversion, to: cursor)
            }
            if added.byteCount > 0 {
                let piece = unsafe template.pointee.afterValue
                let (deviceEnd, gatewayEnd) = unsafe (template.pointee.deviceEnd, template.pointee.gatewayEnd)
                if unsafe !template.pointee.valueIsFixed { putAdded(added.comparator) }
                put(piece, 0..<deviceEnd)
                putAdded(added.elements)
                put(piece, deviceEnd..<gatewayEnd)
                if added.extensions.count > 0, deviceEnd == gatewayEnd {
                    putText(",\"extension\":[")
                    putAdded(added.extensions, skipping: 1)
                    putText("]")
                } else {
                    putAdded(added.extensions)
                }
                put(piece, gatewayEnd..<piece.count)
            } else {
                unsafe put(template.pointee.afterValue)
            }
            if unsafe template.pointee.hasTrailingID {
                putID()
                unsafe put(template.pointee.end)
            }
        }
        self.dates = dates
        json.advance(by: unsafe cursor - target)
    }

    private static func fixedByteCount(_ template: UnsafePointer<RecordTemplate>) -> Int {
        unsafe Int(
            template.pointee.beforeID.count + template.pointee.beforeIdentifier.count
                + template.pointee.beforeEffective.count + template.pointee.beforeValue.count
                + template.pointee.afterValue.count + template.pointee.end.count
        )
    }

    /// The number as Apple wrote it, or converted where a rule says so.
    private static func writeNumber(
        _ value: ExactDecimal,
        _ text: UnsafeRawBufferPointer,
        _ conversion: ValueConversion,
        to target: UnsafeMutableRawPointer
    ) -> Int {
        if case .asWritten = conversion, let base = text.baseAddress {
            // A FHIR decimal has 18 digits at most; Apple writes 17.
            if text.count > 18, unsafe significantDigitCount(text) > 18 {
                return unsafe value.writeShort(to: target)
            }
            unsafe target.copyMemory(from: base, byteCount: text.count)
            return text.count
        }
        return unsafe conversion.apply(to: value).write(to: target)
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

    private static func writeUUID(_ id: ResourceID, to target: UnsafeMutableRawPointer) -> Int {
        var text = id.uuid
        return text.withUTF8 { bytes in
            guard let base = bytes.baseAddress else { return 0 }
            unsafe target.copyMemory(from: base, byteCount: bytes.count)
            return bytes.count
        }
    }

    private static func copy(_ source: [UInt8], to target: UnsafeMutableRawPointer) -> Int {
        unsafe source.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return 0 }
            unsafe target.copyMemory(from: base, byteCount: bytes.count)
            return bytes.count
        }
    }

    /// `"effectiveDateTime":"…"`, or `effectivePeriod` where start and end differ; in UTC.
    private static func writeEffective(
        _ start: Int64,
        _ end: Int64,
        _ dates: inout FHIRDateTimeWriter,
        to target: UnsafeMutableRawPointer
    ) -> Int {
        var cursor = unsafe target
        func put(_ text: StaticString) {
            unsafe cursor.copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
            unsafe cursor += text.utf8CodeUnitCount
        }
        if start == end {
            put("\"effectiveDateTime\":\"")
            unsafe cursor += dates.write(start, offsetMinutes: nil, to: cursor)
            put("\"")
        } else {
            put("\"effectivePeriod\":{\"start\":\"")
            unsafe cursor += dates.write(start, offsetMinutes: nil, to: cursor)
            put("\",\"end\":\"")
            unsafe cursor += dates.write(end, offsetMinutes: nil, to: cursor)
            put("\"}")
        }
        return unsafe cursor - target
    }

    /// The same with the offset in force in a real zone, and the zone's name beside each time.
    private mutating func zonedEffective(
        _ start: Int64,
        _ end: Int64,
        _ metadata: RecordMetadata,
        _ bytes: UnsafePointer<UInt8>
    ) -> [UInt8] {
        var json = JSONBytes(capacity: 512)
        func time(_ key: String, _ seconds: Int64, _ zone: inout ZoneOffsets?, _ json: inout JSONBytes) {
            let minutes = zone?.minutes(at: seconds)
            json.append("\"\(key)\":\"")
            let target = unsafe json.reserve(25)
            json.advance(by: unsafe FHIRDateTime.write(seconds, offsetMinutes: minutes, to: target))
            json.append("\"")
            guard let name = zone?.name, minutes != nil else { return }
            json.append(
                ",\"_\(key)\":{\"extension\":[{\"url\":\"http://hl7.org/fhir/StructureDefinition/tz-code\","
                    + "\"valueCode\":\"\(name)\"}]}"
            )
        }
        func write(_ zone: inout ZoneOffsets?) {
            if start == end { return time("effectiveDateTime", start, &zone, &json) }
            json.append("\"effectivePeriod\":{")
            time("start", start, &zone, &json)
            json.append(",")
            time("end", end, &zone, &json)
            json.append("}")
        }
        guard metadata.timeZone.isPresent else {
            write(&zone)
            return unsafe json.withBytes { unsafe Array($0) }
        }
        let range = metadata.timeZone
        let name = unsafe String(
            decoding: UnsafeBufferPointer(start: bytes + Int(range.start), count: Int(range.count)),
            as: UTF8.self
        )
        if zones[name] == nil {
            if zones.count > 1000 { zones.removeAll() }
            zones[name] = .some(ZoneOffsets(name: name))
        }
        if var own = zones[name] ?? nil {
            var boxed: ZoneOffsets? = own
            write(&boxed)
            if let boxed { own = boxed }
            zones[name] = own
        } else {
            write(&zone)
        }
        return unsafe json.withBytes { unsafe Array($0) }
    }
}
