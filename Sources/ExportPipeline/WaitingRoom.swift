internal import FHIRR4

/// Resources that are written only if no other one covers them: the values of a blood pressure
/// stand in its panel, a food's nutrients stand at the top of the file.
///
/// Holds 16 MB at most, of resources that wait and of ids that are covered. What comes
/// beyond that is written where it stands, and counted (docs/formats.md, "What waits").
struct WaitingRoom: ~Copyable {
    /// What the bytes that wait may come to.
    static let maximumByteCount = 12 << 20
    /// How many ids of covered resources are remembered.
    static let maximumCoveredCount = 200_000

    /// All the room at once: memory that is not touched costs nothing, a buffer that grows leaves holes behind.
    private var bytes: JSONBytes
    private var rows: [ResourceID: EncodedResource] = [:]
    /// Bytes of rows that were covered and still take room.
    private var deadByteCount = 0
    private var covered: Set<ResourceID> = []
    private let byteLimit: Int
    private let coveredLimit: Int

    /// Resources that were not written, since a panel holds them.
    private(set) var coveredCount: UInt64 = 0
    /// Resources that waited twice.
    private(set) var twinCount: UInt64 = 0
    /// Resources that found no room and were written at once.
    private(set) var overflowCount: UInt64 = 0

    init(byteLimit: Int = maximumByteCount, coveredLimit: Int = maximumCoveredCount) {
        self.byteLimit = byteLimit
        bytes = JSONBytes(capacity: byteLimit)
        self.coveredLimit = coveredLimit
    }

    /// Keeps a copy of a resource.
    ///
    /// - Returns: `false` where there is no room: it must be written now.
    mutating func keep(_ row: EncodedResource, _ resource: UnsafeRawBufferPointer) -> Bool {
        if covered.contains(row.id) {
            coveredCount += 1
            return true
        }
        if let twin = rows[row.id] {
            twinCount += 1
            guard (row.rank, row.digest) > (twin.rank, twin.digest) else { return true }
            deadByteCount += Int(twin.count)
            rows[row.id] = nil
        }
        if bytes.count + resource.count > byteLimit { compact() }
        guard bytes.count + resource.count <= byteLimit else {
            overflowCount += 1
            return false
        }
        var row = row
        row.start = UInt32(truncatingIfNeeded: bytes.count)
        unsafe bytes.append(resource)
        rows[row.id] = row
        return true
    }

    /// Says that a resource stands in another one.
    mutating func cover(_ id: ResourceID) {
        if let row = rows.removeValue(forKey: id) {
            deadByteCount += Int(row.count)
            coveredCount += 1
        }
        if covered.count < coveredLimit { covered.insert(id) }
    }

    /// Lends all that waited in vain, in the order in which it came, one type after the other.
    mutating func empty<Failure: Error>(
        _ take: ([EncodedResource], UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        let left = rows.values.sorted { $0.start < $1.start }
        var groups: [UInt64] = []
        for row in left where !groups.contains(row.group) { groups.append(row.group) }
        let ordered = groups.flatMap { group in left.filter { $0.group == group } }
        try unsafe bytes.withBytes { (bytes) throws(Failure) in try unsafe take(ordered, bytes) }
        rows.removeAll()
        bytes.removeAll()
    }

    /// Gives the room of covered resources back, once it is a quarter.
    private mutating func compact() {
        guard deadByteCount > byteLimit / 4 else { return }
        var kept = JSONBytes(capacity: byteLimit)
        let left = rows.values.sorted { $0.start < $1.start }
        unsafe bytes.withBytes { old in
            for var row in left {
                let range = Int(row.start)..<Int(row.start) + Int(row.count)
                row.start = UInt32(truncatingIfNeeded: kept.count)
                unsafe kept.append(UnsafeRawBufferPointer(rebasing: old[range]))
                rows[row.id] = row
            }
        }
        swap(&kept, &bytes)
        deadByteCount = 0
    }
}
