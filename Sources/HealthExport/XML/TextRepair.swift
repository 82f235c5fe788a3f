/// Replaces the bytes of a text that XML 1.0 forbids, and says where they were.
///
/// Real exports hold control bytes such as 0x0B in app names, and invalid UTF-8. Each
/// forbidden character, each maximal invalid sequence and each reference to a forbidden
/// character (`&#11;`) becomes U+FFFD, so the record around it stays whole. It runs only
/// on a chunk that libxml2 refused: libxml2 refuses every such byte, so a good export
/// pays nothing for it.
///
/// Source: XML 1.0, section 2.2, `Char`; Unicode 15, section 3.9, "U+FFFD Substitution of
/// Maximal Subparts".
public struct TextRepair: ~Copyable {
    /// The text with replacements.
    public private(set) var text = RawArray<UInt8>(capacity: 1 << 12)
    /// Where each replaced piece began, in bytes of the original.
    public private(set) var places: [Int] = []
    /// By how much the text is longer than the original behind each place.
    private var shifts: [Int] = []

    /// Repairs `bytes`, which begin and end between characters.
    public init(_ bytes: UnsafeRawBufferPointer) {
        var index = 0
        var copied = 0
        while index < bytes.count {
            let length = unsafe Self.forbiddenLength(bytes, index)
            if length == 0 {
                index += unsafe bytes[index] < 0x80 ? 1 : Self.sequenceLength(bytes, index)
                continue
            }
            unsafe append(bytes, from: copied, to: index)
            text.append(0xEF)
            text.append(0xBF)
            text.append(0xBD)
            index += length
            copied = index
            places.append(index - length)
            shifts.append(text.count - index)
        }
        unsafe append(bytes, from: copied, to: bytes.count)
    }

    /// Where a byte of the repaired text stood in the original.
    public func originalOffset(of offset: Int) -> Int {
        var low = 0
        var high = places.count
        while low < high {
            let middle = (low + high) / 2
            if places[middle] + shifts[middle] < offset { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? offset : max(offset - shifts[low - 1], places[low - 1])
    }

    private mutating func append(_ bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) {
        guard end > start, let base = bytes.baseAddress else { return }
        unsafe text.append(copyOf: (base + start).assumingMemoryBound(to: UInt8.self), count: end - start)
    }

    /// How many bytes at `index` must go: 0 where a legal character begins.
    private static func forbiddenLength(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Int {
        let byte = unsafe bytes[index]
        if byte < 0x20 { return byte == 0x09 || byte == 0x0A || byte == 0x0D ? 0 : 1 }
        if byte == UInt8(ascii: "&") { return unsafe forbiddenReferenceLength(bytes, index) }
        if byte < 0x80 { return 0 }
        let length = unsafe sequenceLength(bytes, index)
        if length > 0 {
            // U+FFFE and U+FFFF are characters of UTF-8 but not of XML.
            let isNonCharacter = unsafe byte == 0xEF && bytes[index + 1] == 0xBF && bytes[index + 2] >= 0xBE
            return isNonCharacter ? 3 : 0
        }
        return unsafe maximalSubpartLength(bytes, index)
    }

    /// The length of the well-formed sequence at `index`; 0 where there is none (Unicode, table 3-7).
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

    /// How many bytes from `index` are the beginning of a well-formed sequence, at least 1.
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

    /// The length of a character reference at `index` to something XML forbids, else 0.
    private static func forbiddenReferenceLength(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Int {
        guard index + 3 < bytes.count, unsafe bytes[index + 1] == UInt8(ascii: "#") else { return 0 }
        var position = index + 2
        let isHex = unsafe bytes[position] == UInt8(ascii: "x")
        if isHex { position += 1 }
        let first = position
        var value: UInt32 = 0
        while position < bytes.count, position < first + 10 {
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
