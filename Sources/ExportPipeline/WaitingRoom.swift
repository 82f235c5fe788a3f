internal import FHIRR4
internal import HealthExport
internal import TransactionBundling

/// Resources that are written only if no other one covers them.
///
/// A blood pressure's values wait for its panel, and the nutrients inside a food for their copies at the top level.
/// Holds 24 MB of JSON at most, packed into a tenth of that, and the ids that are covered. Resources beyond the limit
/// are written where they are, and counted (docs/formats.md, "What waits").
struct WaitingRoom: ~Copyable {
    /// The most JSON that may wait, in bytes.
    static let maximumByteCount = 24 << 20
    /// How many ids of covered resources are remembered.
    static let maximumCoveredCount = 200_000
    /// The JSON that is packed at a time, in bytes.
    private static let blockByteCount = 64 << 10

    /// One waiting resource: what must be known about it without unpacking its block.
    // Not private: see MetadataEntryCache.
    struct Guest: BitwiseCopyable {
        var id: ResourceID
        var digest: UInt64
        var rank: UInt64
        /// Bytes of its JSON; 0 once it is covered.
        var byteCount: UInt32
        /// Its index in `blocks`; the count of `blocks` means the open block.
        var block: UInt32
    }
    /// In the order in which they arrived.
    private var guests = RawArray<Guest>(capacity: 64)
    /// Indices in `guests`.
    private var places = ResourcePlaces(capacity: 64)
    /// Full blocks; `nil` if everything in one is covered.
    private var blocks: [WaitingBlock?] = []
    /// How many resources wait in each block, including the open one.
    private var guestCounts = [0]
    private var openRows = RawArray<EncodedResource>(capacity: 64)
    private var open = JSONBytes(capacity: 1 << 12)
    /// The bytes of all waiting JSON.
    private var byteCount = 0
    /// The bytes of covered JSON that is still in a block.
    private var deadByteCount = 0
    /// How many covered resources still have an entry in `guests`, whether or not their block is still there.
    private var deadCount = 0
    private var covered: Set<ResourceID> = []
    private let byteLimit: Int
    private let coveredLimit: Int
    /// Limits the entries to four megabytes even if each resource is covered soon.
    private let deadLimit = 1 << 16

    /// The kinds of all resources that came here.
    private(set) var kinds: Set<UInt64> = []
    /// Resources that were not written because another one covers them.
    private(set) var coveredCount: UInt64 = 0
    /// Resources that came a second time.
    private(set) var twinCount: UInt64 = 0
    /// Those of them with other content, where no rank shows which of the two is newer.
    private(set) var conflictingTwinCount: UInt64 = 0
    /// Resources for which there was no room and which were written at once.
    private(set) var overflowCount: UInt64 = 0

    init(byteLimit: Int = maximumByteCount, coveredLimit: Int = maximumCoveredCount) {
        self.byteLimit = byteLimit
        self.coveredLimit = coveredLimit
    }

    /// Keeps a copy of a resource.
    ///
    /// - Returns: `false` if there is no room: the resource must be written now.
    mutating func keep(_ row: EncodedResource, _ resource: UnsafeRawBufferPointer) -> Bool {
        kinds.insert(row.kind)
        if covered.contains(row.id) {
            coveredCount += 1
            return true
        }
        if let place = place(of: row.id) {
            let twin = guests[place]
            twinCount += 1
            if row.rank == twin.rank, row.digest != twin.digest { conflictingTwinCount += 1 }
            guard (row.rank, row.digest) > (twin.rank, twin.digest) else { return true }
            remove(row.id)
        }
        guard byteCount + resource.count <= byteLimit else {
            overflowCount += 1
            return false
        }
        if deadByteCount > byteLimit / 4 || deadCount > deadLimit { compact() }
        unsafe add(row, resource)
        return true
    }

    /// Notes that another resource contains this one.
    mutating func cover(_ id: ResourceID) {
        if remove(id) { coveredCount += 1 }
        if covered.count < coveredLimit { covered.insert(id) }
    }

    /// Lends all resources that nothing covered, in their order of arrival, one type after the other.
    ///
    /// - Parameter take: called for runs of them; the bytes are invalid afterwards.
    /// - Throws: an error that `take` throws.
    mutating func empty<Failure: Error>(
        _ take: ([EncodedResource], UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        close()
        var kinds: [UInt64] = []
        for block in blocks {
            // By those that still wait: a covered resource must not decide where its type comes in the order.
            for kind in block?.kinds(where: { guests[$0].byteCount > 0 }) ?? [] where !kinds.contains(kind) {
                kinds.append(kind)
            }
        }
        var bytes = JSONBytes(capacity: Self.blockByteCount)
        for kind in kinds {
            for block in blocks {
                guard let block, block.kinds.contains(kind) else { continue }
                let run = live(block.unpack(into: &bytes)).filter { $0.kind == kind }
                guard !run.isEmpty else { continue }
                try unsafe bytes.withBytes { (bytes) throws(Failure) in try unsafe take(run, bytes) }
            }
        }
        removeAll()
    }

    /// Those rows of a block that still wait, with the values that only their guests hold.
    private func live(_ block: (firstGuest: Int, rows: [EncodedResource])) -> [EncodedResource] {
        block.rows.enumerated().compactMap { offset, row in
            let guest = guests[block.firstGuest + offset]
            guard guest.byteCount > 0 else { return nil }
            var row = row
            (row.id, row.digest, row.rank) = (guest.id, guest.digest, guest.rank)
            return row
        }
    }

    private func place(of id: ResourceID) -> Int? {
        let place = places.place(of: id) { guests[$0].id == id && guests[$0].byteCount > 0 }
        return place < 0 ? nil : place
    }

    private mutating func add(_ row: EncodedResource, _ resource: UnsafeRawBufferPointer) {
        if open.count + resource.count > Self.blockByteCount { close() }
        places.insert(guests.count, of: row.id) { guests[$0].byteCount > 0 ? guests[$0].id : nil }
        guests.append(
            Guest(
                id: row.id,
                digest: row.digest,
                rank: row.rank,
                byteCount: row.count,
                block: UInt32(truncatingIfNeeded: blocks.count)
            )
        )
        guestCounts[blocks.count] += 1
        var row = row
        row.start = UInt32(truncatingIfNeeded: open.count)
        openRows.append(row)
        unsafe open.append(resource)
        byteCount += resource.count
    }

    /// Packs the open block.
    private mutating func close() {
        guard open.count > 0 else { return }
        let isNeeded = guestCounts[blocks.count] > 0
        if !isNeeded { deadByteCount -= open.count }
        blocks.append(isNeeded ? WaitingBlock(&open, openRows, firstGuest: guests.count - openRows.count) : nil)
        guestCounts.append(0)
        open.removeAll()
        openRows.removeAll()
    }

    @discardableResult
    private mutating func remove(_ id: ResourceID) -> Bool {
        guard let place = place(of: id) else { return false }
        let guest = guests[place]
        let block = Int(guest.block)
        guests[place].byteCount = 0
        byteCount -= Int(guest.byteCount)
        deadByteCount += Int(guest.byteCount)
        deadCount += 1
        guestCounts[block] -= 1
        if guestCounts[block] == 0, block < blocks.count, let dead = blocks[block] {
            deadByteCount -= dead.byteCount
            blocks[block] = nil
        }
        return true
    }

    private mutating func removeAll() {
        guests.removeAll()
        places.removeAll()
        blocks.removeAll()
        guestCounts = [0]
        open.removeAll()
        openRows.removeAll()
        (byteCount, deadByteCount, deadCount) = (0, 0, 0)
    }

    /// Frees the room of covered resources.
    private mutating func compact() {
        close()
        var left = WaitingRoom(byteLimit: byteLimit, coveredLimit: coveredLimit)
        var bytes = JSONBytes(capacity: Self.blockByteCount)
        for block in blocks {
            guard let block else { continue }
            for row in live(block.unpack(into: &bytes)) {
                let range = Int(row.start)..<Int(row.start) + Int(row.count)
                unsafe bytes.withBytes { unsafe left.add(row, UnsafeRawBufferPointer(rebasing: $0[range])) }
            }
        }
        swap(&guests, &left.guests)
        swap(&places, &left.places)
        swap(&blocks, &left.blocks)
        swap(&guestCounts, &left.guestCounts)
        swap(&open, &left.open)
        swap(&openRows, &left.openRows)
        (byteCount, deadByteCount, deadCount) = (left.byteCount, left.deadByteCount, 0)
    }
}
