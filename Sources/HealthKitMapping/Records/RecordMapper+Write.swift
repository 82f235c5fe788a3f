internal import FHIRR4
internal import HealthExport

extension RecordMapper {
    /// Writes the Observation of a record.
    mutating func write(
        _ template: RecordTemplate, _ id: ResourceID, _ start: Int64, _ end: Int64,
        _ value: ExactDecimal?, _ valueText: UnsafeRawBufferPointer, _ metadata: RecordMetadata,
        _ bytes: UnsafePointer<UInt8>, _ json: inout JSONBytes
    ) {
        let fixed = Self.fixedByteCount(template)
        let isZoned = metadata.timeZone.isPresent || zone != nil
        let zoned = isZoned ? unsafe zonedEffective(start, end, metadata, bytes) : []
        // Ids, two times with zones, and a number as written or converted.
        let target = unsafe json.reserve(fixed + 1280 + valueText.count)
        var cursor = unsafe target
        func put(_ text: StaticString) {
            unsafe cursor.copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
            unsafe cursor += text.utf8CodeUnitCount
        }
        unsafe cache.pieces.withBytes { all in
            let pieces = all.baseAddress!
            func put(_ piece: RecordTemplate.Piece) {
                unsafe cursor.copyMemory(from: pieces + Int(piece.start), byteCount: Int(piece.count))
                unsafe cursor += Int(piece.count)
            }
            func putID() {
                unsafe id.write(to: cursor)
                unsafe cursor += ResourceID.byteCount
            }
            put(template.beforeID)
            if template.hasOwnID { putID() } else { unsafe cursor += Self.writeUUID(id, to: cursor) }
            put(template.beforeIdentifier)
            putID()
            put(template.beforeEffective)
            unsafe cursor += isZoned ? Self.copy(zoned, to: cursor) : Self.writeEffective(start, end, to: cursor)
            put(template.beforeValue)
            if !template.valueIsFixed, let value {
                unsafe cursor += Self.writeNumber(value, valueText, template.conversion, to: cursor)
            }
            put(template.afterValue)
            if template.hasTrailingID {
                putID()
                put(template.end)
            }
        }
        json.advance(by: unsafe cursor - target)
    }

    private static func fixedByteCount(_ template: RecordTemplate) -> Int {
        Int(
            template.beforeID.count + template.beforeIdentifier.count
                + template.beforeEffective.count + template.beforeValue.count
                + template.afterValue.count + template.end.count)
    }

    /// The number as Apple wrote it, or converted where a rule says so.
    private static func writeNumber(
        _ value: ExactDecimal, _ text: UnsafeRawBufferPointer, _ conversion: ValueConversion,
        to target: UnsafeMutableRawPointer
    ) -> Int {
        if case .asWritten = conversion, let base = text.baseAddress {
            unsafe target.copyMemory(from: base, byteCount: text.count)
            return text.count
        }
        return unsafe conversion.apply(to: value).write(to: target)
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
    private static func writeEffective(_ start: Int64, _ end: Int64, to target: UnsafeMutableRawPointer) -> Int {
        var cursor = unsafe target
        func put(_ text: StaticString) {
            unsafe cursor.copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
            unsafe cursor += text.utf8CodeUnitCount
        }
        if start == end {
            put("\"effectiveDateTime\":\"")
            unsafe cursor += FHIRDateTime.write(start, offsetMinutes: nil, to: cursor)
            put("\"")
        } else {
            put("\"effectivePeriod\":{\"start\":\"")
            unsafe cursor += FHIRDateTime.write(start, offsetMinutes: nil, to: cursor)
            put("\",\"end\":\"")
            unsafe cursor += FHIRDateTime.write(end, offsetMinutes: nil, to: cursor)
            put("\"}")
        }
        return unsafe cursor - target
    }

    /// The same with the offset in force in a real zone, and the zone's name beside each time.
    private mutating func zonedEffective(
        _ start: Int64, _ end: Int64, _ metadata: RecordMetadata, _ bytes: UnsafePointer<UInt8>
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
                    + "\"valueCode\":\"\(name)\"}]}")
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
            decoding: UnsafeBufferPointer(start: bytes + Int(range.start), count: Int(range.count)), as: UTF8.self)
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
