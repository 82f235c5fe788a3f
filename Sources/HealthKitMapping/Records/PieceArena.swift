internal import FHIRR4

/// The fixed JSON of all templates, with each different piece stored once.
///
/// Templates of one type share their codes, and templates of one device its reference: without sharing, ten years of
/// software updates make some thousand templates of 2 KB each.
struct PieceArena: ~Copyable {
    /// The pieces, one after the other.
    private(set) var bytes = JSONBytes(capacity: 1 << 16)
    /// The pieces by the hash of their bytes; of two with the same hash only the later one is found.
    private var known: [Int: RecordTemplate.Piece] = [:]

    /// Where the JSON that `body` writes is stored.
    mutating func piece(_ body: (inout JSONBytes) -> Void) -> RecordTemplate.Piece {
        let start = bytes.count
        body(&bytes)
        let count = bytes.count - start
        let (hash, twin) = unsafe bytes.withBytes { all in
            let text = unsafe UnsafeRawBufferPointer(rebasing: all[start...])
            var hasher = Hasher()
            unsafe hasher.combine(bytes: text)
            let hash = hasher.finalize()
            guard let piece = known[hash], Int(piece.count) == count else {
                return (hash, nil as RecordTemplate.Piece?)
            }
            let earlier = unsafe UnsafeRawBufferPointer(rebasing: all[Int(piece.start)..<Int(piece.start) + count])
            return (hash, unsafe earlier.elementsEqual(text) ? piece : nil)
        }
        if let twin {
            bytes.truncate(to: start)
            return twin
        }
        let piece = RecordTemplate.Piece(start: UInt32(start), count: UInt32(count))
        known[hash] = piece
        return piece
    }

    /// Forgets all pieces.
    mutating func removeAll() {
        bytes.removeAll()
        known.removeAll()
    }
}
