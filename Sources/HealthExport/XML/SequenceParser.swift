/// Parses what could not be parsed alone: stretches with faults, comments across a cut, elements longer than a chunk.
///
/// It takes chunks in file order, joins what a cut separated, and gives libxml2 one whole top-level element at a time.
/// An element that libxml2 refuses, that is never closed, or that is larger than 16 MB is left out by itself and
/// reported; parsing continues with the next one that begins at the export's `TopLevelMark`. Nothing in a comment or
/// CDATA section is an element. The result depends on the bytes alone, not on where chunks end, and equals that of
/// `ChunkParser.parseAlone` wherever that succeeds.
///
/// About 150 MB/s. In addition to the chunk it holds one element, at most 16 MB, and four bytes for each tag that is
/// open in it; libxml2 takes more for each.
package struct SequenceParser: ~Copyable, Sendable {
    /// The largest element that is parsed.
    static let maximumElementByteCount = 16 << 20

    /// Whether the root's end tag has been read.
    package internal(set) var isPastRoot = false

    enum Phase: Equatable {
        case beforeRoot
        /// Between top-level elements.
        case inRoot
        case inElement
        /// Looking for the next top-level element, inside one that was given up.
        case seeking
        case afterRoot
        case done
    }

    var parser = ElementParser()
    var tokenizer: MarkupTokenizer
    var phase = Phase.inRoot
    var element = OpenElement(start: 0)
    /// Bytes that wait for more.
    private var pending = ExportChunk()
    var unclosed = UnclosedElements()
    /// Whether the current text between elements has already been reported.
    var isInStrayText = false
    /// The fault to report if the open comment or the like never ends, once its beginning is out of reach.
    var opaqueStart: Malformation?

    var faults: [Malformation] = []
    /// Where the current text begins in the export.
    var origin: UInt64 = 0
    var isFinal = false
    /// How much of the current text is finished.
    var done = 0

    /// A parser between two elements, or before the root if the next chunk is the first.
    package init(mark: TopLevelMark) { tokenizer = MarkupTokenizer(mark: mark) }

    /// Whether the next chunk can be parsed alone: nothing is waiting, and the root is open.
    package var isBetweenElements: Bool {
        phase == .inRoot && pending.bytes.count == 0 && !isInStrayText
            && (tokenizer.open == nil || tokenizer.open?.kind == .text)
    }

    /// Parses as much as the next chunk makes possible.
    ///
    /// - Parameters:
    ///   - chunk: the next one; becomes the stretch that was parsed, from where the last one ended.
    ///   - batch: emptied, then filled with its complete elements.
    ///   - found: emptied, then filled with its faults, in the order of the file.
    package mutating func parse(
        _ chunk: inout ExportChunk,
        into batch: inout ElementBatch,
        faults found: inout [Malformation]
    ) {
        batch.removeAll()
        if chunk.isFirst { phase = .beforeRoot }
        join(&chunk)
        faults.removeAll()
        done = 0
        origin = chunk.offset
        isFinal = chunk.isLast
        unsafe chunk.bytes.withElements { unsafe read(UnsafeRawBufferPointer($0), into: &batch) }
        if let open = tokenizer.open, case .opaque = open.kind, open.start >= 0, open.start < done {
            var opened = [chunk.malformation(.truncated, at: open.start, element: nil)]
            chunk.arrange(&opened)
            opaqueStart = opened[0]
        }
        swap(&faults, &found)
        chunk.arrange(&found)
        split(&chunk)
    }

    /// Puts the waiting bytes before the chunk.
    private mutating func join(_ chunk: inout ExportChunk) {
        guard pending.bytes.count > 0 else { return }
        unsafe chunk.bytes.withElements { bytes in
            guard let base = bytes.baseAddress else { return }
            unsafe pending.bytes.append(copyOf: base, count: bytes.count)
        }
        swap(&pending.bytes, &chunk.bytes)
        chunk.offset = pending.offset
        chunk.linesBefore = pending.linesBefore
        chunk.isFirst = pending.isFirst
    }

    /// Keeps the unfinished bytes for the next call.
    private mutating func split(_ chunk: inout ExportChunk) {
        pending.bytes.removeAll()
        pending.isFirst = chunk.isFirst && done == 0
        pending.offset = chunk.offset + UInt64(done)
        pending.linesBefore = unsafe chunk.bytes.withElements { bytes in
            unsafe chunk.linesBefore + lineBreaks(in: head(of: bytes, done))
        }
        if done == 0 {
            // Swaps instead of copying while a long element arrives.
            swap(&pending.bytes, &chunk.bytes)
            return
        }
        unsafe chunk.bytes.withElements { bytes in
            guard let base = bytes.baseAddress else { return }
            unsafe pending.bytes.append(copyOf: base + done, count: bytes.count - done)
        }
        chunk.bytes.truncate(to: done)
        tokenizer.drop(done)
        element.drop(done)
    }
}
