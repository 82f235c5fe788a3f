internal import FHIRR4
internal import Glibc

/// Lists a group's framing, resources and separators in order, without moving them.
@safe
struct GroupPieces: ~Copyable {
    /// The bytes of a Bundle in addition to its entries and the commas between them.
    static let framingByteCount = opening.utf8.count + 64 + entryOpening.utf8.count + closing.utf8.count

    /// What comes before the key.
    static let opening =
        "{\"resourceType\":\"Bundle\",\"identifier\":{\"system\":\"\(BundleKey.identifierSystem)\",\"value\":\""
    static let entryOpening = "\"},\"type\":\"transaction\",\"entry\":["
    static let closing = "]}\n"

    private var pieces = unsafe [iovec]()
    private var opened = JSONBytes(capacity: 512)
    private var closed = JSONBytes(capacity: 64)
    private var comma = JSONBytes(capacity: 64)
    private var lineFeed = JSONBytes(capacity: 64)

    init() {
        closed.append(Self.closing)
        comma.append(UInt8(ascii: ","))
        lineFeed.append(UInt8(ascii: "\n"))
    }

    /// Lends a group's pieces to `take`.
    ///
    /// - Parameters:
    ///   - rows: its resources, which stay where they are.
    ///   - order: its members in the order in which they are written.
    ///   - framing: a Bundle or lines.
    ///   - key: the Bundle's key.
    ///   - take: takes them; they are invalid afterwards.
    /// - Throws: what `take` throws.
    mutating func lend<Failure: Error>(
        _ rows: borrowing GroupRows,
        order: [BundleKey.Member],
        _ framing: BundleBuilder.Framing,
        key: String,
        _ take: (GroupBytes) throws(Failure) -> Void
    ) throws(Failure) {
        open(key)
        // Each resource with a separator, and the two pieces of the frame.
        let most = 2 * order.count + 2
        if unsafe pieces.count < most { unsafe pieces = Array(repeating: iovec(), count: most) }
        let (opened, closed) = unsafe (piece(opened), piece(closed))
        let (comma, lineFeed) = unsafe (piece(comma), piece(lineFeed))
        try unsafe pieces.withUnsafeMutableBufferPointer { (pieces) throws(Failure) in
            var count = 0
            var byteCount = 0
            func add(_ piece: iovec) {
                unsafe pieces[count] = unsafe piece
                count += 1
                unsafe byteCount += piece.iov_len
            }
            if framing == .transaction { unsafe add(opened) }
            unsafe rows.lendBytes(of: order) { resource in
                if framing == .transaction, count > 1 { unsafe add(comma) }
                unsafe add(piece(resource))
                if framing == .lines { unsafe add(lineFeed) }
            }
            if framing == .transaction { unsafe add(closed) }
            try unsafe take(
                GroupBytes(
                    byteCount: byteCount,
                    pieces: UnsafeMutableBufferPointer(rebasing: pieces[..<count]),
                    rows: rows.rows,
                    order: framing == .transaction ? order : []
                )
            )
        }
    }

    private mutating func open(_ key: String) {
        opened.removeAll()
        opened.append(Self.opening)
        opened.append(key)
        opened.append(Self.entryOpening)
    }
}

private func piece(_ bytes: borrowing JSONBytes) -> iovec { unsafe bytes.withBytes { unsafe piece($0) } }

private func piece(_ bytes: UnsafeRawBufferPointer) -> iovec {
    unsafe iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
}
