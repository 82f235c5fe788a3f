/// Replaces bytes that XML 1.0 forbids, and attributes that a phone wrote twice, and notes where they were.
///
/// Real exports hold control bytes such as 0x0B in app names, and invalid UTF-8. Each forbidden character, each maximal
/// invalid sequence and each reference to a forbidden character (`&#11;`) becomes U+FFFD, so the record around it stays
/// whole; only an element or attribute with U+FFFD in its name is lost. `&#11;` in a comment, CDATA section or
/// processing instruction is not a reference and stays. Repair runs only on chunks that could not be parsed as they
/// are: libxml2 refuses every such byte, so a good chunk pays nothing for it. A ``PhoneSlip`` is the only error of
/// Apple's own that is repaired.
///
/// Source: XML 1.0, section 2.2, `Char`; Unicode 15, section 3.9, "U+FFFD Substitution of Maximal Subparts".
struct TextRepair: ~Copyable {
    /// This many zero bytes in a row are a hole in the file, not an app's error.
    static let holeByteCount = 16
    /// Text with more replacements than this is beyond repair.
    static let maximumPlaceCount = 4096

    /// The text with replacements.
    private(set) var text = RawArray<UInt8>(capacity: 1 << 12)
    /// Where each replaced piece began, in bytes of the original, and what was wrong with it.
    private(set) var places: [(offset: Int, kind: Malformation.Kind)] = []
    /// Where the text is beyond repair: a hole, or more than 4,096 replacements.
    ///
    /// The text before and after a hole may not belong together: the beginning of one record and the end of another
    /// would become a third that nobody measured.
    private(set) var ruin: Int?
    /// Where each replaced piece ended, in the text and in the original.
    private var ends: [(repaired: Int, original: Int)] = []

    /// Repairs `bytes`, which must begin and end between characters.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - isMarkup: `false` for the inside of a comment or processing instruction, where nothing is a reference and
    ///     nothing is beyond repair.
    init(_ bytes: UnsafeRawBufferPointer, isMarkup: Bool = true) {
        var index = 0
        var copied = 0
        var zeros = 0
        var referencesFrom = isMarkup ? 0 : bytes.count
        var slips: ArraySlice<PhoneSlip> = []
        var isInTag = false
        var quote: UInt8?
        while index < bytes.count {
            let byte = unsafe bytes[index]
            if isInTag { (isInTag, quote) = Self.isInTag(after: byte, quote) }
            zeros = byte == 0 ? zeros + 1 : 0
            if isMarkup, zeros == Self.holeByteCount {
                ruin = index + 1 - zeros
                return
            }
            if byte == UInt8(ascii: "<"), index >= referencesFrom {
                referencesFrom = unsafe Self.endOfOpaqueMarkup(bytes, index)
                if referencesFrom == index {
                    slips = unsafe PhoneSlip.all(in: bytes, tagAt: index)[...]
                    if !isInTag { (isInTag, quote) = (true, nil) }
                }
            }
            let slip = index == slips.first?.offset ? slips.popFirst() : nil
            let length =
                unsafe slip?.byteCount
                ?? Self.forbiddenLength(bytes, index, isReference: index >= referencesFrom)
            if length == 0 {
                index += unsafe byte < 0x80 ? 1 : Self.sequenceLength(bytes, index)
                continue
            }
            if isMarkup, places.count == Self.maximumPlaceCount {
                ruin = index + 1 - max(zeros, 1)
                return
            }
            unsafe append(bytes, from: copied, to: index)
            append(slip?.replacement ?? "\u{FFFD}")
            let isInName = isInTag && quote == nil
            places.append((index, slip?.kind ?? (isInName ? .forbiddenName : .forbiddenCharacter)))
            index += length
            copied = index
            ends.append((text.count, index))
        }
        unsafe append(bytes, from: copied, to: bytes.count)
    }

    /// Whether the tag continues after this byte, and inside which quotes.
    private static func isInTag(after byte: UInt8, _ quote: UInt8?) -> (Bool, quote: UInt8?) {
        switch (byte, quote) {
        case (UInt8(ascii: ">"), nil): (false, nil)
        case (UInt8(ascii: "\""), nil), (UInt8(ascii: "'"), nil): (true, byte)
        case (_, byte): (true, nil)
        default: (true, quote)
        }
    }

    /// The place after the comment, CDATA section or processing instruction at `index`, or `index` if none begins
    /// there.
    private static func endOfOpaqueMarkup(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Int {
        for markup in OpaqueMarkup.allCases where unsafe markup.opens(at: index, in: bytes) == true {
            return unsafe markup.end(in: bytes, from: index + markup.opening.utf8CodeUnitCount) ?? bytes.count
        }
        return index
    }

    /// The place in the original of a byte of the repaired text.
    func originalOffset(of offset: Int) -> Int {
        var low = 0
        var high = places.count
        while low < high {
            let middle = (low + high) / 2
            if ends[middle].repaired <= offset { low = middle + 1 } else { high = middle }
        }
        let original = low == 0 ? offset : ends[low - 1].original + offset - ends[low - 1].repaired
        return low == places.count ? original : min(original, places[low].offset)
    }

    /// Sets the offsets of elements that were read from the repaired text to their places in the original.
    ///
    /// - Parameters:
    ///   - batch: holds the elements.
    ///   - firstRecord: the first record that was read from this text.
    ///   - firstNode: the first node of other elements that was.
    ///   - base: where the text begins in the export.
    func putBack(_ batch: inout ElementBatch, fromRecord firstRecord: Int, node firstNode: Int, base: UInt64) {
        guard !places.isEmpty else { return }
        func original(_ offset: UInt64) -> UInt64 { base + UInt64(originalOffset(of: Int(offset - base))) }
        for index in firstRecord..<batch.records.count {
            batch.records[index].byteOffset = original(batch.records[index].byteOffset)
        }
        for index in firstNode..<batch.nodes.count {
            batch.nodes[index].byteOffset = original(batch.nodes[index].byteOffset)
        }
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) {
        guard end > start, let base = bytes.baseAddress else { return }
        unsafe text.append(copyOf: (base + start).assumingMemoryBound(to: UInt8.self), count: end - start)
    }

    private mutating func append(_ replacement: StaticString) {
        replacement.withUTF8Buffer { bytes in
            guard let base = bytes.baseAddress else { return }
            unsafe text.append(copyOf: base, count: bytes.count)
        }
    }

    /// Whether a text is in another encoding than UTF-8: it has at least eight invalid sequences and no valid one.
    ///
    /// An editor that saves an export again as windows-1252 leaves `encoding="UTF-8"` in its first line. Names and
    /// units would then be read wrongly, and ids would change.
    static func isInOtherEncoding(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var (index, invalid) = (0, 0)
        let end = unsafe bytes.count - incompleteTail(bytes)
        while index < end {
            guard unsafe bytes[index] >= 0x80 else {
                index += 1
                continue
            }
            guard unsafe sequenceLength(bytes, index) == 0 else { return false }
            invalid += 1
            index += unsafe maximalSubpartLength(bytes, index)
        }
        return invalid >= 8
    }

    /// How many bytes at the end of `bytes` begin a character whose rest is missing; at most 3.
    static func incompleteTail(_ bytes: UnsafeRawBufferPointer) -> Int {
        for length in 1...3 where length <= bytes.count {
            let index = bytes.count - length
            guard unsafe wantedLength(bytes[index]) > length else { continue }
            return unsafe maximalSubpartLength(bytes, index) == length ? length : 0
        }
        return 0
    }

    /// How many bytes at `index` must be replaced: 0 if a legal character begins there.
    private static func forbiddenLength(
        _ bytes: UnsafeRawBufferPointer,
        _ index: Int,
        isReference: Bool
    ) -> Int {
        let byte = unsafe bytes[index]
        if byte < 0x20 { return byte == 0x09 || byte == 0x0A || byte == 0x0D ? 0 : 1 }
        if byte == UInt8(ascii: "&"), isReference { return unsafe forbiddenReferenceLength(bytes, index) }
        if byte < 0x80 { return 0 }
        let length = unsafe sequenceLength(bytes, index)
        if length > 0 {
            // UTF-8 allows U+FFFE and U+FFFF, but XML does not.
            let isNonCharacter = unsafe byte == 0xEF && bytes[index + 1] == 0xBF && bytes[index + 2] >= 0xBE
            return isNonCharacter ? 3 : 0
        }
        return unsafe maximalSubpartLength(bytes, index)
    }

    /// The length of the well-formed sequence at `index`; 0 if there is none (Unicode, table 3-7).
    private static func sequenceLength(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Int {
        let wanted = unsafe wantedLength(bytes[index])
        guard wanted > 0, unsafe maximalSubpartLength(bytes, index) == wanted else { return 0 }
        return wanted
    }

    private static func wantedLength(_ lead: UInt8) -> Int {
        switch lead {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 0
        }
    }

    /// How many bytes from `index` on begin a well-formed sequence, at least 1.
    private static func maximalSubpartLength(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Int {
        let lead = unsafe bytes[index]
        let wanted = wantedLength(lead)
        var length = 1
        while length < wanted, index + length < bytes.count {
            let byte = unsafe bytes[index + length]
            let low: UInt8 = length > 1 ? 0x80 : lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80
            let high: UInt8 = length > 1 ? 0xBF : lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF
            guard byte >= low, byte <= high else { break }
            length += 1
        }
        return length
    }

    /// The length of a reference at `index` to a character that XML forbids, else 0.
    private static func forbiddenReferenceLength(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Int {
        guard index + 3 < bytes.count, unsafe bytes[index + 1] == UInt8(ascii: "#") else { return 0 }
        var position = index + 2
        let isHex = unsafe bytes[position] == UInt8(ascii: "x")
        if isHex { position += 1 }
        let first = position
        var value: UInt32 = 0
        while position < bytes.count, position < first + 32 {
            let byte = unsafe bytes[position]
            let digit: UInt32
            switch byte {
            case 0x30...0x39: digit = UInt32(byte - 0x30)
            case 0x41...0x46 where isHex: digit = UInt32(byte - 0x37)
            case 0x61...0x66 where isHex: digit = UInt32(byte - 0x57)
            default:
                guard byte == UInt8(ascii: ";"), position > first else { return 0 }
                return isCharacter(value) ? 0 : position + 1 - index
            }
            value = min(value &* (isHex ? 16 : 10) &+ digit, 0x200000)
            position += 1
        }
        return 0
    }

    private static func isCharacter(_ value: UInt32) -> Bool {
        switch value {
        case 0x09, 0x0A, 0x0D, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
