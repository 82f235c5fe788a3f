/// Parses chunks alone, in any order; this is what workers do.
///
/// It succeeds only if libxml2 accepts the chunk as whole elements between the root's tags, after `TextRepair` if
/// necessary. Everything else (a comment across a cut, an element longer than a chunk, a fault) is left to
/// `SequenceParser`, which finds the same elements as this wherever this succeeds.
package struct ChunkParser: ~Copyable, Sendable {
    private var parser = ElementParser()
    /// Whether canonical records are read without libxml2.
    private let scansCanonicalRecords: Bool

    /// A parser for any chunk.
    ///
    /// - Parameter scansCanonicalRecords: `false` sends every element through libxml2; the result is the same.
    package init(scansCanonicalRecords: Bool = true) {
        self.scansCanonicalRecords = scansCanonicalRecords
    }

    /// Parses a chunk as a document of its own.
    ///
    /// - Parameters:
    ///   - chunk: the text between two places that look like the beginning of elements; its bytes are not changed.
    ///   - mark: how top-level elements begin.
    ///   - batch: emptied, then filled with its elements.
    ///   - faults: emptied, then filled with what `TextRepair` replaced, for `arrange(_:)`.
    /// - Returns: whether that was possible; if not, `batch` must not be used.
    package mutating func parseAlone(
        _ chunk: inout ExportChunk,
        mark: TopLevelMark,
        into batch: inout ElementBatch,
        faults: inout [Malformation]
    ) -> Bool {
        faults.removeAll()
        guard chunk.endsAtMark else { return false }
        if scansCanonicalRecords, let lineBreakCount = scan(chunk, mark: mark, into: &batch) {
            chunk.lineBreakCount = lineBreakCount
            return true
        }
        let isAccepted = unsafe chunk.bytes.withElements { bytes in
            unsafe parse(chunk, UnsafeRawBufferPointer(bytes), into: &batch)
        }
        return isAccepted || repair(chunk, into: &batch, faults: &faults)
    }

    private mutating func parse(
        _ chunk: borrowing ExportChunk,
        _ text: UnsafeRawBufferPointer,
        into batch: inout ElementBatch
    ) -> Bool {
        // `SequenceParser` decides which element is left out.
        guard unsafe !CrowdedTag.mayBeIn(text), unsafe !CrowdedScope.mayBeIn(text) else { return false }
        batch.removeAll()
        parser.restart(isInside: !chunk.isFirst, base: chunk.offset)
        return unsafe parser.parse(text, then: chunk.isLast ? .endOfDocument : .closedByUs, into: &batch) == nil
    }

    /// Parses a chunk after `TextRepair`, if it replaces anything and nothing else is wrong.
    private mutating func repair(
        _ chunk: borrowing ExportChunk,
        into batch: inout ElementBatch,
        faults: inout [Malformation]
    ) -> Bool {
        let repair = unsafe chunk.bytes.withElements { unsafe TextRepair(UnsafeRawBufferPointer($0)) }
        guard !repair.places.isEmpty, repair.ruin == nil else { return false }
        let isAccepted = unsafe repair.text.withElements { bytes in
            unsafe parse(chunk, UnsafeRawBufferPointer(bytes), into: &batch)
        }
        guard isAccepted else { return false }
        faults = repair.places.map { chunk.malformation($0.kind, at: $0.offset, element: nil) }
        repair.putBack(&batch, fromRecord: 0, node: 0, base: chunk.offset)
        return true
    }

    /// Reads canonical records with the scanner and everything between them with libxml2, in order.
    ///
    /// Each stretch between canonical records must be well-formed by itself, so if a comment or CDATA section holds
    /// what looks like records, this fails instead of returning them.
    ///
    /// - Returns: the number of line breaks; `nil` if not all of the chunk could be read: then `batch` must not be
    ///   used.
    private mutating func scan(
        _ chunk: borrowing ExportChunk,
        mark: TopLevelMark,
        into batch: inout ElementBatch
    ) -> UInt64? {
        batch.removeAll()
        let isFirst = chunk.isFirst
        let isLast = chunk.isLast
        let offset = chunk.offset
        return unsafe chunk.bytes.withElements { bytes in
            let text = UnsafeRawBufferPointer(bytes)
            var scanner = unsafe CanonicalScanner(text)
            var cursor = 0
            var stride = 1
            var isClosed = !isLast
            while cursor < text.count {
                let accepted = cursor == 0 && isFirst ? 0 : scanner.scan(from: cursor, base: offset, into: &batch)
                if accepted > cursor { stride = 1 }
                let start = accepted
                var stop = start
                for _ in 0..<stride {
                    stop = unsafe mark.first(in: text, from: max(stop, start + 1)) ?? text.count
                }
                stride = min(stride * 2, 64)
                let isTail = stop == text.count
                let rest = unsafe UnsafeRawBufferPointer(rebasing: text[start..<stop])
                unsafe scanner.addLineBreaks(lineBreaks(in: rest))
                if isTail, !isLast, unsafe firstBlack(text, start..<stop) == nil { break }
                guard unsafe !CrowdedTag.mayBeIn(rest), unsafe !CrowdedScope.mayBeIn(rest) else { return nil }
                parser.restart(isInside: start > 0 || !isFirst, base: offset + UInt64(start))
                let end: StretchEnd = isTail && isLast ? .endOfDocument : .closedByUs
                guard unsafe parser.parse(rest, then: end, into: &batch) == nil else { return nil }
                if isTail { isClosed = true }
                scanner.forgetNewest()
                cursor = stop
            }
            return isClosed ? scanner.lineBreakCount : nil
        }
    }
}
