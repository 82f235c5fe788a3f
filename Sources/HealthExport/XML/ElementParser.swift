internal import CLibXML2
internal import Glibc

/// Why libxml2 gave a stretch of text up.
public struct XMLFault: Equatable, Sendable {
    /// What is wrong, in a report's words.
    public var kind: Malformation.Kind
    /// Where, in bytes from the start of the text that was fed.
    public var byteOffset: Int
    /// The end of the last complete top-level element before it.
    public var lastGoodOffset: Int
    /// The top-level element that was open.
    public var element: ElementName?
}

/// Owns one libxml2 push parser and turns what it reports into an `ElementBatch`.
///
/// libxml2 runs without RECOVER (which invents records: `b=[]`), with NOENT (without it
/// `&amp;` arrives as `&#38;`; there is no DTD, so nothing else can be expanded), without
/// network and without HUGE (no attribute above 10 MB). Costs what libxml2 costs, about
/// 300 MB/s, and a copy of the attributes.
@safe
public struct ElementParser: ~Copyable, @unchecked Sendable {  // owns its parser and state alone; moves whole
    private let context: xmlParserCtxtPtr
    private let handler: UnsafeMutablePointer<xmlSAXHandler>
    private let state: UnsafeMutablePointer<ParserState>

    /// A parser that stands before the first byte of a document.
    public init() {
        unsafe handler = .allocate(capacity: 1)
        unsafe handler.initialize(to: xmlSAXHandler())
        unsafe handler.pointee.initialized = UInt32(XML_SAX2_MAGIC)
        unsafe handler.pointee.startElementNs = startElement
        unsafe handler.pointee.endElementNs = endElement
        unsafe handler.pointee.serror = structuredError
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(to: ParserState())
        guard let created = unsafe xmlCreatePushParserCtxt(handler, state, nil, 0, nil) else {
            preconditionFailure("libxml2 has no memory for a parser")
        }
        unsafe context = created
        unsafe xmlCtxtUseOptions(context, Int32(XML_PARSE_NOENT.rawValue | XML_PARSE_NONET.rawValue))
        unsafe state.pointee.attach(context)
    }

    deinit {
        unsafe xmlFreeParserCtxt(context)
        unsafe state.pointee.detach()
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
        unsafe handler.deinitialize(count: 1)
        unsafe handler.deallocate()
    }

    /// Goes back to before the first byte; `isInside` says that the root is open already.
    ///
    /// A stretch from the middle of an export is a document of its own once the root's
    /// start tag stands before it. `base` is where it begins in the export, for records' offsets.
    public mutating func restart(isInside: Bool, base: UInt64) {
        unsafe xmlCtxtResetPush(context, nil, 0, nil, nil)
        unsafe state.pointee.restart()
        unsafe state.pointee.base = base
        guard isInside else { return }
        let root: StaticString = "<HealthData>"
        root.withUTF8Buffer { bytes in
            _ = unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                unsafe xmlParseChunk(context, characters.baseAddress, Int32(characters.count), 0)
            }
        }
        unsafe state.pointee.origin = unsafe state.pointee.position
        unsafe state.pointee.isRootOurs = true
    }

    /// Parses `bytes` and adds their complete elements to `batch`.
    ///
    /// - Parameters:
    ///   - bytes: the next bytes of the document.
    ///   - end: what follows them.
    ///   - batch: complete elements are added; ranges point into its own bytes.
    /// - Returns: the fault at which libxml2 stopped, or `nil`.
    public mutating func parse(
        _ bytes: UnsafeRawBufferPointer,
        then end: StretchEnd,
        into batch: inout ElementBatch
    ) -> XMLFault? {
        // Two of libxml2's loops take a zero byte for the end of their input.
        if let base = bytes.baseAddress, let found = unsafe memchr(base, 0, bytes.count) {
            let zero = unsafe UnsafeRawPointer(found) - base
            return XMLFault(
                kind: .forbiddenCharacter,
                byteOffset: unsafe state.pointee.fed + zero,
                lastGoodOffset: unsafe state.pointee.lastGood,
                element: unsafe state.pointee.openElement
            )
        }
        unsafe withUnsafeMutablePointer(to: &batch) { pointer in
            unsafe state.pointee.enter(pointer)
            unsafe feed(bytes, isLast: false)
            unsafe state.pointee.fed += bytes.count
            switch end {
            case .more: break
            case .endOfDocument: unsafe feed(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
            case .closedByUs:
                let closing: StaticString = "</HealthData>"
                closing.withUTF8Buffer { unsafe feed(UnsafeRawBufferPointer($0), isLast: true) }
            }
            unsafe state.pointee.leaveBatch()
        }
        return unsafe state.pointee.fault
    }

    /// Whether everything fed so far is whole: only the root is open and nothing waits to be parsed.
    public var isBetweenElements: Bool {
        unsafe state.pointee.depth == 1 && state.pointee.fault == nil && state.pointee.nothingWaits
            && context.pointee.instate == XML_PARSER_CONTENT
    }

    /// What ends the comment, CDATA section or processing instruction that was fed without its end.
    public var openMarkupTerminator: String? {
        if unsafe context.pointee.instate == XML_PARSER_CDATA_SECTION { return "]]>" }
        let waiting = unsafe state.pointee.waiting
        return waiting.hasPrefix("<!--") ? "-->" : waiting.hasPrefix("<?") ? "?>" : nil
    }

    /// Whether the root's end tag has been read.
    public var isPastRoot: Bool { unsafe state.pointee.isPastRoot }

    /// The top-level element that is open now.
    public var openElement: ElementName? { unsafe state.pointee.openElement }

    private func feed(_ bytes: UnsafeRawBufferPointer, isLast: Bool) {
        // libxml2 counts in Int32; a chunk is far smaller, a caller's own buffer may not be.
        var start = 0
        repeat {
            let count = min(bytes.count - start, 1 << 24)
            let characters = unsafe bytes.baseAddress.map { unsafe ($0 + start).assumingMemoryBound(to: CChar.self) }
            let isFinal = isLast && start + count == bytes.count
            unsafe xmlParseChunk(context, characters, Int32(count), isFinal ? 1 : 0)
            start += count
        } while start < bytes.count
    }
}

/// What follows a stretch of text.
public enum StretchEnd: Sendable {
    /// More of the same document.
    case more
    /// Nothing: the document must be complete.
    case endOfDocument
    /// Other top-level elements, which this parser will not see; the root is closed for them.
    case closedByUs
}

private let startElement: startElementNsSAX2Func = { context, name, _, _, _, _, count, _, attributes in
    guard let context = unsafe context, let name = unsafe name else { return }
    unsafe context.assumingMemoryBound(to: ParserState.self).pointee.start(name, Int(count), attributes)
}

private let endElement: endElementNsSAX2Func = { context, name, _, _ in
    guard let context = unsafe context, let name = unsafe name else { return }
    unsafe context.assumingMemoryBound(to: ParserState.self).pointee.end(name)
}

private let structuredError: xmlStructuredErrorFunc = { context, error in
    guard let context = unsafe context, let error = unsafe error else { return }
    unsafe context.assumingMemoryBound(to: ParserState.self).pointee.note(error)
}
