internal import FHIRR4
internal import Glibc

/// Puts a group's framing, resources and separators in a row without moving them.
@safe
struct GroupPieces: ~Copyable {
    /// What a Bundle has beside its entries and the commas between them.
    static let framingByteCount = opening.utf8.count + 64 + entryOpening.utf8.count + closing.utf8.count

    /// What stands before the key.
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
    ///   - rows: what it is made of, which stays where it is.
    ///   - order: its members in the order in which they are to stand.
    ///   - framing: a Bundle or lines.
    ///   - key: the Bundle's key.
    ///   - take: takes them; they are dead afterwards.
    /// - Throws: what `take` throws.
    mutating func lend<Failure: Error>(
        _ rows: borrowing GroupRows,
        order: [BundleKey.Member],
        _ framing: BundleBuilder.Framing,
        key: String,
        _ take: (GroupBytes) throws(Failure) -> Void
    ) throws(Failure) {
        unsafe pieces.removeAll(keepingCapacity: true)
        if framing == .transaction { open(key) }
        let separator = unsafe framing == .transaction ? piece(comma) : piece(lineFeed)
        unsafe rows.lendBytes(of: order) { resource in
            unsafe pieces.append(piece(resource))
            unsafe pieces.append(separator)
        }
        if framing == .transaction {
            // Behind the last there is no comma.
            if !order.isEmpty { unsafe pieces.removeLast() }
            unsafe pieces.append(piece(closed))
        }
        let members = framing == .transaction ? order : []
        let byteCount = unsafe pieces.reduce(0) { unsafe $0 + $1.iov_len }
        try unsafe pieces.withUnsafeMutableBufferPointer { (pieces) throws(Failure) in
            try unsafe take(GroupBytes(byteCount: byteCount, pieces: pieces, rows: rows.rows, order: members))
        }
    }

    private mutating func open(_ key: String) {
        opened.removeAll()
        opened.append(Self.opening)
        opened.append(key)
        opened.append(Self.entryOpening)
        unsafe pieces.append(piece(opened))
    }
}

private func piece(_ bytes: borrowing JSONBytes) -> iovec { unsafe bytes.withBytes { unsafe piece($0) } }

private func piece(_ bytes: UnsafeRawBufferPointer) -> iovec {
    unsafe iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
}
