internal import FHIRR4
internal import HealthExport

/// Resources that wait together: their JSON and rows, packed while nobody looks at them.
struct WaitingBlock: Sendable {
    /// What they are; a Bundle never spans two.
    let kinds: [UInt64]
    /// Bytes of JSON in it.
    let byteCount: Int
    private let firstGuest: Int
    /// For each row its place in `kinds`.
    private let rowKinds: [UInt16]
    private let packed: PackedBytes

    /// Packs the JSON, to whose end it appends the rows; their ids, digests and ranks, which don't pack, stay with the guests.
    ///
    /// - Parameters:
    ///   - json: what the rows point into.
    ///   - rows: one for each resource.
    ///   - firstGuest: the guest of the first row; the others follow.
    init(_ json: inout JSONBytes, _ rows: borrowing RawArray<EncodedResource>, firstGuest: Int) {
        self.firstGuest = firstGuest
        byteCount = json.count
        var kinds: [UInt64] = []
        var rowKinds: [UInt16] = []
        rowKinds.reserveCapacity(rows.count)
        for index in 0..<rows.count {
            var row = rows[index]
            (row.id, row.digest, row.rank) = (ResourceID(high: 0, low: 0), 0, 0)
            if !kinds.contains(row.kind) { kinds.append(row.kind) }
            // A block of 64 KB holds far fewer rows than this counts to.
            rowKinds.append(UInt16(kinds.firstIndex(of: row.kind) ?? 0))
            unsafe withUnsafeBytes(of: row) { unsafe json.append($0) }
        }
        self.kinds = kinds
        self.rowKinds = rowKinds
        packed = unsafe json.withBytes { unsafe PackedBytes($0) }
    }

    /// The kinds of those rows whose guest still waits, in the order of the rows, each once.
    func kinds(where waits: (Int) -> Bool) -> [UInt64] {
        var found: [UInt16] = []
        for (offset, kind) in rowKinds.enumerated() where !found.contains(kind) && waits(firstGuest + offset) {
            found.append(kind)
        }
        return found.map { kinds[Int($0)] }
    }

    /// Puts the JSON into `target`, over what is there.
    ///
    /// - Returns: the rows, without what their guests know, and the guest of the first.
    func unpack(into target: inout JSONBytes) -> (firstGuest: Int, rows: [EncodedResource]) {
        packed.unpack(into: &target)
        let rows = unsafe target.withBytes { bytes in
            rowKinds.indices.map { index in
                let place = byteCount + index * MemoryLayout<EncodedResource>.size
                return unsafe bytes.loadUnaligned(fromByteOffset: place, as: EncodedResource.self)
            }
        }
        target.truncate(to: byteCount)
        return (firstGuest, rows)
    }
}
