internal import FHIRR4
internal import HealthExport

/// Resources that are written only if no other one covers them: the values of a blood pressure
/// stand in its panel, a food's nutrients stand at the top of the file.
///
/// Holds 24 MB of JSON at most, packed into a tenth of that, and the ids that are covered.
/// What comes beyond is written where it stands, and counted (docs/formats.md, "What waits").
struct WaitingRoom: ~Copyable {
    /// What the JSON that waits may come to.
    static let maximumByteCount = 24 << 20
    /// How many ids of covered resources are remembered.
    static let maximumCoveredCount = 200_000
    /// What is packed at a time.
    private static let blockByteCount = 64 << 10

    /// One that waits, and where: a place in `blocks`, or behind them all for the open one.
    private struct Guest: BitwiseCopyable {
        var row: EncodedResource
        /// -1 once it was covered.
        var block: Int
    }
    /// In the order in which they came.
    private var guests = RawArray<Guest>(capacity: 64)
    /// Places in `guests`.
    private var places: [ResourceID: UInt32] = [:]
    /// Full blocks; `nil` where all in one were covered.
    private var blocks: [PackedBytes?] = []
    /// How many wait in each block, the open one too.
    private var guestCounts = [0]
    private var open = JSONBytes(capacity: 1 << 12)
    /// The JSON of all that wait.
    private var byteCount = 0
    /// What was covered and still stands in a block.
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
        if let place = places[row.id] {
            let twin = guests[Int(place)].row
            twinCount += 1
            guard (row.rank, row.digest) > (twin.rank, twin.digest) else { return true }
            remove(row.id)
        }
        guard byteCount + resource.count <= byteLimit else {
            overflowCount += 1
            return false
        }
        if deadByteCount > byteLimit / 4 { compact() }
        unsafe add(row, resource)
        return true
    }

    /// Says that a resource stands in another one.
    mutating func cover(_ id: ResourceID) {
        if remove(id) { coveredCount += 1 }
        if covered.count < coveredLimit { covered.insert(id) }
    }

    /// Lends all that waited in vain, in the order in which it came, one type after the other.
    ///
    /// - Parameter take: called for a run of them; their bytes are dead afterwards.
    mutating func empty<Failure: Error>(
        _ take: ([EncodedResource], UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        close()
        var groups: [UInt64] = []
        for place in 0..<guests.count where guests[place].block >= 0 && !groups.contains(guests[place].row.group) {
            groups.append(guests[place].row.group)
        }
        var bytes = JSONBytes(capacity: Self.blockByteCount)
        for group in groups {
            var run: [EncodedResource] = []
            var number = 0
            func lend(_ bytes: inout JSONBytes) throws(Failure) {
                guard !run.isEmpty, let block = blocks[number] else { return }
                block.unpack(into: &bytes)
                try unsafe bytes.withBytes { (bytes) throws(Failure) in try unsafe take(run, bytes) }
                run.removeAll(keepingCapacity: true)
            }
            for place in 0..<guests.count {
                let guest = guests[place]
                guard guest.block >= 0, guest.row.group == group else { continue }
                if guest.block != number { try lend(&bytes) }
                number = guest.block
                run.append(guest.row)
            }
            try lend(&bytes)
        }
        removeAll()
    }

    private mutating func add(_ row: EncodedResource, _ resource: UnsafeRawBufferPointer) {
        if open.count + resource.count > Self.blockByteCount { close() }
        var row = row
        row.start = UInt32(truncatingIfNeeded: open.count)
        unsafe open.append(resource)
        byteCount += resource.count
        places[row.id] = UInt32(guests.count)
        guests.append(Guest(row: row, block: blocks.count))
        guestCounts[blocks.count] += 1
    }

    /// Packs the open block.
    private mutating func close() {
        guard open.count > 0 else { return }
        let isNeeded = guestCounts[blocks.count] > 0
        if !isNeeded { deadByteCount -= open.count }
        blocks.append(isNeeded ? unsafe open.withBytes { unsafe PackedBytes($0) } : nil)
        guestCounts.append(0)
        open.removeAll()
    }

    @discardableResult
    private mutating func remove(_ id: ResourceID) -> Bool {
        guard let place = places.removeValue(forKey: id) else { return false }
        let guest = guests[Int(place)]
        guests[Int(place)].block = -1
        byteCount -= Int(guest.row.count)
        deadByteCount += Int(guest.row.count)
        guestCounts[guest.block] -= 1
        if guestCounts[guest.block] == 0, guest.block < blocks.count, let block = blocks[guest.block] {
            deadByteCount -= block.byteCount
            blocks[guest.block] = nil
        }
        return true
    }

    private mutating func removeAll() {
        guests.removeAll()
        places.removeAll()
        blocks.removeAll()
        guestCounts = [0]
        open.removeAll()
        byteCount = 0
        deadByteCount = 0
    }

    /// Gives the room of covered resources back.
    private mutating func compact() {
        close()
        var left = RawArray<Guest>(capacity: places.count)
        swap(&left, &guests)
        let old = blocks
        removeAll()
        var bytes = JSONBytes(capacity: Self.blockByteCount)
        var unpacked = -1
        for place in 0..<left.count {
            let guest = left[place]
            guard guest.block >= 0, let block = old[guest.block] else { continue }
            if guest.block != unpacked { block.unpack(into: &bytes) }
            unpacked = guest.block
            let range = Int(guest.row.start)..<Int(guest.row.start) + Int(guest.row.count)
            unsafe bytes.withBytes { unsafe add(guest.row, UnsafeRawBufferPointer(rebasing: $0[range])) }
        }
    }
}
