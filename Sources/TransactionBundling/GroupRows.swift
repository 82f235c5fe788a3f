internal import FHIRR4

/// The resources of one group in the order of arrival, found by their ids, and where their bytes are.
///
/// Bytes stay with their lender until they are kept, that is, copied one after the other. A resource that leaves the
/// group keeps its place, with no bytes.
@safe
struct GroupRows: ~Copyable {
    /// A resource and where its bytes are.
    @safe
    struct Row {
        var resource: EncodedResource
        /// Where its bytes are lent; `nil` once they are kept, from the resource's `start` on.
        var lent: UnsafeRawPointer?
    }

    /// All that were added, those that left included.
    private(set) var rows: [Row] = []
    /// How many have not left.
    private(set) var liveCount = 0
    /// Their bytes.
    private(set) var liveByteCount = 0
    /// The bytes that are kept.
    private var body = JSONBytes(capacity: bodyByteCount)
    private static let bodyByteCount = 1 << 21
    /// The first row whose bytes the last lender may have lent.
    private var loanStart = 0
    /// The places of the resources in `rows`.
    private var places: ResourcePlaces
    private let limits: BundleLimits

    /// No resources, with room for a group of this size.
    init(_ limits: BundleLimits) {
        self.limits = limits
        places = ResourcePlaces(capacity: limits.maximumEntryCount)
        rows.reserveCapacity(limits.maximumEntryCount)
    }

    /// The resource at a place.
    subscript(number: Int) -> EncodedResource { rows[number].resource }

    /// The place of the resource with this id, or -1.
    @inline(__always)
    func find(_ id: ResourceID) -> Int {
        places.place(of: id) { number in
            let resource = rows[number].resource
            return resource.id == id && resource.count > 0
        }
    }

    /// Adds a resource whose id is not there, and whose bytes are lent.
    @inline(__always)
    mutating func append(_ resource: EncodedResource, _ bytes: UnsafeRawBufferPointer) {
        unsafe rows.append(Row(resource: resource, lent: bytes.baseAddress))
        liveCount += 1
        liveByteCount += Int(resource.count)
        places.insert(rows.count - 1, of: resource.id) { rows[$0].resource.id }
    }

    /// Puts a resource of the same id, whose bytes are lent, in the place of another.
    mutating func replace(_ number: Int, with resource: EncodedResource, _ bytes: UnsafeRawBufferPointer) {
        liveByteCount += Int(resource.count) - Int(rows[number].resource.count)
        unsafe rows[number] = Row(resource: resource, lent: bytes.baseAddress)
    }

    /// Takes a resource out.
    mutating func remove(_ number: Int) {
        liveByteCount -= Int(rows[number].resource.count)
        rows[number].resource.count = 0
        liveCount -= 1
    }

    /// Forgets all.
    mutating func removeAll() {
        // A long swim has a thousand laps, which must be in one group: their memory is given back.
        let isLarge = rows.count > limits.maximumEntryCount
        if isLarge { places = ResourcePlaces(capacity: limits.maximumEntryCount) } else { places.removeAll() }
        rows.removeAll(keepingCapacity: true)
        body.removeAll(keepingAtMost: max(Self.bodyByteCount, 4 * limits.maximumByteCount))
        loanStart = 0
        liveCount = 0
        liveByteCount = 0
    }

    /// Lists those that have not left, in the order of arrival.
    func list(into members: inout [BundleKey.Member]) {
        members.removeAll(keepingCapacity: true)
        for (number, row) in rows.enumerated() where row.resource.count > 0 {
            let (id, digest) = (row.resource.id, row.resource.digest)
            members.append(BundleKey.Member(id: id, digest: digest, row: Int32(truncatingIfNeeded: number)))
        }
    }

    /// Lends the bytes of members, one after the other; they are invalid once this changes.
    func lendBytes(of members: [BundleKey.Member], _ take: (UnsafeRawBufferPointer) -> Void) {
        unsafe body.withBytes { kept in
            for member in members {
                let row = rows[Int(member.row)]
                let source = unsafe row.lent ?? kept.baseAddress.map { unsafe $0 + Int(row.resource.start) }
                unsafe take(UnsafeRawBufferPointer(start: source, count: Int(row.resource.count)))
            }
        }
    }
}

// Keeping what was lent.
extension GroupRows {
    /// Notes that bytes are lent by another lender from now on.
    mutating func beginLoan() { loanStart = rows.count }

    /// Copies what all lenders have lent.
    mutating func keepAll() { for number in rows.indices { keep(number) } }

    /// Copies what the lenders before the last one have lent.
    mutating func keepEarlierLoans() { for number in 0..<loanStart { keep(number) } }

    /// Copies a resource's bytes, if they are lent.
    mutating func keep(_ number: Int) {
        guard let source = unsafe rows[number].lent else { return }
        // Entries that lost must not pile up; as long as they have not, there is nothing to gain.
        if body.count > 2 * max(limits.maximumByteCount, liveByteCount) { compact() }
        unsafe rows[number].lent = nil
        rows[number].resource.start = UInt32(body.count)
        unsafe body.append(UnsafeRawBufferPointer(start: source, count: Int(rows[number].resource.count)))
    }

    /// Moves the kept bytes of live rows together.
    private mutating func compact() {
        var old = JSONBytes(capacity: liveByteCount)
        swap(&old, &body)
        for number in rows.indices where rows[number].resource.count > 0 {
            guard unsafe rows[number].lent == nil else { continue }
            let resource = rows[number].resource
            let range = Int(resource.start)..<Int(resource.start) + Int(resource.count)
            rows[number].resource.start = UInt32(body.count)
            unsafe old.withBytes { bytes in unsafe body.append(UnsafeRawBufferPointer(rebasing: bytes[range])) }
        }
    }
}
