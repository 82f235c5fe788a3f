public import FHIRR4

/// Gathers written resources into one group at a time and writes it as a transaction Bundle.
///
/// The caller asks `mustClose(before:)`, adds, asks `isAtBoundary`, and takes the finished
/// group with `finish`. Two with the same id in one group are one: the higher rank
/// wins, then the greater digest, whatever their order. A Bundle's entries stand in the
/// order of their ids, so its bytes depend on what it holds and not on the order in which
/// that came. Holds one group: at most `maximumByteCount`, or one larger entry, and as much
/// again of entries that lost.
@safe
public struct BundleBuilder: ~Copyable {
    /// What the group is written as.
    public enum Framing: Sendable {
        /// `{"resourceType":"Bundle",…,"entry":[…]}` and a line feed, entries in the order of their ids.
        case transaction
        /// A resource a line, in the order in which they came.
        case lines
    }

    /// Resources dropped because another in their group had the same id.
    public private(set) var duplicateCount: UInt64 = 0

    private let limits: BundleLimits
    private let key: BundleKey
    private let framing: Framing
    /// The bytes of the rows that are not borrowed, one behind the other.
    private var body = JSONBytes(capacity: 1 << 21)
    private var rows: [EncodedResource] = []
    /// Where the bytes of rows stand that were added as borrowed and not kept yet.
    private var borrowed = unsafe [UnsafeRawPointer?]()
    /// The first row whose bytes the last lender may have lent.
    private var loanStart = 0
    private var liveCount = 0
    private var liveByteCount = 0
    /// Where the rows stand in `rows`.
    private var places: ResourcePlaces
    private let placeCapacity: Int
    private var members: [BundleKey.Member] = []
    private var scratch = JSONBytes(capacity: 1 << 15)
    private var pieces = GroupPieces()
    private var lastWasNew = false
    /// Whether resources are being added that stand in one group, whose Devices are there before them.
    private var isInUnit = false
    /// The id of the row behind all others.
    private var lastID = ResourceID(high: 0, low: 0)
    /// What the resource added last was, even where it lost against a twin.
    private var lastGroup: UInt64 = 0
    /// The row that has the id asked about last, or -1: `add` follows `mustClose` with the same.
    private var askedID = ResourceID(high: 0, low: 0)
    private var askedRow = notAsked
    private static let notAsked = -2

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
        placeCapacity = limits.maximumEntryCount
        places = ResourcePlaces(capacity: placeCapacity)
        rows.reserveCapacity(limits.maximumEntryCount)
    }

    /// Live resources in the group, companions too.
    public var count: Int { liveCount }

    /// What the group's resources are; Devices that it carries left out.
    public var type: ResourceType { rows.first { !Self.isCompanion($0) }?.type ?? .observation }

    /// Devices that the group's resources refer to, by number, in the order of first reference.
    public var devices: [Int32] {
        var devices: [Int32] = []
        for row in rows where row.count > 0 && !Self.isCompanion(row) {
            if row.device >= 0, !devices.contains(row.device) { devices.append(row.device) }
            if row.gateway >= 0, !devices.contains(row.gateway) { devices.append(row.gateway) }
        }
        return devices
    }

    /// Whether the group must end before `row` can be added.
    ///
    /// - Parameters:
    ///   - row: the next resource; not one that `isOutranked(_:)`.
    ///   - companions: how many resources must stand in the same group with it.
    ///   - companionByteCount: their bytes.
    /// - Returns: whether `finish` must come before `row`.
    public mutating func mustClose(
        before row: EncodedResource,
        companions: Int = 0,
        companionByteCount: Int = 0
    ) -> Bool {
        guard liveCount > 0 else { return false }
        if row.group != lastGroup { return true }
        let twin = find(row.id)
        askedID = row.id
        askedRow = twin
        guard twin >= 0 else {
            return liveCount + companions >= limits.maximumEntryCount
                || writtenByteCount(adding: companions + 1, companionByteCount + Int(row.count))
                    > limits.maximumByteCount
        }
        guard Self.wins(row, over: rows[twin]) else { return false }
        let byteCount = writtenByteCount(
            adding: companions,
            companionByteCount + Int(row.count) - Int(rows[twin].count)
        )
        if liveCount + companions <= limits.maximumEntryCount, byteCount <= limits.maximumByteCount { return false }
        // The winner does not fit in the loser's place: it travels in the next group.
        askedRow = Self.notAsked
        duplicateCount += 1
        remove(twin)
        removeNeedlessCompanions()
        if liveCount == 0 { start() }
        return liveCount > 0
    }

    /// Whether the group must end before resources that must stand in one group.
    ///
    /// Each that has a twin meets it when it is added: what then stays must fit, or all of
    /// them begin the next group, and nothing leaves this one.
    ///
    /// - Parameters:
    ///   - unit: the next resources.
    ///   - companions: how many Devices must be added with them.
    ///   - companionByteCount: their bytes.
    /// - Returns: whether `finish` must come before the unit.
    public func mustClose(
        beforeUnit unit: [EncodedResource],
        companions: Int = 0,
        companionByteCount: Int = 0
    ) -> Bool {
        guard liveCount > 0, let first = unit.first else { return false }
        if first.group != lastGroup { return true }
        var entryCount = companions
        var byteCount = companionByteCount
        for row in staying(of: unit) {
            let twin = find(row.id)
            if twin < 0 { entryCount += 1 }
            byteCount += Int(row.count) - (twin < 0 ? 0 : Int(rows[twin].count))
        }
        return liveCount + entryCount > limits.maximumEntryCount
            || writtenByteCount(adding: entryCount, byteCount) > limits.maximumByteCount
    }

    /// Those of a unit that will stand in the group once all of it was added.
    public func staying(of unit: [EncodedResource]) -> [EncodedResource] {
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
    public func contains(_ id: ResourceID) -> Bool { find(id) >= 0 }

    /// Whether the group goes on with `row` and holds another resource of its id that wins over it.
    public func isOutranked(_ row: EncodedResource) -> Bool { row.group == lastGroup && loses(row) }

    private func loses(_ row: EncodedResource) -> Bool {
        let twin = find(row.id)
        return twin >= 0 && !Self.wins(row, over: rows[twin])
    }

    /// Adds a resource and a copy of its bytes.
    public mutating func add(_ row: EncodedResource, _ bytes: UnsafeRawBufferPointer) {
        unsafe addBorrowed(row, bytes)
        if let last = rows.indices.last { keep(last) }
        let twin = find(row.id)
        if twin >= 0 { keep(twin) }
    }

    /// Adds a resource whose bytes stay where they are until `finish` or `keepBorrowedBytes()`.
    ///
    /// Most groups are finished before their bytes go away, and are copied once then.
    public mutating func addBorrowed(_ row: EncodedResource, _ bytes: UnsafeRawBufferPointer) {
        let twin = askedRow != Self.notAsked && askedID == row.id ? askedRow : find(row.id)
        askedRow = Self.notAsked
        lastGroup = row.group
        guard twin >= 0 else {
            lastWasNew = true
            return unsafe append(row, bytes)
        }
        lastWasNew = false
        duplicateCount += 1
        guard Self.wins(row, over: rows[twin]) else { return }
        liveByteCount += Int(row.count) - Int(rows[twin].count)
        rows[twin] = row
        unsafe borrowed[twin] = bytes.baseAddress
        // Within a unit a Device may be needed by one that is yet to come.
        if !isInUnit { removeNeedlessCompanions() }
    }

    /// Says that resources follow which stand in one group, up to ``endUnit()``; their Devices were added before.
    public mutating func beginUnit() { isInUnit = true }

    /// Says that all of a unit was added: Devices of those that lost against it leave the group.
    public mutating func endUnit() {
        isInUnit = false
        removeNeedlessCompanions()
    }

    /// Copies what the group has borrowed; the lenders are free to go.
    public mutating func keepBorrowedBytes() {
        for number in rows.indices { keep(number) }
    }

    /// Says that bytes are borrowed from another lender from now on.
    public mutating func beginLoan() { loanStart = rows.count }

    /// Copies what the group has borrowed from the lenders before the last one; they are free to go.
    public mutating func keepEarlierLoans() {
        for number in 0..<loanStart { keep(number) }
    }

    /// Adds a Device that must stand in the same group as the resources that refer to it.
    ///
    /// It leaves the group with the last of them.
    ///
    /// - Parameters:
    ///   - number: its number, as the resources' `device` or `gateway` gives it.
    ///   - row: the Device.
    ///   - bytes: its JSON.
    public mutating func addCompanion(_ number: Int32, _ row: EncodedResource, _ bytes: UnsafeRawBufferPointer) {
        guard find(row.id) < 0 else { return }
        var row = row
        row.device = number
        row.gateway = Self.companionMark
        unsafe append(row, bytes)
        keep(rows.count - 1)
    }

    /// Whether the content says that the group ends after the resource added last.
    public var isAtBoundary: Bool {
        lastWasNew && liveCount >= limits.minimumEntryCount
            && UInt32(truncatingIfNeeded: lastID.low) % limits.boundaryModulus == 0
    }

    /// Lends the finished group's bytes and key, then starts the next group.
    ///
    /// - Parameter take: takes the bytes and the key; the bytes are dead afterwards.
    /// - Throws: what `take` throws.
    public mutating func finish<Failure: Error>(
        _ take: (GroupBytes, String) throws(Failure) -> Void
    ) throws(Failure) {
        members.removeAll(keepingCapacity: true)
        for (number, row) in rows.enumerated() where row.count > 0 {
            members.append(BundleKey.Member(id: row.id, digest: row.digest, row: Int32(truncatingIfNeeded: number)))
        }
        // A transaction's members stand as the key sorts them, lines as they came.
        var order = framing == .lines ? members.map(\.row) : []
        let hex = key.hex(&members, &scratch)
        var group: [BundleMember] = []
        if framing == .transaction {
            order = members.map(\.row)
            group = order.map { BundleMember(rows[Int($0)]) }
        }
        pieces.start(framing, key: hex)
        unsafe body.withBytes { kept in
            for number in order {
                let row = rows[Int(number)]
                let source = unsafe borrowed[Int(number)] ?? kept.baseAddress.map { unsafe $0 + Int(row.start) }
                unsafe pieces.add(UnsafeRawBufferPointer(start: source, count: Int(row.count)))
            }
        }
        defer { start() }
        try pieces.finish(group) { (group) throws(Failure) in try take(group, hex) }
    }

    private static let companionMark: Int32 = -2

    private mutating func start() {
        let rowCount = rows.count
        body.removeAll()
        rows.removeAll(keepingCapacity: true)
        unsafe borrowed.removeAll(keepingCapacity: true)
        // A long swim has a thousand laps, which must stand together: the room for them is given back.
        if rowCount > placeCapacity { places = ResourcePlaces(capacity: placeCapacity) } else { places.removeAll() }
        loanStart = 0
        liveCount = 0
        liveByteCount = 0
        lastWasNew = false
        askedRow = Self.notAsked
    }

    private static func isCompanion(_ row: EncodedResource) -> Bool { row.gateway == companionMark }

    private static func wins(_ row: EncodedResource, over other: EncodedResource) -> Bool {
        row.rank != other.rank ? row.rank > other.rank : row.digest > other.digest
    }

    /// The bytes of the Bundle with so many entries more.
    private func writtenByteCount(adding entryCount: Int, _ byteCount: Int) -> Int {
        GroupPieces.framingByteCount + liveByteCount + byteCount + max(liveCount + entryCount - 1, 0)
    }

    private mutating func append(_ row: EncodedResource, _ bytes: UnsafeRawBufferPointer) {
        rows.append(row)
        lastID = row.id
        unsafe borrowed.append(bytes.baseAddress)
        liveCount += 1
        liveByteCount += Int(row.count)
        places.insert(rows.count - 1, of: row.id) { rows[$0].id }
    }

    /// Copies a row's bytes to `body`, if they are borrowed.
    private mutating func keep(_ number: Int) {
        guard let source = unsafe borrowed[number] else { return }
        // Entries that lost must not pile up; where they have not, there is nothing to move together.
        if body.count > 2 * max(limits.maximumByteCount, liveByteCount) { compact() }
        unsafe borrowed[number] = nil
        rows[number].start = UInt32(body.count)
        unsafe body.append(UnsafeRawBufferPointer(start: source, count: Int(rows[number].count)))
    }

    /// Moves the kept bytes of live rows together.
    private mutating func compact() {
        var old = JSONBytes(capacity: liveByteCount)
        swap(&old, &body)
        for number in rows.indices where rows[number].count > 0 {
            guard unsafe borrowed[number] == nil else { continue }
            let range = Int(rows[number].start)..<Int(rows[number].start) + Int(rows[number].count)
            rows[number].start = UInt32(body.count)
            unsafe old.withBytes { bytes in unsafe body.append(UnsafeRawBufferPointer(rebasing: bytes[range])) }
        }
    }

    private mutating func remove(_ row: Int) {
        liveByteCount -= Int(rows[row].count)
        rows[row].count = 0
        liveCount -= 1
    }

    /// Removes Devices that no resource of the group refers to any longer.
    private mutating func removeNeedlessCompanions() {
        guard rows.contains(where: { Self.isCompanion($0) && $0.count > 0 }) else { return }
        let needed = devices
        for number in rows.indices where Self.isCompanion(rows[number]) && rows[number].count > 0 {
            if !needed.contains(rows[number].device) { remove(number) }
        }
    }

    /// The row with this id, or -1.
    private func find(_ id: ResourceID) -> Int {
        places.place(of: id) { rows[$0].id == id && rows[$0].count > 0 }
    }
}
