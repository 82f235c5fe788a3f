internal import CLibXML2
internal import Glibc

/// Why libxml2 rejected a stretch of text.
struct XMLFault: Equatable, Sendable {
    /// The kind of fault, as in a report.
    var kind: Malformation.Kind
    /// Where, in bytes from the start of the text.
    var byteOffset: Int
}

/// Owns one libxml2 push parser and turns what it reports into an `ElementBatch`.
///
/// libxml2 runs without RECOVER (which invents records: `b=[]`), with NOENT (without it `&amp;` arrives as `&#38;`;
/// there is no DTD, so nothing else can be expanded), without network and without HUGE (no attribute above 10 MB).
/// Costs what libxml2 costs, about 300 MB/s, plus a copy of the attributes.
@safe
struct ElementParser: ~Copyable, @unchecked Sendable {  // owns its parser and state alone; moves whole
    private var context: xmlParserCtxtPtr
    private let handler: UnsafeMutablePointer<xmlSAXHandler>
    private let state: UnsafeMutablePointer<ParserState>

    /// libxml2 never forgets a name, so after this many bytes of names a new context replaces the old one.
    private static let maximumNameByteCount = 1 << 20
    /// libxml2 fails if more than 10 MB are waiting, so it gets less at a time.
    private static let sliceByteCount = 1 << 20
    /// libxml2's limit for an attribute, `XML_MAX_TEXT_LENGTH`.
    private static let attributeLimit = 10_000_000

    /// Initialises libxml2, once and before threads use it, as it asks for.
    private static let isLibraryReady: Void = xmlInitParser()

    /// A parser at the beginning of a document.
    init() {
        _ = Self.isLibraryReady
        unsafe handler = .allocate(capacity: 1)
        unsafe handler.initialize(to: xmlSAXHandler())
        unsafe handler.pointee.initialized = UInt32(XML_SAX2_MAGIC)
        unsafe handler.pointee.startElementNs = startElement
        unsafe handler.pointee.endElementNs = endElement
        unsafe handler.pointee.characters = characters
        unsafe handler.pointee.serror = structuredError
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(to: ParserState())
        unsafe context = Self.makeContext(handler, state)
    }

    deinit {
        unsafe xmlFreeParserCtxt(context)
        unsafe state.pointee.detach()
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
        unsafe handler.deinitialize(count: 1)
        unsafe handler.deallocate()
    }

    private static func makeContext(
        _ handler: UnsafeMutablePointer<xmlSAXHandler>,
        _ state: UnsafeMutablePointer<ParserState>
    ) -> xmlParserCtxtPtr {
        guard let context = unsafe xmlCreatePushParserCtxt(handler, state, nil, 0, nil) else {
            preconditionFailure("libxml2 has no memory for a parser")
        }
        unsafe xmlCtxtUseOptions(context, Int32(XML_PARSE_NOENT.rawValue | XML_PARSE_NONET.rawValue))
        unsafe state.pointee.attach(context)
        return unsafe context
    }

    /// Goes back to the beginning of a document; `isInside` says that the root is already open.
    ///
    /// A stretch from the middle of an export becomes a document of its own with the root's start tag before it. `base`
    /// is where it begins in the export, for records' offsets.
    mutating func restart(isInside: Bool, base: UInt64) {
        if unsafe xmlDictGetUsage(context.pointee.dict) > Self.maximumNameByteCount {
            unsafe xmlFreeParserCtxt(context)
            unsafe context = Self.makeContext(handler, state)
        } else {
            unsafe xmlCtxtResetPush(context, nil, 0, nil, nil)
        }
        unsafe state.pointee.restart(base: base)
        guard isInside else { return }
        feed("<HealthData>")
        unsafe state.pointee.origin = unsafe state.pointee.position
    }

    /// Parses `bytes` as the rest of the document that `restart(isInside:base:)` began.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - end: what follows the text.
    ///   - batch: complete elements are added; ranges point into its own bytes.
    /// - Returns: the fault at which libxml2 stopped, or `nil`.
    mutating func parse(
        _ bytes: UnsafeRawBufferPointer,
        then end: StretchEnd,
        into batch: inout ElementBatch
    ) -> XMLFault? {
        // Two of libxml2's loops treat a zero byte as the end of their input.
        if let base = bytes.baseAddress, let zero = unsafe memchr(base, 0, bytes.count) {
            return XMLFault(kind: .forbiddenCharacter, byteOffset: unsafe UnsafeRawPointer(zero) - base)
        }
        unsafe withUnsafeMutablePointer(to: &batch) { pointer in
            unsafe state.pointee.batch = pointer
            unsafe feed(bytes)
            if end == .endOfDocument { finish() }
            unsafe state.pointee.batch = nil
        }
        if end == .closedByUs {
            // We added this end tag, so the root does not count as an element of the batch.
            feed("</HealthData>")
            finish()
        }
        guard var fault = unsafe state.pointee.fault else { return nil }
        // libxml2 uses one code for its limits and for unexpected markup.
        if fault.kind == .tooLarge, bytes.count < Self.attributeLimit { fault.kind = .notWellFormed }
        return fault
    }

    private func feed(_ text: StaticString) {
        text.withUTF8Buffer { unsafe feed(UnsafeRawBufferPointer($0)) }
    }

    private func feed(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        for start in stride(from: 0, to: bytes.count, by: Self.sliceByteCount) {
            let count = min(bytes.count - start, Self.sliceByteCount)
            unsafe xmlParseChunk(context, (base + start).assumingMemoryBound(to: CChar.self), Int32(count), 0)
        }
    }

    private func finish() { unsafe xmlParseChunk(context, nil, 0, 1) }
}

/// What follows a stretch of text.
enum StretchEnd: Sendable {
    /// Nothing: the document must be complete.
    case endOfDocument
    /// Other top-level elements, which this parser will not see; the root is closed before them.
    case closedByUs
}

private let startElement: startElementNsSAX2Func = { context, name, prefix, _, _, _, count, _, attributes in
    guard let context = unsafe context else { return }
    let ours = unsafe prefix == nil ? name : nil
    unsafe context.assumingMemoryBound(to: ParserState.self).pointee.start(
        ours,
        SAXAttributes(attributes, count: Int(count))
    )
}

private let endElement: endElementNsSAX2Func = { context, name, prefix, _ in
    guard let context = unsafe context else { return }
    unsafe context.assumingMemoryBound(to: ParserState.self).pointee.end(prefix == nil ? name : nil)
}

private let characters: charactersSAXFunc = { context, text, count in
    guard let context = unsafe context, let text = unsafe text else { return }
    unsafe context.assumingMemoryBound(to: ParserState.self).pointee.characters(text, Int(count))
}

private let structuredError: xmlStructuredErrorFunc = { context, error in
    guard let context = unsafe context, let error = unsafe error else { return }
    unsafe context.assumingMemoryBound(to: ParserState.self).pointee.note(UnsafePointer(error))
}
