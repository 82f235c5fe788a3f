internal import FHIRR4
internal import HealthExport

/// Resources that wait together: their JSON and rows, packed while they are not needed.
struct WaitingBlock: Sendable {
    /// The kinds of its resources; a Bundle never spans two.
    let kinds: [UInt64]
    /// How many bytes of JSON it holds.
    let byteCount: Int
    private let firstGuest: Int
    /// The index in `kinds` for each row.
    private let rowKinds: [UInt16]
    private let packed: PackedBytes

    /// Packs the JSON, after appending the rows to it.
    ///
    /// Ids, digests and ranks, which don't compress, stay with the guests.
    ///
    /// - Parameters:
    ///   - json: the JSON that the rows point into.
    ///   - rows: one for each resource.
    ///   - firstGuest: the index of the first row's guest; the others follow it.
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
            // A block of 64 KB holds far fewer rows than a `UInt16` can count.
            rowKinds.append(UInt16(kinds.firstIndex(of: row.kind) ?? 0))
            unsafe withUnsafeBytes(of: row) { unsafe json.append($0) }
        }
        self.kinds = kinds
        self.rowKinds = rowKinds
        packed = unsafe json.withBytes { unsafe PackedBytes($0) }
    }

    /// The kinds of those rows whose guest still waits, each once, in the order of the rows.
    func kinds(where waits: (Int) -> Bool) -> [UInt64] {
        var found: [UInt16] = []
        for (offset, kind) in rowKinds.enumerated() where !found.contains(kind) && waits(firstGuest + offset) {
            found.append(kind)
        }
        return found.map { kinds[Int($0)] }
    }

    /// Puts the JSON into `target`, replacing its content.
    ///
    /// - Returns: the rows, without the values that their guests hold, and the index of the first one's guest.
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
