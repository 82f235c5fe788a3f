/// How much a zip may claim before it is refused.
///
/// Memory stays bounded whatever a zip holds; these limits save time and disk from an
/// archive made to fill them. A real export inflates about 15 to 25 to 1.
public enum ArchiveLimits {
    /// Most bytes of XML for one byte of zip, once ``freeByteCount`` is exceeded.
    public static let maximumExpansionRatio: UInt64 = 250

    /// Bytes of XML up to which any ratio is accepted: 1 GiB.
    public static let freeByteCount: UInt64 = 1 << 30

    /// Most bytes of XML in all: 64 GiB, twenty times the largest export known.
    public static let maximumByteCount: UInt64 = 64 << 30

    /// Most files in one zip; ten years of daily workouts with their routes are below 10,000.
    ///
    /// Each may have to be opened to find the main XML.
    public static let maximumMemberCount: UInt64 = 200_000

    /// Most bytes of a zip's directory, which is kept in memory: 32 MiB, a hundred times
    /// that of a large export.
    public static let maximumDirectoryByteCount: UInt64 = 32 << 20

    /// Throws if the sizes that the directory claims for the main XML exceed a limit.
    static func check(byteCount: UInt64, compressedByteCount: UInt64) throws(InputFault) {
        guard byteCount <= maximumByteCount else { throw .tooLarge(byteCount: byteCount) }
        // Cannot overflow: byteCount is at most 64 GiB here, and the ratio divides it.
        let minimumCompressedByteCount = byteCount / maximumExpansionRatio
        guard byteCount <= freeByteCount || compressedByteCount >= minimumCompressedByteCount else {
            throw .expandsTooMuch(compressedByteCount: compressedByteCount, byteCount: byteCount)
        }
    }
}
