/// One stretch of an export's XML: whole top-level elements wherever that is possible.
public struct ExportChunk: ~Copyable, Sendable {
    /// The XML of the stretch; the first one begins with the root's start tag.
    public var bytes = RawArray<UInt8>(capacity: 1 << 19)
    /// Where it begins, in bytes from the start of the XML.
    public var offset: UInt64 = 0
    /// Line breaks before it.
    public var linesBefore: UInt64 = 0
    /// Whether it begins with the root's start tag.
    public var isFirst = false
    /// Whether nothing follows it.
    public var isLast = false
    /// Whether it ends before a top-level element (or at the end), as far as the bytes tell.
    public var endsAtMark = false

    /// An empty chunk.
    public init() {}

    /// Takes over what `other` holds and gives it this chunk's memory.
    public mutating func swapBytes(with other: inout RawArray<UInt8>) {
        swap(&bytes, &other)
    }
}

/// Cuts an export's XML into chunks at top-level elements, so that each can be parsed alone.
///
/// The prolog is read past (`Prolog`). A chunk has `chunkByteCount` bytes or a little less;
/// an element longer than that makes it grow to four times as much, and beyond it the cut
/// falls between two characters, anywhere. Never holds more than one chunk.
public struct ChunkCutter: ~Copyable {
    /// The usual size of a chunk: it and its output stay in a core's cache.
    public static let defaultChunkByteCount = 256 << 10

    private let source: any ByteSource
    private let input: String
    private let chunkByteCount: Int
    private var carry = RawArray<UInt8>(capacity: 1 << 19)
    private var offset: UInt64 = 0
    private var lines: UInt64 = 0
    private var isStarted = false
    private var isFinished = false
    private var sourceIsFinished = false

    /// How top-level elements of this export begin; known after the first chunk.
    public private(set) var mark: TopLevelMark?
    /// Why the input could not be read to its end; what came before it was delivered.
    public private(set) var inputFault: HealthExportError?

    /// A cutter of `source`, which stands at the XML's first byte.
    ///
    /// - Parameters:
    ///   - source: the bytes.
    ///   - input: what messages call it.
    ///   - chunkByteCount: at least 64.
    public init(source: any ByteSource, input: String, chunkByteCount: Int = defaultChunkByteCount) {
        self.source = source
        self.input = input
        self.chunkByteCount = max(chunkByteCount, 64)
    }

    /// Bytes of the input read so far.
    public var progress: InputProgress { source.progress }

    /// Fills `chunk` with the next stretch; `false` at the end.
    ///
    /// - Throws: a fault of the source before the root element, and `.refusedXML` where this is no
    ///   export. A later fault of the source ends the export early and stands in `inputFault`.
    public mutating func next(into chunk: inout ExportChunk) throws(HealthExportError) -> Bool {
        guard !isFinished else { return false }
        chunk.bytes.removeAll()
        swap(&chunk.bytes, &carry)
        if !isStarted { try start(&chunk) }
        chunk.isFirst = !isStarted
        isStarted = true
        chunk.offset = offset
        chunk.linesBefore = lines
        try fill(&chunk)
        // The scanner loads eight bytes at a time, also at the text's end.
        chunk.bytes.reserve(CanonicalScanner.slack)
        lines += unsafe chunk.bytes.withElements { unsafe Self.lineBreaks(in: UnsafeRawBufferPointer($0)) }
        offset += UInt64(chunk.bytes.count)
        isFinished = chunk.isLast
        return true
    }

    /// Reads until the root's start tag, drops what stands before it, and learns the mark.
    private mutating func start(_ chunk: inout ExportChunk) throws(HealthExportError) {
        var found: Prolog.Outcome = .needsMore
        while true {
            try read(into: &chunk, atMost: 16 << 10)
            found = unsafe chunk.bytes.withElements { bytes in
                unsafe Prolog.scan(UnsafeRawBufferPointer(bytes), isWhole: sourceIsFinished)
            }
            if found != .needsMore { break }
        }
        switch found {
        case .needsMore: break
        case .refused(let fault): throw .refusedXML(fault, input: input)
        case .root(let start):
            try read(into: &chunk, atMost: 16 << 10)
            var rest = RawArray<UInt8>(capacity: chunkByteCount)
            unsafe chunk.bytes.withElements { bytes in
                offset = UInt64(start)
                lines = unsafe Self.lineBreaks(
                    in: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<start])
                )
                guard let base = bytes.baseAddress else { return }
                unsafe rest.append(copyOf: base + start, count: bytes.count - start)
            }
            swap(&chunk.bytes, &rest)
            mark = unsafe chunk.bytes.withElements { unsafe TopLevelMark(learningFrom: UnsafeRawBufferPointer($0)) }
        }
    }

    private mutating func fill(_ chunk: inout ExportChunk) throws(HealthExportError) {
        var limit = chunkByteCount
        while true {
            while chunk.bytes.count < limit, !sourceIsFinished {
                try read(into: &chunk, atMost: limit - chunk.bytes.count)
            }
            chunk.isLast = sourceIsFinished && chunk.bytes.count <= limit
            chunk.endsAtMark = true
            if chunk.isLast { return }
            let mark = mark
            let cut = unsafe chunk.bytes.withElements { bytes in
                unsafe mark?.last(in: UnsafeRawBufferPointer(bytes), after: 0)
            }
            if let cut { return carryOver(from: cut, &chunk) }
            if mark != nil, limit < chunkByteCount * 4 {
                limit *= 2
                continue
            }
            chunk.endsAtMark = false
            let boundary = unsafe chunk.bytes.withElements { bytes in
                unsafe Self.characterBoundary(UnsafeRawBufferPointer(bytes), before: limit)
            }
            return carryOver(from: boundary, &chunk)
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

    private mutating func read(into chunk: inout ExportChunk, atMost count: Int) throws(HealthExportError) {
        let before = chunk.bytes.count
        let target = unsafe chunk.bytes.extend(by: count)
        chunk.bytes.truncate(to: before)
        let got: Int
        do throws(HealthExportError) {
            got = try unsafe source.read(into: UnsafeMutableRawBufferPointer(start: target, count: count))
        } catch {
            guard isStarted else { throw error }
            inputFault = error
            got = 0
        }
        if got == 0 { sourceIsFinished = true }
        _ = unsafe chunk.bytes.extend(by: got)
    }

    /// The last place at or before `limit` that is not inside a UTF-8 sequence.
    private static func characterBoundary(_ bytes: UnsafeRawBufferPointer, before limit: Int) -> Int {
        var place = min(limit, bytes.count)
        while place > 1, place > limit - 4, place < bytes.count, unsafe bytes[place] & 0xC0 == 0x80 { place -= 1 }
        return place
    }

    static func lineBreaks(in bytes: UnsafeRawBufferPointer) -> UInt64 {
        var total = 0
        var index = 0
        // Eight bytes at a time: a byte that equals the line feed becomes zero, and each zero
        // byte leaves its top bit (Hacker's Delight, section 6-1). Vector types took 20 times as long.
        let low: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
        while index &+ 8 <= bytes.count {
            let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ 0x0A0A_0A0A_0A0A_0A0A
            total &+= (~(((word & low) &+ low) | word | low)).nonzeroBitCount
            index &+= 8
        }
        while index < bytes.count {
            if unsafe bytes[index] == 10 { total &+= 1 }
            index &+= 1
        }
        return UInt64(total)
    }
}
