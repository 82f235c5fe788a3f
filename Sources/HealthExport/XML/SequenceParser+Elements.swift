/// What happens to an element once its bytes are known.
extension SequenceParser {
    /// What a piece of text means to libxml2.
    enum Piece {
        /// A whole element.
        case element
        /// An element that is known to be broken, up to where the next one begins.
        case broken
        /// The part that is there of an element whose end is not waited for any longer.
        case beginning
        /// The root's start tag.
        case root
        /// A whole export, `<HealthData/>`.
        case document
    }

    /// Gives one piece to libxml2, repaired if necessary, and notes what is wrong with it.
    mutating func parse(
        _ text: UnsafeRawBufferPointer,
        _ range: Range<Int>,
        as piece: Piece,
        _ batch: inout ElementBatch
    ) {
        let name = unsafe MarkupName(text, at: range.lowerBound + 1).element
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: text[range])
        if unsafe CrowdedTag.isIn(bytes) || CrowdedScope.isIn(bytes) {
            // The caller reports an element whose end is not waited for.
            if piece != .beginning { note(.tooLarge, range.lowerBound, name) }
            return
        }
        let repair = unsafe TextRepair(bytes)
        if let ruin = repair.ruin { return note(.notWellFormed, range.lowerBound + ruin, name) }
        for place in repair.places { note(place.kind, range.lowerBound + place.offset) }
        let base = origin + UInt64(range.lowerBound)
        let (firstRecord, firstNode) = (batch.records.count, batch.nodes.count)
        parser.restart(isInside: piece != .root && piece != .document, base: base)
        let fault = unsafe repair.text.withElements { bytes in
            unsafe parser.parse(
                UnsafeRawBufferPointer(bytes),
                then: piece == .document ? .endOfDocument : .closedByUs,
                into: &batch
            )
        }
        repair.putBack(&batch, fromRecord: firstRecord, node: firstNode, base: base)
        guard piece != .beginning, fault != nil || piece == .broken else { return }
        let place = fault.map { repair.originalOffset(of: $0.byteOffset) } ?? range.count
        // The element was left out, so the fault is not a character that was replaced.
        let kind = fault.map { $0.kind == .forbiddenCharacter ? .notWellFormed : $0.kind } ?? .notWellFormed
        note(kind, range.lowerBound + min(place, range.count), name)
    }

    /// Leaves out the open element alone and continues at `restart`.
    mutating func leaveOut(until restart: Int, _ text: UnsafeRawBufferPointer, _ batch: inout ElementBatch) {
        var end = restart
        while end > element.start, unsafe text[end - 1] <= 0x20 { end -= 1 }
        unsafe parse(text, element.start..<end, as: .broken, &batch)
        tokenizer.restart(at: restart)
        phase = .inRoot
        done = restart
    }

    /// Stops waiting for the end of an element that is too large.
    ///
    /// If top-level elements seem to begin inside it, it was never closed. The elements open in its first half will not
    /// be closed either; waiting as long for each of them would take quadratic time.
    mutating func giveUp(_ text: UnsafeRawBufferPointer, _ batch: inout ElementBatch) {
        if let restart = element.restart {
            let half = origin + UInt64(element.start + Self.maximumElementByteCount / 2)
            unclosed.add(element.openPlaces(from: origin).filter { $0 < half })
            return unsafe leaveOut(until: restart, text, &batch)
        }
        let end = min(element.start + Self.maximumElementByteCount, text.count)
        unsafe parse(text, element.start..<end, as: .beginning, &batch)
        note(.tooLarge, element.start, unsafe MarkupName(text, at: element.start + 1).element)
        phase = .seeking
    }

    /// Notes where the parser could continue if the open element turns out to be broken.
    mutating func noteRestart(_ token: MarkupTokenizer.Token, _ text: UnsafeRawBufferPointer) {
        guard element.restart == nil, token.start > element.start,
            unsafe tokenizer.isRestart(token.start, in: text, isFinal: true) == true
        else { return }
        element.restart = token.start
    }

    /// Reports text between elements once.
    mutating func noteText(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) {
        guard !isInStrayText, let place = unsafe firstBlack(text, range) else { return }
        isInStrayText = true
        note(.strayText, place)
    }

    /// Reports forbidden characters in text that libxml2 does not see.
    mutating func noteForbidden(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) {
        let repair = unsafe TextRepair(UnsafeRawBufferPointer(rebasing: text[range]), isMarkup: false)
        for place in repair.places { note(place.kind, range.lowerBound + place.offset) }
    }

    mutating func note(_ kind: Malformation.Kind, _ place: Int, _ element: ElementName? = nil) {
        faults.append(Malformation(kind: kind, byte: origin + UInt64(place), line: 0, element: element))
    }
}

/// The current top-level element, and the tags open in it.
struct OpenElement: Sendable {
    /// Where it begins in the current text.
    private(set) var start: Int
    /// Where another top-level element seems to begin inside it.
    var restart: Int?
    /// Whether it is already known to be incomplete or wrong.
    var isBroken = false
    /// The open tags, as offsets from `start` to save memory: 16 MB may hold millions.
    private var tags: [UInt32] = []

    init(start: Int) { self.start = start }

    mutating func open(_ token: MarkupTokenizer.Token) { tags.append(UInt32(token.start - start)) }

    /// Closes the innermost open tag if `token` is its end tag.
    mutating func close(_ token: MarkupTokenizer.Token, _ text: UnsafeRawBufferPointer) -> Bool {
        guard let tag = tags.last else { return false }
        let name = unsafe MarkupName(text, at: token.start + 2)
        let opened = unsafe MarkupName(text, at: start + Int(tag) + 1)
        let rest = token.start + 2 + name.count..<token.end - 1
        guard name.isEqual(opened), unsafe firstBlack(text, rest) == nil else { return false }
        tags.removeLast()
        return true
    }

    /// Whether the element ends with this token.
    func isClosed(by token: MarkupTokenizer.Token) -> Bool {
        switch token.kind {
        case .emptyTag: token.start == start
        case .endTag: tags.isEmpty
        default: false
        }
    }

    /// The places of the open tags in the export.
    func openPlaces(from origin: UInt64) -> [UInt64] { tags.map { origin + UInt64(start) + UInt64($0) } }

    /// Adjusts places after the current text lost its first `count` bytes.
    mutating func drop(_ count: Int) {
        start -= count
        restart = restart.map { $0 - count }
    }
}

/// The places of elements without an end, so that each end is searched for only once.
struct UnclosedElements: Sendable {
    private var places: [UInt64] = []
    private var passed = 0

    /// Adds places that are in ascending order.
    mutating func add(_ more: [UInt64]) {
        if passed == places.count {
            places.removeAll()
            passed = 0
        }
        let last = places.last ?? 0
        places += more.drop { $0 <= last }
    }

    /// Whether `place` is one of them; must be called in ascending order.
    mutating func contains(_ place: UInt64) -> Bool {
        while passed < places.count, places[passed] < place { passed += 1 }
        return passed < places.count && places[passed] == place
    }
}

/// A tag's name as bytes of a text.
@safe
struct MarkupName {
    private let bytes: UnsafeRawBufferPointer

    var count: Int { unsafe bytes.count }

    init(_ text: UnsafeRawBufferPointer, at start: Int) {
        var end = start
        while end < text.count, !Self.isEnd(unsafe text[end]) { end += 1 }
        unsafe bytes = UnsafeRawBufferPointer(rebasing: text[min(start, end)..<end])
    }

    /// Whether it is `HealthData`.
    var isRoot: Bool { element == .healthData }

    /// Apple's name for it, or `other`.
    var element: ElementName {
        ElementName.allCases.first { name in unsafe bytes.elementsEqual(name.text.utf8) } ?? .other
    }

    func isEqual(_ other: MarkupName) -> Bool { unsafe bytes.elementsEqual(other.bytes) }

    private static func isEnd(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: "/"), UInt8(ascii: ">"), UInt8(ascii: "<"): true
        default: false
        }
    }
}
