package import FHIRR4

/// Gathers written resources into one group at a time and writes it as a transaction Bundle.
///
/// The caller asks `mustClose(before:)`, adds, asks `isAtBoundary`, and takes the finished group with `finish`. Of two
/// resources with the same id in one group one is kept: that of higher rank, else that of the greater digest, whatever
/// their order. A Bundle's entries are in the order of their ids, so its bytes depend on what it holds and not on the
/// order of arrival. Holds one group: at most `maximumByteCount`, or one larger entry, and as much again of entries
/// that lost.
@safe
package struct BundleBuilder: ~Copyable {
    /// What the group is written as.
    package enum Framing: Sendable {
        /// `{"resourceType":"Bundle",…,"entry":[…]}` and a line feed, entries in the order of their ids.
        case transaction
        /// One resource per line, in the order of arrival.
        case lines
    }

    /// Whether the group's content lets it end after the resource that was added last.
    package private(set) var isAtBoundary = false
    /// Resources dropped because another in their group had the same id.
    package private(set) var duplicateCount: UInt64 = 0
    /// Those of them that had other content and the same rank, so that nothing shows which of the two is newer.
    package private(set) var conflictingDuplicateCount: UInt64 = 0

    private let limits: BundleLimits
    private let key: BundleKey
    private let framing: Framing
    private var rows: GroupRows
    /// What has not left the group, in the order of arrival and in that of the ids.
    private var arrived: [BundleKey.Member] = []
    private var sorted: [BundleKey.Member] = []
    private var scratch = JSONBytes(capacity: 1 << 15)
    private var pieces = GroupPieces()
    /// Needed for every resource: a static's check for its first use would cost more than reading this.
    private let framingByteCount = GroupPieces.framingByteCount
    /// Whether a unit is being added: resources that one group must hold, whose Devices were added before them.
    private var isInUnit = false
    /// The kind of the resource that was added last, even if it lost against a twin.
    private var lastKind: UInt64 = 0
    /// The id that `mustClose` looked up last, and its row or -1: `add` follows with the same id.
    private var askedID = ResourceID(high: 0, low: 0)
    private var askedRow = notAsked
    private static let notAsked = -2

    /// An empty builder.
    ///
    /// - Parameters:
    ///   - limits: where groups end; `maximumEntryCount` 1 to 30,000.
    ///   - key: the run's part of all keys.
    ///   - framing: Bundles or lines.
    package init(limits: BundleLimits, key: BundleKey, framing: Framing) {
        self.limits = limits
        self.key = key
        self.framing = framing
        rows = GroupRows(limits)
    }

    /// How many resources the group holds, carried Devices included.
    package var count: Int { rows.liveCount }

    /// The type of the group's resources, apart from the Devices that it carries.
    package var type: ResourceType {
        rows.rows.first { !Self.isCarried($0.resource) }?.resource.type ?? .observation
    }

    /// Devices that the group's resources refer to, by number, in the order of first reference.
    package var devices: [Int32] {
        var devices: [Int32] = []
        var last: (device: Int32, gateway: Int32) = (-1, -1)
        for row in rows.rows {
            let resource = row.resource
            // Mostly the same as those of the resource before.
            guard resource.device != last.device || resource.gateway != last.gateway else { continue }
            guard resource.count > 0, !Self.isCarried(resource) else { continue }
            last = (resource.device, resource.gateway)
            for device in [last.device, last.gateway] where device >= 0 && !devices.contains(device) {
                devices.append(device)
            }
        }
        return devices
    }

    /// Whether the group must end before `row` can be added.
    ///
    /// - Parameters:
    ///   - row: the next resource; not one that `isOutranked(_:)`.
    ///   - carried: how many Devices must be added to the same group with it.
    ///   - carriedByteCount: their bytes.
    /// - Returns: whether `finish` must come before `row`.
    package mutating func mustClose(
        before row: EncodedResource,
        carried: Int = 0,
        carriedByteCount: Int = 0
    ) -> Bool {
        guard rows.liveCount > 0 else { return false }
        if row.kind != lastKind { return true }
        let twin = rows.find(row.id)
        askedID = row.id
        askedRow = twin
        guard twin >= 0 else {
            return rows.liveCount + carried >= limits.maximumEntryCount
                || writtenByteCount(adding: carried + 1, carriedByteCount + Int(row.count))
                    > limits.maximumByteCount
        }
        guard Self.wins(row, over: rows[twin]) else { return false }
        let byteCount = writtenByteCount(
            adding: carried,
            carriedByteCount + Int(row.count) - Int(rows[twin].count)
        )
        let isRoom = rows.liveCount + carried <= limits.maximumEntryCount
        if isRoom, byteCount <= limits.maximumByteCount { return false }
        // The winner does not fit in the loser's place: it is left for the next group.
        askedRow = Self.notAsked
        count(row, twinOf: rows[twin])
        rows.remove(twin)
        removeNeedlessCarried()
        if rows.liveCount == 0 { start() }
        return rows.liveCount > 0
    }

    /// Whether the group must end before a unit is added: resources that one group must hold.
    ///
    /// A resource that has a twin in the group competes with it when it is added. If what then stays does not fit, the
    /// whole unit begins the next group, and nothing leaves this one.
    ///
    /// - Parameters:
    ///   - unit: the next resources.
    ///   - carried: how many Devices must be added with them.
    ///   - carriedByteCount: their bytes.
    /// - Returns: whether `finish` must come before the unit.
    package func mustClose(
        beforeUnit unit: [EncodedResource],
        carried: Int = 0,
        carriedByteCount: Int = 0
    ) -> Bool {
        guard rows.liveCount > 0, let first = unit.first else { return false }
        if first.kind != lastKind { return true }
        var entryCount = carried
        var byteCount = carriedByteCount
        for row in staying(of: unit) {
            let twin = rows.find(row.id)
            if twin < 0 { entryCount += 1 }
            byteCount += Int(row.count) - (twin < 0 ? 0 : Int(rows[twin].count))
        }
        return rows.liveCount + entryCount > limits.maximumEntryCount
            || writtenByteCount(adding: entryCount, byteCount) > limits.maximumByteCount
    }

    /// The resources of a unit that will be in the group once all of it is added.
    package func staying(of unit: [EncodedResource]) -> [EncodedResource] {
        var staying: [EncodedResource] = []
        var places: [ResourceID: Int] = [:]
        for row in unit where !loses(row) {
            if let place = places[row.id] {
                if Self.wins(row, over: staying[place]) { staying[place] = row }
            } else {
                places[row.id] = staying.count
                staying.append(row)
            }
        }
        return staying
    }

    /// Whether the group holds this resource.
    package func contains(_ id: ResourceID) -> Bool { rows.find(id) >= 0 }

    /// Whether `row` is of the group's kind, and loses against a resource with the same id in the group.
    package func isOutranked(_ row: EncodedResource) -> Bool { row.kind == lastKind && loses(row) }

    private func loses(_ row: EncodedResource) -> Bool {
        let twin = rows.find(row.id)
        return twin >= 0 && !Self.wins(row, over: rows[twin])
    }

    /// Adds a resource and a copy of its bytes.
    package mutating func add(_ row: EncodedResource, _ bytes: UnsafeRawBufferPointer) {
        unsafe addBorrowed(row, bytes)
        let place = rows.find(row.id)
        if place >= 0 { rows.keep(place) }
    }

    /// Adds a resource whose bytes stay where they are until `finish` or `keepBorrowedBytes()`.
    ///
    /// Most groups are finished while their bytes are still there, and so are copied only once.
    package mutating func addBorrowed(_ row: EncodedResource, _ bytes: UnsafeRawBufferPointer) {
        let twin = askedRow != Self.notAsked && askedID == row.id ? askedRow : rows.find(row.id)
        askedRow = Self.notAsked
        lastKind = row.kind
        guard twin >= 0 else {
            unsafe rows.append(row, bytes)
            isAtBoundary =
                rows.liveCount >= limits.minimumEntryCount
                && UInt32(truncatingIfNeeded: row.id.low) % limits.boundaryModulus == 0
            return
        }
        isAtBoundary = false
        count(row, twinOf: rows[twin])
        guard Self.wins(row, over: rows[twin]) else { return }
        unsafe rows.replace(twin, with: row, bytes)
        // Within a unit a Device may be needed by a resource that is yet to come.
        if !isInUnit { removeNeedlessCarried() }
    }

    private mutating func count(_ row: EncodedResource, twinOf twin: EncodedResource) {
        duplicateCount += 1
        if row.rank == twin.rank, row.digest != twin.digest { conflictingDuplicateCount += 1 }
    }

    /// Begins a unit, up to ``endUnit()``: resources that one group must hold, whose Devices were added before.
    package mutating func beginUnit() { isInUnit = true }

    /// Ends a unit: Devices that only resources which lost against it referred to leave the group.
    package mutating func endUnit() {
        isInUnit = false
        removeNeedlessCarried()
        if rows.liveCount < limits.minimumEntryCount { isAtBoundary = false }
    }

    /// Copies what the group has borrowed; the lenders may go.
    package mutating func keepBorrowedBytes() {
        rows.keepAll()
    }

    /// Notes that bytes are borrowed from another lender from now on.
    package mutating func beginLoan() { rows.beginLoan() }

    /// Copies what the group has borrowed from the lenders before the last one; they may go.
    package mutating func keepEarlierLoans() {
        rows.keepEarlierLoans()
    }

    /// Adds a Device that must be in the same group as the resources that refer to it.
    ///
    /// It leaves the group with the last of them.
    ///
    /// - Parameters:
    ///   - number: its number, as the resources' `device` or `gateway` gives it.
    ///   - row: the Device.
    ///   - bytes: its JSON.
    package mutating func addCarried(_ number: Int32, _ row: EncodedResource, _ bytes: UnsafeRawBufferPointer) {
        guard rows.find(row.id) < 0 else { return }
        var row = row
        row.device = number
        row.gateway = Self.carriedMark
        unsafe rows.append(row, bytes)
        rows.keep(rows.rows.count - 1)
    }

    /// Lends the finished group's bytes and key, then starts the next group.
    ///
    /// - Parameter take: takes the bytes, which are invalid afterwards, and the key, which is empty for lines.
    /// - Throws: what `take` throws.
    package mutating func finish<Failure: Error>(
        _ take: (GroupBytes, String) throws(Failure) -> Void
    ) throws(Failure) {
        rows.list(into: &arrived)
        var hex = ""
        if framing == .transaction {
            BundleKey.sort(arrived, into: &sorted)
            hex = key.hex(sorted, &scratch)
        }
        let order = framing == .transaction ? sorted : arrived
        defer { start() }
        try pieces.lend(rows, order: order, framing, key: hex) { (group) throws(Failure) in try take(group, hex) }
    }

    private static let carriedMark: Int32 = -2

    private mutating func start() {
        rows.removeAll()
        isAtBoundary = false
        askedRow = Self.notAsked
    }

    private static func isCarried(_ row: EncodedResource) -> Bool { row.gateway == carriedMark }

    private static func wins(_ row: EncodedResource, over other: EncodedResource) -> Bool {
        row.rank != other.rank ? row.rank > other.rank : row.digest > other.digest
    }

    /// How many bytes the Bundle has with so many more entries and bytes.
    private func writtenByteCount(adding entryCount: Int, _ byteCount: Int) -> Int {
        framingByteCount + rows.liveByteCount + byteCount + max(rows.liveCount + entryCount - 1, 0)
    }

    /// Removes Devices that no resource of the group refers to any more.
    private mutating func removeNeedlessCarried() {
        guard rows.rows.contains(where: { Self.isCarried($0.resource) && $0.resource.count > 0 }) else { return }
        let needed = devices
        for number in rows.rows.indices where Self.isCarried(rows[number]) && rows[number].count > 0 {
            if !needed.contains(rows[number].device) { rows.remove(number) }
        }
    }
}
