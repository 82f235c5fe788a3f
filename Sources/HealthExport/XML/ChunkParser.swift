/// Parses chunks, alone where they allow it and in sequence where they do not.
///
/// `parseAlone` is what workers do in any order. It succeeds only where libxml2 accepts the
/// chunk as whole elements between the root's tags. Everything else (a comment that runs
/// over a cut, an element longer than a chunk, a fault) goes through `parseInSequence`, in
/// file order, which leaves out the broken element alone and goes on at the next top-level
/// element, and stops inside an unclosed comment, since a `Record` in it is none.
public struct ChunkParser: ~Copyable, Sendable {
    private var parser = ElementParser()
    private var recovery: Recovery = .none
    private var fedBefore: UInt64 = 0
    private var needsRestart = false

    /// What a sequence is looking for before it parses again.
    private enum Recovery: Equatable {
        case none
        case nextElement
        case terminator(String)
        case rest
    }

    /// Whether canonical records are read without libxml2.
    private let scansCanonicalRecords: Bool

    /// A parser for any chunk.
    ///
    /// - Parameter scansCanonicalRecords: `false` sends every element through libxml2; what
    ///   comes out is the same.
    public init(scansCanonicalRecords: Bool = true) {
        self.scansCanonicalRecords = scansCanonicalRecords
    }

    /// Parses a chunk as a document of its own.
    ///
    /// - Returns: whether that was possible; if not, `batch` and `faults` are as before.
    public mutating func parseAlone(
        _ chunk: borrowing ExportChunk,
        mark: TopLevelMark?,
        into batch: inout ElementBatch,
        faults: inout [Malformation]
    ) -> Bool {
        guard chunk.endsAtMark else { return false }
        if scansCanonicalRecords, let mark, scan(chunk, mark: mark, into: &batch) { return true }
        let end: StretchEnd = chunk.isLast ? .endOfDocument : .closedByUs
        batch.removeAll()
        let isFirst = chunk.isFirst
        parser.restart(isInside: !isFirst, base: chunk.offset)
        let fault = unsafe chunk.bytes.withElements { bytes in
            unsafe parser.parse(UnsafeRawBufferPointer(bytes), then: end, into: &batch)
        }
        guard fault != nil else { return true }
        let repair = unsafe chunk.bytes.withElements { unsafe TextRepair(UnsafeRawBufferPointer($0)) }
        batch.removeAll()
        guard !repair.places.isEmpty else { return false }
        parser.restart(isInside: !isFirst, base: chunk.offset)
        let second = unsafe repair.text.withElements { bytes in
            unsafe parser.parse(UnsafeRawBufferPointer(bytes), then: end, into: &batch)
        }
        guard second == nil else {
            batch.removeAll()
            return false
        }
        for place in repair.places { faults.append(chunk.malformation(.forbiddenCharacter, at: place, element: nil)) }
        for index in 0..<batch.records.count {
            let place = repair.originalOffset(of: Int(batch.records[index].byteOffset - chunk.offset))
            batch.records[index].byteOffset = chunk.offset + UInt64(place)
        }
        return true
    }

    /// Reads a chunk by the scanner, and what is not canonical in it by libxml2, in its place.
    ///
    /// Each stretch between canonical records must be well-formed by itself, so a comment or
    /// CDATA section that holds what looks like records makes this fail, never lie.
    ///
    /// - Returns: whether all of it could be read; if not, `batch` is of no use.
    private mutating func scan(
        _ chunk: borrowing ExportChunk,
        mark: TopLevelMark,
        into batch: inout ElementBatch
    ) -> Bool {
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
                if isTail, !isLast, unsafe text[start...].allSatisfy({ $0 <= 0x20 }) { break }
                parser.restart(isInside: start > 0 || !isFirst, base: offset + UInt64(start))
                let rest = unsafe UnsafeRawBufferPointer(rebasing: text[start..<stop])
                let end: StretchEnd = isTail && isLast ? .endOfDocument : .closedByUs
                guard unsafe parser.parse(rest, then: end, into: &batch) == nil else { return false }
                if isTail { isClosed = true }
                scanner.forgetNewest()
                cursor = stop
            }
            return isClosed
        }
    }

    /// Parses a chunk as what follows the chunks given before, in file order.
    ///
    /// - Parameters:
    ///   - chunk: the next one.
    ///   - startsClean: the chunks before were parsed alone, so this begins between elements.
    ///   - mark: how top-level elements begin.
    ///   - batch: emptied, then filled with the complete elements.
    ///   - faults: what is wrong is added.
    /// - Returns: whether the next chunk can be parsed alone again.
    public mutating func parseInSequence(
        _ chunk: borrowing ExportChunk,
        startsClean: Bool,
        mark: TopLevelMark?,
        into batch: inout ElementBatch,
        faults: inout [Malformation]
    ) -> Bool {
        batch.removeAll()
        if startsClean {
            parser.restart(isInside: !chunk.isFirst, base: chunk.offset)
            recovery = .none
            needsRestart = false
            fedBefore = 0
        }
        let repair = unsafe chunk.bytes.withElements { unsafe TextRepair(UnsafeRawBufferPointer($0)) }
        for place in repair.places { faults.append(chunk.malformation(.forbiddenCharacter, at: place, element: nil)) }
        var start = 0
        let isLast = chunk.isLast
        let pending = parser.openMarkupTerminator
        unsafe repair.text.withElements { elements in
            let text = UnsafeRawBufferPointer(elements)
            while start < text.count || (start == text.count && isLast) {
                guard let begin = unsafe findRestart(text, from: start, mark: mark) else { break }
                if needsRestart {
                    parser.restart(isInside: true, base: chunk.offset + UInt64(repair.originalOffset(of: begin)))
                    needsRestart = false
                }
                let rest = unsafe UnsafeRawBufferPointer(rebasing: text[begin...])
                guard let fault = unsafe parser.parse(rest, then: isLast ? .endOfDocument : .more, into: &batch) else {
                    fedBefore += UInt64(rest.count)
                    break
                }
                let place = begin + max(fault.byteOffset - Int(fedBefore), 0)
                let good = begin + max(fault.lastGoodOffset - Int(fedBefore), 0)
                let hasSeenGood = fault.lastGoodOffset > Int(fedBefore) || fedBefore == 0
                recovery = unsafe recovery(
                    in: text,
                    good: min(good, text.count),
                    place: min(place, text.count),
                    pending: hasSeenGood ? nil : pending
                )
                let isAtEnd = unsafe isLast && !text[min(place, text.count)...].contains(UInt8(ascii: ">"))
                let kind = parser.isPastRoot ? .contentAfterEnd : isAtEnd ? .truncated : fault.kind
                faults.append(
                    chunk.malformation(
                        kind,
                        at: repair.originalOffset(of: min(place, text.count)),
                        element: fault.element
                    )
                )
                if recovery == .rest { break }
                start = min(place, text.count)
                fedBefore = 0
                needsRestart = true
                if start == text.count { break }
            }
        }
        return recovery == .none && !needsRestart && parser.isBetweenElements
    }

    /// Whether `</HealthData>` has been read by the last parse.
    public var isPastRoot: Bool { parser.isPastRoot }

    /// Where parsing goes on at or behind `start`, `nil` where that is not in this text.
    private mutating func findRestart(_ text: UnsafeRawBufferPointer, from start: Int, mark: TopLevelMark?) -> Int? {
        switch recovery {
        case .none: return start
        case .rest: return nil
        case .terminator(let terminator):
            let wanted = Array(terminator.utf8)
            var index = start
            while index + wanted.count <= text.count {
                if unsafe text[index..<index + wanted.count].elementsEqual(wanted) {
                    recovery = .nextElement
                    return unsafe findRestart(text, from: index + wanted.count, mark: mark)
                }
                index += 1
            }
            return nil
        case .nextElement:
            guard let next = unsafe mark?.first(in: text, from: start) else { return nil }
            recovery = .none
            return next
        }
    }

    /// What to look for behind a fault.
    ///
    /// A fault inside a comment, CDATA section or processing instruction must not make a
    /// `Record` in it one of the export, so the search begins behind its end.
    private func recovery(
        in text: UnsafeRawBufferPointer,
        good: Int,
        place: Int,
        pending: String?
    ) -> Recovery {
        if parser.isPastRoot { return .rest }
        if let pending { return .terminator(pending) }
        for (opening, closing) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">")] {
            let wanted = Array(opening.utf8)
            var index = min(good, place)
            while index + wanted.count <= min(place + wanted.count, text.count) {
                if unsafe text[index..<index + wanted.count].elementsEqual(wanted) { return .terminator(closing) }
                index += 1
            }
        }
        return .nextElement
    }
}

extension ExportChunk {
    /// A fault at a byte of this chunk, with its place in the file.
    public borrowing func malformation(_ kind: Malformation.Kind, at place: Int, element: ElementName?) -> Malformation
    {
        let lines = unsafe bytes.withElements { all in
            unsafe ChunkCutter.lineBreaks(
                in: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(all)[..<min(place, all.count)])
            )
        }
        return Malformation(kind: kind, byte: offset + UInt64(place), line: linesBefore + lines + 1, element: element)
    }
}
