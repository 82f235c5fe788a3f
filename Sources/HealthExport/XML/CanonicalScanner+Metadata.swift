extension CanonicalScanner {
    /// Where a record's metadata is, from the end of its start tag to the end of its end tag.
    struct MetadataStretch {
        var start = 0
        var end = 0
        /// Its entries in the batch.
        var firstEntry = 0
        var entryCount = 0
        var lineBreakCount: UInt64 = 0
    }

    /// Reads `MetadataEntry` children, a list of beats and `</Record>`; returns where that ends, or 0.
    mutating func children(
        _ start: Int,
        _ record: inout RecordElement,
        _ offset: UInt64,
        _ batch: inout ElementBatch
    ) -> Int {
        if let end = repeatedMetadata(start, &batch) { return end }
        let (firstEntry, former) = (batch.metadata.count, lineBreakCount)
        var cursor = skipBlanks(start)
        while cursor + 32 < text.readableEnd, text.reads("<Metadat", at: cursor),
            text.reads("aEntry k", at: cursor + 8), text.reads("ry key=\"", at: cursor + 12)
        {
            let keyStart = cursor + 20
            let keyEnd = text.valueEnd(keyStart, allowsEntities: false)
            guard keyEnd > 0, text.reads(" value=\"", at: keyEnd + 1) else { return 0 }
            let valueStart = keyEnd + 9
            let valueEnd = text.valueEnd(valueStart, allowsEntities: false)
            guard valueEnd > 0, text.byte(valueEnd + 1) == UInt8(ascii: "/"),
                text.byte(valueEnd + 2) == UInt8(ascii: ">")
            else { return 0 }
            batch.metadata.append(
                MetadataElement(
                    key: AttributeRange(
                        start: UInt32(truncatingIfNeeded: keyStart),
                        count: UInt32(truncatingIfNeeded: keyEnd - keyStart)
                    ),
                    value: AttributeRange(
                        start: UInt32(truncatingIfNeeded: valueStart),
                        count: UInt32(truncatingIfNeeded: valueEnd - valueStart)
                    )
                )
            )
            cursor = skipBlanks(valueEnd + 3)
        }
        if cursor + 8 < text.readableEnd, text.reads("<HeartRa", at: cursor) {
            cursor = beatList(cursor, &record, offset, &batch)
            guard cursor > 0 else { return 0 }
            cursor = skipBlanks(cursor)
        }
        guard cursor + 9 <= text.end, text.reads("</Record", at: cursor), text.byte(cursor + 8) == UInt8(ascii: ">")
        else { return 0 }
        if record.beatList < 0 {
            lastMetadata = MetadataStretch(
                start: start,
                end: cursor + 9,
                firstEntry: firstEntry,
                entryCount: batch.metadata.count - firstEntry,
                lineBreakCount: lineBreakCount &- former
            )
        }
        return cursor + 9
    }

    /// The same if all of it equals, byte for byte, what followed an earlier record; `nil` if not.
    @inline(__always)
    private mutating func repeatedMetadata(_ start: Int, _ batch: inout ElementBatch) -> Int? {
        let count = lastMetadata.end - lastMetadata.start
        guard count > 0, start + count <= text.end, text.isEqual(start, lastMetadata.start, count) else { return nil }
        let shift = start - lastMetadata.start
        for index in lastMetadata.firstEntry..<lastMetadata.firstEntry + lastMetadata.entryCount {
            let entry = batch.metadata[index]
            batch.metadata.append(MetadataElement(key: entry.key.moved(by: shift), value: entry.value.moved(by: shift)))
        }
        addLineBreaks(lastMetadata.lineBreakCount)
        return start + count
    }
}
