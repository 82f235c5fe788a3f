extension CanonicalScanner {
    /// Reads a list of beats into a tree of `batch`, copying the values; returns where it ends, or 0.
    ///
    ///     <HeartRateVariabilityMetadataList>
    ///      <InstantaneousBeatsPerMinute bpm="62" time="6:14:48,94 PM"/>
    ///     </HeartRateVariabilityMetadataList>
    mutating func beatList(
        _ start: Int,
        _ record: inout RecordElement,
        _ offset: UInt64,
        _ batch: inout ElementBatch
    ) -> Int {
        guard start + 64 < text.readableEnd, text.reads("teVariab", at: start + 8),
            text.reads("ilityMet", at: start + 16),
            text.reads("adataLis", at: start + 24), text.byte(start + 32) == UInt8(ascii: "t"),
            text.byte(start + 33) == UInt8(ascii: ">")
        else { return 0 }
        let recordCount = UInt32(truncatingIfNeeded: batch.records.count)
        var tree = ElementTree(
            firstNode: UInt32(truncatingIfNeeded: batch.nodes.count),
            nodeCount: 0,
            recordCount: recordCount,
            firstRecord: recordCount,
            isBeatList: true
        )
        record.beatList = Int32(truncatingIfNeeded: batch.trees.count)
        batch.nodes.append(
            ElementNode(
                name: .heartRateVariabilityMetadataList,
                depth: 0,
                firstAttribute: UInt32(truncatingIfNeeded: batch.attributes.count),
                attributeCount: 0,
                byteOffset: offset &+ UInt64(start + 33)
            )
        )
        // The tree exists from now on, so that `removeBeats` finds what to remove.
        batch.trees.append(tree)
        let names = names(in: &batch)
        var cursor = skipBlanks(start + 34)
        while cursor + 64 < text.readableEnd, text.reads("<Instant", at: cursor),
            text.reads("aneousBe", at: cursor + 8),
            text.reads("atsPerMi", at: cursor + 16), text.reads("nute bpm", at: cursor + 24),
            text.byte(cursor + 32) == UInt8(ascii: "="), text.byte(cursor + 33) == UInt8(ascii: "\"")
        {
            let rate = cursor + 34
            let rateEnd = text.valueEnd(rate, allowsEntities: false)
            guard rateEnd > 0, text.reads("\" time=\"", at: rateEnd) else { return 0 }
            let time = rateEnd + 8
            let timeEnd = text.valueEnd(time, allowsEntities: false)
            guard timeEnd > 0, text.byte(timeEnd + 1) == UInt8(ascii: "/"), text.byte(timeEnd + 2) == UInt8(ascii: ">")
            else { return 0 }
            batch.nodes.append(
                ElementNode(
                    name: .instantaneousBeatsPerMinute,
                    depth: 1,
                    firstAttribute: UInt32(truncatingIfNeeded: batch.attributes.count),
                    attributeCount: 2,
                    byteOffset: offset &+ UInt64(timeEnd + 1)
                )
            )
            batch.attributes.append(ElementAttribute(name: names.rate, value: copy(rate, rateEnd, &batch)))
            batch.attributes.append(ElementAttribute(name: names.time, value: copy(time, timeEnd, &batch)))
            cursor = skipBlanks(timeEnd + 3)
        }
        guard cursor + 48 < text.readableEnd, text.reads("</HeartR", at: cursor),
            text.reads("ateVaria", at: cursor + 8),
            text.reads("bilityMe", at: cursor + 16), text.reads("tadataLi", at: cursor + 24),
            text.reads("ataList>", at: cursor + 27)
        else { return 0 }
        tree.nodeCount = UInt32(truncatingIfNeeded: batch.nodes.count) &- tree.firstNode
        batch.trees[Int(record.beatList)] = tree
        return cursor + 35
    }

    /// Removes the beats of a record that was refused after they were read.
    func removeBeats(of record: RecordElement, from batch: inout ElementBatch) {
        guard record.beatList >= 0 else { return }
        let first = Int(batch.trees[Int(record.beatList)].firstNode)
        batch.attributes.truncate(to: Int(batch.nodes[first].firstAttribute))
        batch.nodes.truncate(to: first)
        batch.trees.truncate(to: Int(record.beatList))
    }

    /// The names of a beat's attributes in the batch's bytes, written once for the list.
    private func names(in batch: inout ElementBatch) -> (rate: AttributeRange, time: AttributeRange) {
        let text: StaticString = "bpmtime"
        let place = UInt32(truncatingIfNeeded: unsafe batch.bytes.append(copyOf: text.utf8Start, count: 7))
        return (AttributeRange(start: place, count: 3), AttributeRange(start: place &+ 3, count: 4))
    }

    private func copy(_ start: Int, _ end: Int, _ batch: inout ElementBatch) -> AttributeRange {
        let place = unsafe batch.bytes.append(copyOf: text.base + start, count: end - start)
        return AttributeRange(
            start: UInt32(truncatingIfNeeded: place),
            count: UInt32(truncatingIfNeeded: end - start)
        )
    }
}
