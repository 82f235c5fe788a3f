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

    private var framing = BundleBuilder.Framing.transaction
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

    /// Begins a group.
    mutating func start(_ framing: BundleBuilder.Framing, key: String) {
        self.framing = framing
        unsafe pieces.removeAll(keepingCapacity: true)
        guard framing == .transaction else { return }
        opened.removeAll()
        opened.append(Self.opening)
        opened.append(key)
        opened.append(Self.entryOpening)
        unsafe opened.withBytes { unsafe append($0, to: &pieces) }
    }

    /// Adds a resource, which stays where it is until `finish` has ended.
    mutating func add(_ resource: UnsafeRawBufferPointer) {
        switch framing {
        case .transaction:
            if unsafe pieces.count > 1 { unsafe comma.withBytes { unsafe append($0, to: &pieces) } }
            unsafe append(resource, to: &pieces)
        case .lines:
            unsafe append(resource, to: &pieces)
            unsafe lineFeed.withBytes { unsafe append($0, to: &pieces) }
        }
    }

    /// Lends the whole to `take`.
    mutating func finish<Failure: Error>(
        _ members: [BundleMember],
        _ take: (GroupBytes) throws(Failure) -> Void
    ) throws(Failure) {
        if framing == .transaction { unsafe closed.withBytes { unsafe append($0, to: &pieces) } }
        let byteCount = unsafe pieces.reduce(0) { unsafe $0 + $1.iov_len }
        try unsafe pieces.withUnsafeMutableBufferPointer { (pieces) throws(Failure) in
            try unsafe take(GroupBytes(byteCount: byteCount, pieces: pieces, members: members))
        }
    }
}

private func append(_ bytes: UnsafeRawBufferPointer, to pieces: inout [iovec]) {
    unsafe pieces.append(iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count))
}
