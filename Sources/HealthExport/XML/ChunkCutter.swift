/// Cuts an export's XML into chunks at top-level elements, so that each can be parsed alone.
///
/// It skips the prolog (`Prolog`). A chunk has `chunkByteCount` bytes or a little less, or an eighth of that if it does
/// not begin with a record. A longer element makes the chunk grow to up to four times its size; beyond that it is cut
/// anywhere. Never holds more than one chunk.
package struct ChunkCutter: ~Copyable {
    /// The usual size of a chunk: it and its output fit in a core's cache.
    package static let defaultChunkByteCount = 160 << 10
    /// The allowed sizes; four times the largest is still below libxml2's limits.
    package static let chunkByteCounts = minimumByteCount...2 << 20
    private static let minimumByteCount = 64
    /// How much is read at a time before the first chunk.
    private static let headByteCount = 16 << 10

    private let source: any ByteSource
    private let input: String
    private let chunkByteCount: Int
    private var carry = RawArray<UInt8>(capacity: 1 << 18)
    private var offset: UInt64 = 0
    private var prologLineBreakCount: UInt64 = 0
    private var isStarted = false
    private var isFinished = false
    private var sourceIsFinished = false

    /// How top-level elements of this export begin; known after the first chunk.
    package private(set) var mark = TopLevelMark.anyTag
    /// The day of the export; known after the first chunk.
    package private(set) var exportDay: String?
    /// Why the input could not be read to its end; everything before it was delivered.
    package private(set) var inputFault: HealthExportError?

    /// A cutter of `source`, which must be at the XML's first byte.
    ///
    /// - Parameters:
    ///   - source: the bytes.
    ///   - input: the input's name in messages.
    ///   - chunkByteCount: clamped to `chunkByteCounts`.
    package init(source: any ByteSource, input: String, chunkByteCount: Int = defaultChunkByteCount) {
        self.source = source
        self.input = input
        self.chunkByteCount = min(max(chunkByteCount, Self.chunkByteCounts.lowerBound), Self.chunkByteCounts.upperBound)
    }

    /// Bytes of the input read so far.
    package var progress: InputProgress { source.progress }

    /// Fills `chunk` with the next stretch; `false` at the end.
    ///
    /// - Throws: a fault of the source before the root element, or `.refusedXML` if this is not an export. A later
    ///   fault of the source ends the export early and is in `inputFault`.
    package mutating func next(into chunk: inout ExportChunk) throws(HealthExportError) -> Bool {
        guard !isFinished else { return false }
        chunk.bytes.removeAll()
        swap(&chunk.bytes, &carry)
        if !isStarted { try start(&chunk) }
        chunk.isFirst = !isStarted
        isStarted = true
        chunk.offset = offset
        chunk.linesBefore = chunk.isFirst ? prologLineBreakCount : 0
        chunk.lineBreakCount = nil
        fill(&chunk)
        // The scanner reads ahead, even at the end of the text.
        chunk.bytes.reserve(CanonicalText.slack)
        offset += UInt64(chunk.bytes.count)
        isFinished = chunk.isLast
        return true
    }

    /// Reads up to the root's start tag, drops everything before it, and learns the mark and the export's day.
    private mutating func start(_ chunk: inout ExportChunk) throws(HealthExportError) {
        let root = try findRoot(&chunk)
        // Always the same number of bytes, so that the mark depends on the file alone.
        while chunk.bytes.count < root + Self.headByteCount, !sourceIsFinished {
            read(into: &chunk, atMost: Self.headByteCount)
        }
        offset = UInt64(root)
        carryOver(from: root, &chunk)
        prologLineBreakCount = unsafe chunk.bytes.withElements { unsafe lineBreaks(in: UnsafeRawBufferPointer($0)) }
        swap(&chunk.bytes, &carry)
        carry.removeAll()
        let isInOtherEncoding = unsafe chunk.bytes.withElements { bytes in
            unsafe TextRepair.isInOtherEncoding(head(of: bytes, Self.headByteCount))
        }
        guard !isInOtherEncoding else { throw .refusedXML(.notUTF8, input: input) }
        (mark, exportDay) = unsafe chunk.bytes.withElements { bytes in
            let head = unsafe head(of: bytes, Self.headByteCount)
            return unsafe (TopLevelMark(learningFrom: head), ExportDate.day(in: head))
        }
    }

    private mutating func findRoot(_ chunk: inout ExportChunk) throws(HealthExportError) -> Int {
        while true {
            read(into: &chunk, atMost: Self.headByteCount)
            let found = unsafe chunk.bytes.withElements { bytes in
                unsafe Prolog.scan(UnsafeRawBufferPointer(bytes), isWhole: sourceIsFinished)
            }
            switch found {
            case .needsMore: continue
            case .root(let start): return start
            case .refused(let fault): throw inputFault ?? .refusedXML(fault, input: input)
            }
        }
    }

    private mutating func fill(_ chunk: inout ExportChunk) {
        if chunk.bytes.count < Self.minimumByteCount, !sourceIsFinished {
            read(into: &chunk, atMost: Self.minimumByteCount - chunk.bytes.count)
        }
        let eighth = max(chunkByteCount / 8, Self.minimumByteCount)
        let isOfRecords = isRecord(in: chunk, at: 0)
        var limit = isOfRecords ? chunkByteCount : eighth
        while true {
            // Enough extra bytes to see what begins at the cut, so that the next chunk need not read them separately.
            let wanted = limit + Self.minimumByteCount
            while chunk.bytes.count < wanted, !sourceIsFinished {
                read(into: &chunk, atMost: wanted - chunk.bytes.count)
            }
            chunk.isLast = sourceIsFinished && chunk.bytes.count <= limit
            chunk.endsAtMark = true
            let cut = lastMark(in: chunk, before: limit)
            if isOfRecords, limit > eighth, let cut, !isRecord(in: chunk, at: cut),
                let early = lastMark(in: chunk, before: eighth)
            {
                chunk.isLast = false
                return carryOver(from: early, &chunk)
            }
            if chunk.isLast { return }
            if let cut { return carryOver(from: cut, &chunk) }
            guard limit < chunkByteCount * 4 else { break }
            limit *= 2
        }
        chunk.endsAtMark = false
        carryOver(from: limit, &chunk)
    }

    private func lastMark(in chunk: borrowing ExportChunk, before limit: Int) -> Int? {
        unsafe chunk.bytes.withElements { bytes in unsafe mark.last(in: head(of: bytes, limit)) }
    }

    /// Whether a record begins here, at the beginning of an element.
    ///
    /// Rings and workouts become ten times their size, so they are cut into eighths to keep memory flat, and so is the
    /// stretch in which records end and they begin.
    private func isRecord(in chunk: borrowing ExportChunk, at place: Int) -> Bool {
        unsafe chunk.bytes.withElements { bytes in
            let tag = unsafe bytes.dropFirst(place).prefix(Self.minimumByteCount).drop { $0 <= 0x20 }
            return unsafe tag.starts(with: "<Record ".utf8)
        }
    }

    private mutating func carryOver(from cut: Int, _ chunk: inout ExportChunk) {
        carry.removeAll()
        unsafe chunk.bytes.withElements { bytes in
            guard let base = bytes.baseAddress else { return }
            unsafe carry.append(copyOf: base + cut, count: bytes.count - cut)
        }
        chunk.bytes.truncate(to: cut)
    }

    private mutating func read(into chunk: inout ExportChunk, atMost count: Int) {
        let before = chunk.bytes.count
        let target = unsafe chunk.bytes.extend(by: count)
        chunk.bytes.truncate(to: before)
        var got = 0
        do throws(HealthExportError) {
            got = try unsafe source.read(into: UnsafeMutableRawBufferPointer(start: target, count: count))
        } catch {
            inputFault = error
        }
        if got == 0 { sourceIsFinished = true }
        _ = unsafe chunk.bytes.extend(by: got)
    }
}

/// The first `count` bytes, or all.
func head(of bytes: UnsafeBufferPointer<UInt8>, _ count: Int) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes.prefix(count)))
}
