internal import HealthExport
internal import HealthKitMapping

/// The files next to the XML that its elements refer to, in the order of the elements, until the XML is done.
///
/// A zip of a megabyte can hold millions of such elements, so no more are kept than any real export has.
struct ReferencedFiles {
    /// As many as a zip may have members.
    private static let maximumCount = 200_000
    /// So many bytes of paths and elements: 128 MiB.
    private static let maximumByteCount = 128 << 20

    private(set) var files: [ReferencedFile] = []
    private var byteCount = 0

    /// Keeps a reference.
    ///
    /// - Returns: whether there was room for it.
    mutating func keep(_ file: ReferencedFile) -> Bool {
        let more = file.path.utf8.count + Self.byteCount(of: file.element)
        guard files.count < Self.maximumCount, byteCount + more <= Self.maximumByteCount else { return false }
        byteCount += more
        files.append(file)
        return true
    }

    /// About how much memory an element takes.
    private static func byteCount(of element: HealthElement) -> Int {
        let own = element.attributes.reduce(64) { $0 + 64 + $1.name.utf8.count + $1.value.utf8.count }
        return element.children.reduce(own) { $0 + byteCount(of: $1) }
    }
}
