/// How much a zip may claim before it is refused.
///
/// Memory stays bounded whatever a zip holds; these limits protect time and disk space from an archive that was made to
/// exhaust them. A real export inflates about 15 to 25 to 1.
package enum ArchiveLimits {
    /// The most bytes read for one byte of zip, once ``freeByteCount`` is exceeded.
    static let maximumExpansionRatio: UInt64 = 250

    /// The number of bytes read up to which any ratio is accepted: 1 GiB.
    static let freeByteCount: UInt64 = 1 << 30

    /// The most bytes read in all: 64 GiB, twenty times the largest known export.
    static let maximumByteCount: UInt64 = 64 << 30

    /// The most files in one zip; ten years of daily workouts with their routes are below 10,000.
    ///
    /// Each may have to be opened to find the main XML.
    static let maximumMemberCount: UInt64 = 200_000

    /// The most bytes of a file next to the XML, 64 MiB: any larger one is left out.
    package static let maximumFileByteCount: UInt64 = 64 << 20

    /// The most bytes of files that are read again because several elements refer to them: 1 GiB.
    package static let maximumRepeatedByteCount: UInt64 = 1 << 30

    /// The most bytes of a zip's directory, which is kept in memory: 32 MiB, a hundred times that of a large export.
    static let maximumDirectoryByteCount: UInt64 = 32 << 20
}

/// The sizes that a zip's directory claims for all members that are read: the main XML, electrocardiograms, routes and
/// clinical records together.
struct ArchiveClaim {
    private var byteCount: UInt64 = 0
    private var compressedByteCount: UInt64 = 0
    private let archiveByteCount: UInt64

    /// A claim without any member.
    init(of archive: ZipArchive) { archiveByteCount = archive.byteCount }

    mutating func add(_ member: ZipMember) {
        byteCount = byteCount.addingClamped(member.byteCount)
        compressedByteCount = compressedByteCount.addingClamped(member.compressedByteCount)
    }

    /// Throws if the sizes exceed a limit.
    func check() throws(InputFault) {
        guard byteCount <= ArchiveLimits.maximumByteCount else { throw .tooLarge(byteCount: byteCount) }
        // Members can share their bytes and then claim more of them than there are.
        let compressedByteCount = min(compressedByteCount, archiveByteCount)
        // Cannot overflow: byteCount is at most 64 GiB here, and the ratio divides it.
        let minimumCompressedByteCount = byteCount / ArchiveLimits.maximumExpansionRatio
        guard byteCount <= ArchiveLimits.freeByteCount || compressedByteCount >= minimumCompressedByteCount else {
            throw .expandsTooMuch(compressedByteCount: compressedByteCount, byteCount: byteCount)
        }
    }
}

extension UInt64 {
    fileprivate func addingClamped(_ other: UInt64) -> UInt64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
