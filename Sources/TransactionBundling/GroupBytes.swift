package import Glibc

/// The bytes of a finished group as pieces that lie apart in memory, in the form that `writev` takes.
///
/// A group's resources stay where they were written until they are in the file: joining them first would copy every
/// byte once more. Lent by `BundleBuilder.finish`; invalid afterwards.
@safe
package struct GroupBytes {
    /// All pieces together.
    package let byteCount: Int
    /// The pieces in order; some may be empty.
    package let pieces: UnsafeMutableBufferPointer<iovec>
    let rows: [GroupRows.Row]
    /// The entries of a transaction; empty for lines.
    let order: [BundleKey.Member]

    /// What a transaction holds, in the order of its entries; empty for lines.
    var members: [BundleMember] { order.map { BundleMember(rows[Int($0.row)].resource) } }

    /// The pieces joined, for a caller that needs them in one array.
    package var joined: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        for index in unsafe 0..<pieces.count {
            let piece = unsafe pieces[index]
            unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(start: piece.iov_base, count: piece.iov_len))
        }
        return bytes
    }
}
