public import FHIRR4

/// Gathers written resources into one group at a time and writes it as a transaction Bundle.
///
/// The caller asks `mustClose(before:)`, adds, asks `isAtBoundary`, and takes the finished
/// group with `finish(into:)`. Holds one group: at most `maximumByteCount`, or one larger
/// entry. Two with the same id in one group are one: the higher rank wins, then the greater
/// digest, whatever their order.
public struct BundleBuilder: ~Copyable {
    /// What the group is written as.
    public enum Framing: Sendable {
        /// `{"resourceType":"Bundle",…,"entry":[…]}` and a line feed.
        case transaction
        /// A resource a line.
        case lines
    }

    /// Devices that entries of this group refer to, by number, in the order of first reference.
    public private(set) var devices: [Int32] = []
    /// Resources dropped because another in their group had the same id.
    public private(set) var duplicateCount: UInt64 = 0

    private let limits: BundleLimits
    private let key: BundleKey
    private let framing: Framing
    private var body = JSONBytes(capacity: 1 << 20)
    private var rows: [EncodedResource] = []
    private var liveCount = 0
    private var hasGaps = false
    /// Rows by id: open addressing, a row's number plus one.
    private var slots: [UInt16]
    private var members: [BundleKey.Member] = []
    private var scratch = JSONBytes(capacity: 1 << 15)
    private var lastWasNew = false
    /// The row that has the id asked about last, or -1: `add` follows `mustClose` with the same.
    private var askedID = ResourceID(high: 0, low: 0)
    private var askedRow = notAsked
    private var group: UInt64 = 0
    private static let notAsked = -2
    private var lastDevice: Int32 = -1
    private var lastGateway: Int32 = -1

    /// An empty builder.
    ///
    /// - Parameters:
    ///   - limits: where groups end; `maximumEntryCount` 1 to 30,000.
    ///   - key: the run's part of all keys.
    ///   - framing: Bundles or lines.
    public init(limits: BundleLimits, key: BundleKey, framing: Framing) {
        self.limits = limits
        self.key = key
        self.framing = framing
        var size = 1024
        while size < limits.maximumEntryCount * 2 { size *= 2 }
        slots = [UInt16](repeating: 0, count: size)
        rows.reserveCapacity(limits.maximumEntryCount)
        start()
    }

    /// Live resources in the group.
    public var count: Int { liveCount }

    /// Whether the group must end before `row` can be added.
    ///
    /// - Parameters:
    ///   - row: the next resource.
    ///   - companions: how many resources must stand in the same group with it.
    ///   - companionByteCount: their bytes.
    public mutating func mustClose(
        before row: EncodedResource, companions: Int = 0, companionByteCount: Int = 0
    ) -> Bool {
        guard liveCount > 0 else { return false }
        if row.group != group { return true }
        let twin = find(row.id)
        askedID = row.id
        askedRow = twin
        if twin >= 0 {
            guard Self.wins(row, over: rows[twin]) else { return false }
            if body.count + Int(row.count) + companionByteCount + Self.closing.utf8.count <= limits.maximumByteCount { return false }
            // The winner does not fit beside the loser's bytes: it travels in the next group.
            askedRow = Self.notAsked
            remove(twin)
            duplicateCount += 1
            return liveCount > 0
        }
        return liveCount + companions >= limits.maximumEntryCount
            || body.count + 1 + Int(row.count) + companionByteCount + Self.closing.utf8.count > limits.maximumByteCount
    }

    /// Whether the group holds this resource.
    public func contains(_ id: ResourceID) -> Bool { find(id) >= 0 }

    /// Adds a resource with its bytes.
    public mutating func add(_ row: EncodedResource, _ bytes: UnsafeRawBufferPointer) {
        var row = row
        let twin = askedRow >= -1 && askedID == row.id ? askedRow : find(row.id)
        askedRow = Self.notAsked
        if twin >= 0 {
            lastWasNew = false
            duplicateCount += 1
            guard Self.wins(row, over: rows[twin]) else { return }
            hasGaps = true
            row.start = UInt32(body.count)
            unsafe body.append(bytes)
            rows[twin] = row
            refer(row)
            return
        }
        lastWasNew = true
        if framing == .transaction, !rows.isEmpty { body.append(UInt8(ascii: ",")) }
        row.start = UInt32(body.count)
        unsafe body.append(bytes)
        if framing == .lines { body.append(UInt8(ascii: "\n")) }
        rows.append(row)
        liveCount += 1
        group = row.group
        insert(row.id, rows.count)
        refer(row)
    }

    /// Whether the content says that the group ends after the resource added last.
    public var isAtBoundary: Bool {
        guard lastWasNew, liveCount >= limits.minimumEntryCount, let last = rows.last else { return false }
        return UInt32(truncatingIfNeeded: last.id.low) % limits.boundaryModulus == 0
    }

    /// Lends the finished group's bytes and key, then starts the next group.
    ///
    /// - Parameter body: takes the bytes and the key; the bytes are dead afterwards.
    public mutating func finish<Failure: Error>(
        _ body: (UnsafeRawBufferPointer, String) throws(Failure) -> Void
    ) throws(Failure) {
        if hasGaps { closeGaps() }
        members.removeAll(keepingCapacity: true)
        for row in rows where row.count > 0 { members.append(BundleKey.Member(id: row.id, digest: row.digest)) }
        let hex = key.hex(&members, &scratch)
        if framing == .transaction {
            self.body.append(Self.closing)
            self.body.overwrite(at: Self.opening.utf8.count, with: hex)
        }
        defer { start() }
        try unsafe self.body.withBytes { (bytes) throws(Failure) in try unsafe body(bytes, hex) }
    }

    private static let opening =
        "{\"resourceType\":\"Bundle\",\"identifier\":{\"system\":\"\(BundleKey.identifierSystem)\",\"value\":\""
    private static let zeroKey = String(repeating: "0", count: 64)
    private static let entryOpening = "\"},\"type\":\"transaction\",\"entry\":["
    private static let closing = "]}\n"

    private mutating func start() {
        body.removeAll()
        if framing == .transaction {
            body.append(Self.opening)
            body.append(Self.zeroKey)
            body.append(Self.entryOpening)
        }
        rows.removeAll(keepingCapacity: true)
        devices.removeAll(keepingCapacity: true)
        for index in slots.indices { slots[index] = 0 }
        liveCount = 0
        hasGaps = false
        lastWasNew = false
        askedRow = Self.notAsked
        lastDevice = -1
        lastGateway = -1
    }

    private static func wins(_ row: EncodedResource, over other: EncodedResource) -> Bool {
        row.rank != other.rank ? row.rank > other.rank : row.digest > other.digest
    }

    /// Writes the group anew without the bytes of resources that lost.
    private mutating func closeGaps() {
        let live = rows.filter { $0.count > 0 }
        var old = JSONBytes(capacity: body.count)
        swap(&old, &body)
        let duplicates = duplicateCount
        start()
        for row in live {
            unsafe old.withBytes { bytes in
                unsafe add(row, UnsafeRawBufferPointer(rebasing: bytes[Int(row.start)..<Int(row.start + row.count)]))
            }
        }
        duplicateCount = duplicates
    }

    private mutating func refer(_ row: EncodedResource) {
        // Most entries refer to what the one before refers to.
        guard row.device != lastDevice || row.gateway != lastGateway else { return }
        lastDevice = row.device
        lastGateway = row.gateway
        if row.device >= 0, !devices.contains(row.device) { devices.append(row.device) }
        if row.gateway >= 0, !devices.contains(row.gateway) { devices.append(row.gateway) }
    }

    private mutating func remove(_ row: Int) {
        rows[row].count = 0
        liveCount -= 1
        hasGaps = true
    }

    /// The row with this id, or -1.
    private func find(_ id: ResourceID) -> Int {
        var slot = Int(truncatingIfNeeded: id.low) & (slots.count - 1)
        while slots[slot] != 0 {
            let row = Int(slots[slot]) - 1
            if rows[row].id == id, rows[row].count > 0 { return row }
            slot = (slot + 1) & (slots.count - 1)
        }
        return -1
    }

    private mutating func insert(_ id: ResourceID, _ number: Int) {
        var slot = Int(truncatingIfNeeded: id.low) & (slots.count - 1)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = UInt16(truncatingIfNeeded: number)
    }
}
