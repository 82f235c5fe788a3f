/// The beginning of a gzip member, taken byte by byte as it comes.
///
/// ISA-L reads it too, but loses its place if one of several fields does not come at once. The fields say nothing about
/// the data: they are passed over, and so is the header's own checksum.
///
/// Source: RFC 1952, section 2.3.
struct GzipHeader {
    /// What is known after a byte.
    enum Outcome {
        case unfinished, whole, damaged
    }

    /// What every member begins with.
    static let magic: [UInt8] = [0x1F, 0x8B]

    /// Its parts, in their order.
    private enum Part: Int {
        case fixed, extraLength, extra, name, comment, sum, end
    }

    private var part = Part.fixed
    /// How many bytes of the part have come.
    private var count = 0
    private var flags: UInt8 = 0
    private var extraCount = 0

    /// Takes the next byte; once the outcome is `whole`, the data begin after it.
    mutating func take(_ byte: UInt8) -> Outcome {
        if part == .fixed, !isRight(byte) { return .damaged }
        if part == .extraLength { extraCount |= Int(byte) << (8 * count) }
        count += 1
        if isEnd(byte) {
            repeat { part = Part(rawValue: part.rawValue + 1) ?? .end } while !isThere
            count = 0
        }
        return part == .end ? .whole : .unfinished
    }

    /// Whether a byte of the fixed part may stand where it does: the method must be deflate, and no unknown flag set.
    private mutating func isRight(_ byte: UInt8) -> Bool {
        switch count {
        case 0, 1: return byte == Self.magic[count]
        case 2: return byte == 8
        case 3:
            flags = byte
            return byte < 32
        default: return true
        }
    }

    /// Whether a part ends with this byte, which was counted.
    private func isEnd(_ byte: UInt8) -> Bool {
        switch part {
        case .fixed: count == 10
        case .extraLength, .sum: count == 2
        case .extra: count == extraCount
        case .name, .comment: byte == 0
        case .end: true
        }
    }

    /// Whether the member has this part.
    private var isThere: Bool {
        switch part {
        case .fixed, .end: true
        case .extraLength: flags & 4 != 0
        case .extra: flags & 4 != 0 && extraCount > 0
        case .name: flags & 8 != 0
        case .comment: flags & 16 != 0
        case .sum: flags & 2 != 0
        }
    }
}
