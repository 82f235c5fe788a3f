internal import FHIRR4
internal import HealthExport
internal import OpenSSLCrypto

extension RecordMapper {
    /// Maps a record that differs from an earlier one of the batch only in its times and its number.
    ///
    /// Most do: what is between these is copied in one piece from where the earlier one was written, and the meaning of
    /// its metadata is known. Writes the same bytes as `map`.
    ///
    /// - Parameters:
    ///   - record: shares its fields with the record mapped before, and has its instants.
    ///   - bytes: what its ranges point into.
    ///   - entries: its metadata.
    ///   - metadata: the metadata of the whole batch.
    ///   - json: the resource is appended.
    ///   - rows: its row is appended.
    /// - Returns: whether that was possible; if not, nothing has changed.
    mutating func mapRepeated(
        _ record: RecordElement,
        _ bytes: UnsafePointer<UInt8>,
        _ entries: UnsafeBufferPointer<MetadataElement>,
        _ metadata: UnsafeBufferPointer<MetadataElement>,
        _ json: inout JSONBytes,
        _ rows: inout RawArray<EncodedResource>
    ) -> Bool {
        let (start, end) = (record.start, record.end)
        guard entries.count <= 1, record.beatList < 0, !record.isNested, start <= end, writer.options.isWanted(start),
            Self.hasTenDigits(start), Self.hasTenDigits(end)
        else { return false }
        let like = unsafe written.place(isPeriod: start < end, entries, bytes)
        guard unsafe written.isLike(like, lastTemplate, isPeriod: start < end, entries, metadata, bytes)
        else { return false }
        let earlier = written[like]
        let template = unsafe cache.pointer(lastTemplate)
        let text = unsafe bytes.bytes(of: record.value)
        let isPlain = unsafe template.pointee.isCanonical && Self.isShortWhole(text)
        var value: ExactDecimal?
        if unsafe !isPlain || template.pointee.isConverted || template.pointee.takesFractions {
            value = unsafe ExactDecimal(text)
            guard let value, unsafe !template.pointee.isExceeded(by: value) else { return false }
        }

        let (id, digest) = unsafe identity(
            of: record,
            template,
            isPlain ? nil : value,
            text,
            entries,
            earlier.metadataNumber,
            bytes
        )
        let place = json.count
        unsafe write(template, earlier, id, start, end, value, text, &json)
        unsafe template.pointee.records &+= 1
        unsafe template.pointee.written &+= 1
        unsafe rows.append(
            EncodedResource(
                id: id,
                digest: digest,
                rank: 0,
                kind: template.pointee.kind,
                start: UInt32(truncatingIfNeeded: place),
                count: UInt32(truncatingIfNeeded: json.count &- place),
                device: template.pointee.device,
                gateway: template.pointee.gateway
            )
        )
        return true
    }

    /// Remembers a record that was written in full, if others like it can be written as a copy.
    mutating func remember(
        _ input: RecordInput,
        json: Range<Int>,
        _ places: WrittenPlaces
    ) {
        let (record, entries, bytes) = unsafe (input.record, input.entries, input.bytes)
        let template = unsafe cache.pointer(lastTemplate)
        guard record.hasInstants, !record.isNested, record.start <= record.end, record.end != ExportDate.distantFuture,
            // An entry that shows a place may have been left out, while the batch still holds it.
            entries.count <= 1, entries.count == Int(record.metadataCount), input.metadata.onlyAdds, !zones.hasOwn,
            unsafe template.pointee.isRepeatable && template.pointee.identitySuffix.count == 0
        else { return }
        if let value = unsafe entries.first?.value {
            // For a date the digest has the instant, not the text.
            guard unsafe ExportDate.seconds(bytes.bytes(of: value)) == nil else { return }
        }
        let isPeriod = record.start < record.end
        written[unsafe written.place(isPeriod: isPeriod, entries, bytes)] = WrittenRecord(
            template: lastTemplate,
            firstEntry: Int(record.firstMetadata),
            entryCount: entries.count,
            metadataNumber: unsafe metadataNumber(of: entries, bytes),
            isPeriod: isPeriod,
            start: json.lowerBound,
            count: json.count,
            places: places
        )
    }

    /// The number of the one entry that a record may have, by its bytes in the digest; 0 without one, -1 if it gets
    /// none.
    private mutating func metadataNumber(
        of entries: UnsafeBufferPointer<MetadataElement>,
        _ bytes: UnsafePointer<UInt8>
    ) -> Int {
        guard let entry = unsafe entries.first else { return 0 }
        // Long ones are hardly ever seen again.
        guard entry.key.count &+ entry.value.count <= 256 else { return -1 }
        tail.removeAll()
        let target = unsafe tail.reserve(Int(entry.key.count) &+ Int(entry.value.count) &+ 2)
        var count = unsafe Self.putField(entry.key, bytes, to: target)
        count &+= unsafe Self.putField(entry.value, bytes, to: target + count)
        let text = unsafe UnsafeRawBufferPointer(start: target, count: count)
        if let number = unsafe metadataNumbers.number(of: text) { return number + 1 }
        return metadataNumbers.isFull ? -1 : unsafe metadataNumbers.insert(text) + 1
    }

    /// The id and the digest as `identity(…)` makes them, for a record whose metadata do not change its id; `value` is
    /// `nil` if the text itself goes into the id.
    private mutating func identity(
        of record: RecordElement,
        _ template: UnsafePointer<RecordTemplate>,
        _ value: ExactDecimal?,
        _ text: UnsafeRawBufferPointer,
        _ entries: UnsafeBufferPointer<MetadataElement>,
        _ metadataNumber: Int,
        _ bytes: UnsafePointer<UInt8>
    ) -> (id: ResourceID, digest: UInt64) {
        let entry = unsafe entries.first
        let entryCount = entry.map { Int($0.key.count) &+ Int($0.value.count) &+ 2 } ?? 0
        tail.removeAll()
        let target = unsafe tail.reserve(512 &+ text.count &+ entryCount &+ SHA256Midstate.paddingByteCount)
        let short = unsafe ShortText(text)
        let name = unsafe name(record, template, value, text, short, target)
        let id = ResourceID(high: name.first, low: name.second)
        var message: RecentDigests.Message?
        if metadataNumber >= 0, let short {
            let asked = RecentDigests.Message(head: lastTemplate, short, rest: metadataNumber)
            if let digest = digests.digest(of: asked) { return (id, digest) }
            message = asked
        }
        var count = unsafe Self.put(text, to: target)
        if let entry {
            count &+= unsafe Self.putField(entry.key, bytes, to: target + count)
            count &+= unsafe Self.putField(entry.value, bytes, to: target + count)
        }
        let head = unsafe template.pointee.digestHead
        let digest = unsafe hash.digest(head, paddingTail: target, count: count).first
        if let message { digests.remember(digest, of: message) }
        return (id, digest)
    }

    /// The hash that becomes the id; `short` is the text if it is short.
    @inline(__always)
    private mutating func name(
        _ record: RecordElement,
        _ template: UnsafePointer<RecordTemplate>,
        _ value: ExactDecimal?,
        _ text: UnsafeRawBufferPointer,
        _ short: ShortText?,
        _ target: UnsafeMutableRawPointer
    ) -> SHA256Digest {
        var number = short
        var count = text.count
        if let value {
            count = unsafe template.pointee.canonicalUnit.canonical(value).write(to: target + Self.timesByteCount)
            number = unsafe ShortText(UnsafeRawBufferPointer(start: target + Self.timesByteCount, count: count))
        }
        let head = unsafe template.pointee.identityHead
        if let number {
            return hash.digest(
                head,
                closedTail: Self.times(record, before: number),
                count: Self.timesByteCount &+ count
            )
        }
        unsafe Self.writeTenDigits(record.start, to: target)
        unsafe target.storeBytes(of: 0x1F, toByteOffset: 10, as: UInt8.self)
        unsafe Self.writeTenDigits(record.end, to: target + 11)
        unsafe target.storeBytes(of: 0x1F, toByteOffset: 21, as: UInt8.self)
        if value == nil { _ = unsafe Self.put(text, to: target + Self.timesByteCount) }
        return unsafe hash.digest(head, paddingTail: target, count: Self.timesByteCount &+ count)
    }

    /// Two times of ten digits, with a separator after each.
    private static let timesByteCount = 22

    /// Both times and a number as the last block of a message, composed without writing to memory.
    @inline(__always)
    private static func times(_ record: RecordElement, before number: ShortText) -> SIMD8<UInt64> {
        let start = tenDigits(record.start)
        let end = record.end == record.start ? start : tenDigits(record.end)
        // The byte that ends the message, if it is among the number's sixteen.
        let close: UInt64 = 0x80 &<< UInt64(truncatingIfNeeded: number.count &* 8)
        let low = number.low | (number.count < 8 ? close : 0)
        let high = number.high | (number.count >= 8 && number.count < 16 ? close : 0)
        let after: UInt64 = number.count == 16 ? 0x80 << 48 : 0
        return SIMD8(
            start.two | start.eight << 16,
            start.eight >> 48 | 0x1F << 16 | end.two << 24 | end.eight << 40,
            end.eight >> 24 | 0x1F << 40 | low << 48,
            low >> 16 | high << 48,
            high >> 16 | after,
            0,
            0,
            0
        )
    }

    /// How many bytes after a number may be overwritten.
    private static let roomAfterNumber = 16

    /// Writes a number's text, and returns its length; sixteen bytes must be readable and writable from its start.
    @inline(__always)
    private static func put(_ text: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) -> Int {
        guard let base = text.baseAddress else { return 0 }
        if text.count <= 16 {
            // A call would cost more than copying the bytes.
            unsafe target.storeBytes(of: base.loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
        } else {
            unsafe target.copyMemory(from: base, byteCount: text.count)
        }
        return text.count
    }

    /// Writes a separator and the bytes of a range, and returns how many.
    private static func putField(
        _ range: AttributeRange,
        _ bytes: UnsafePointer<UInt8>,
        to target: UnsafeMutableRawPointer
    ) -> Int {
        unsafe target.storeBytes(of: 0x1F, as: UInt8.self)
        unsafe (target + 1).copyMemory(from: bytes + Int(range.start), byteCount: Int(range.count))
        return Int(range.count) &+ 1
    }

    /// Writes an earlier record's Observation again, with this one's id, times and number.
    private mutating func write(
        _ template: UnsafePointer<RecordTemplate>,
        _ earlier: WrittenRecord,
        _ id: ResourceID,
        _ start: Int64,
        _ end: Int64,
        _ value: ExactDecimal?,
        _ text: UnsafeRawBufferPointer,
        _ json: inout JSONBytes
    ) {
        let places = earlier.places
        // Room for a number as written or as converted.
        let target = unsafe json.reserve(earlier.count &+ 512 &+ text.count)
        let source = unsafe target - (json.count &- earlier.start)
        unsafe target.copyMemory(from: source, byteCount: earlier.count)
        let id = id.written
        let name = unsafe target + Int(template.pointee.beforeID.count)
        unsafe id.write(to: name)
        unsafe id.write(to: name + ResourceID.byteCount + Int(template.pointee.beforeIdentifier.count))
        let instant = unsafe target + places.effective + (earlier.isPeriod ? Self.toPeriod : Self.toDateTime)
        _ = unsafe dates.write(start, offsetMinutes: nil, to: instant)
        if earlier.isPeriod { _ = unsafe dates.write(end, offsetMinutes: nil, to: instant + Self.toPeriodEnd) }

        let number = unsafe target + places.value
        let numberCount =
            if let value {
                unsafe Self.writeNumber(value, text, template.pointee.conversion, to: number)
            } else {
                unsafe Self.put(text, to: number)
            }
        var place = unsafe number + numberCount
        let rest = earlier.count &- places.value &- places.valueCount
        // A number of the same length has overwritten no more than some bytes after it.
        let lost = numberCount == places.valueCount ? min(rest, Self.roomAfterNumber) : rest
        unsafe place.copyMemory(from: source + places.value + places.valueCount, byteCount: lost)
        unsafe place += rest
        unsafe id.write(to: place - Int(template.pointee.end.count) - ResourceID.byteCount)
        unsafe json.advance(by: place - target)
    }

    /// How far the instants, each of 20 bytes, are from the start of the time's element: after `"effectiveDateTime":"`,
    /// or after `"effectivePeriod":{"start":"`; and how far the end is from the start, with `","end":"` between them.
    private static let toDateTime = 21
    private static let toPeriod = 28
    private static let toPeriodEnd = 29
}
