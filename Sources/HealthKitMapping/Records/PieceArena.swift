internal import FHIRR4

/// Fixed JSON of all templates, each different piece once.
///
/// Templates of one type share their codes, templates of one device its reference: without
/// sharing, ten years of software updates make some thousand templates of 2 KB each.
struct PieceArena: ~Copyable {
    /// The pieces, one behind the other.
    private(set) var bytes = JSONBytes(capacity: 1 << 16)
    private var known: [[UInt8]: RecordTemplate.Piece] = [:]

    /// Where the JSON that `body` writes stands.
    mutating func piece(_ body: (inout JSONBytes) -> Void) -> RecordTemplate.Piece {
        let start = bytes.count
        body(&bytes)
        let text = unsafe bytes.withBytes { unsafe Array($0[start...]) }
        if let piece = known[text] {
            bytes.truncate(to: start)
            return piece
        }
        let piece = RecordTemplate.Piece(start: UInt32(start), count: UInt32(text.count))
        known[text] = piece
        return piece
    }

    /// Forgets all pieces.
    mutating func removeAll() {
        bytes.removeAll()
        known.removeAll()
    }
}
