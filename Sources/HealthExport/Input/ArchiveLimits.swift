/// How much a zip may claim before it is refused.
///
/// Memory stays bounded whatever a zip holds; these limits save time and disk from an
/// archive made to fill them. A real export inflates about 15 to 25 to 1.
package enum ArchiveLimits {
    /// Most bytes of what is read for one byte of zip, once ``freeByteCount`` is exceeded.
    static let maximumExpansionRatio: UInt64 = 250

    /// Bytes of what is read up to which any ratio is accepted: 1 GiB.
    static let freeByteCount: UInt64 = 1 << 30

    /// Most bytes that are read in all: 64 GiB, twenty times the largest export known.
    static let maximumByteCount: UInt64 = 64 << 30

    /// Most files in one zip; ten years of daily workouts with their routes are below 10,000.
    ///
    /// Each may have to be opened to find the main XML.
    static let maximumMemberCount: UInt64 = 200_000

    /// Most bytes of a file beside the XML, 64 MiB: a larger one is left out, whatever it is.
    package static let maximumFileByteCount: UInt64 = 64 << 20

    /// Most bytes of files that are read once more, since several elements refer to each: 1 GiB.
    package static let maximumRepeatedByteCount: UInt64 = 1 << 30

    /// Most bytes of a zip's directory, which is kept in memory: 32 MiB, a hundred times
    /// that of a large export.
    static let maximumDirectoryByteCount: UInt64 = 32 << 20
}

/// What a zip's directory claims of all the members that are read: the main XML, electrocardiograms, routes and clinical
/// records together.
struct ArchiveClaim {
    private var byteCount: UInt64 = 0
    private var compressedByteCount: UInt64 = 0
    private let archiveByteCount: UInt64

    /// Of no member yet.
    init(of archive: ZipArchive) { archiveByteCount = archive.byteCount }

    mutating func add(_ member: ZipMember) {
        byteCount = byteCount.addingClamped(member.byteCount)
        compressedByteCount = compressedByteCount.addingClamped(member.compressedByteCount)
    }

    /// Throws if the sizes exceed a limit.
    func check() throws(InputFault) {
        guard byteCount <= ArchiveLimits.maximumByteCount else { throw .tooLarge(byteCount: byteCount) }
        // Members can share their bytes: then they claim more of them than there are.
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
