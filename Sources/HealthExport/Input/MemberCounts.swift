/// How many files of each kind an export holds in addition to its main XML.
///
/// Apple puts each kind into a folder of its own, such as `apple_health_export/electrocardiograms/ecg_2024-03-31.csv`.
/// The names of the folder and the file decide the kind; nothing is opened. Folders and files that operating systems
/// add (`__MACOSX/`, `._export.xml`, `Thumbs.db`) are not counted.
package struct MemberCounts: Equatable, Sendable {
    private var counts: [ExportMember.Kind: Int] = [:]

    /// No files at all, as with a bare XML file.
    package init() {}

    /// The number of files of a kind.
    package subscript(kind: ExportMember.Kind) -> Int { counts[kind, default: 0] }

    /// Counts one file by its path inside the export, which is never used as a path.
    mutating func count(memberPath: [UInt8]) {
        if let kind = ExportMember.Kind(memberPath: memberPath) { counts[kind, default: 0] += 1 }
    }

    /// Counts one of a kind, such as a folder that can't be listed.
    mutating func count(_ kind: ExportMember.Kind) { counts[kind, default: 0] += 1 }

    /// Counts one file outside the main XML's folder as `.other`, whatever its own folder and name.
    mutating func countOther(memberPath: [UInt8]) {
        if !Self.isDecoration(memberPath) { counts[.other, default: 0] += 1 }
    }

    /// A single electrocardiogram, for an input that is one.
    static var oneElectrocardiogram: MemberCounts {
        var counts = MemberCounts()
        counts.counts[.electrocardiogram] = 1
        return counts
    }

    /// Files that macOS, Windows and Linux put into folders, in lower case.
    private static let decorations: Set = [
        ".ds_store", ".localized", ".apdisk", "icon\r", ".directory", "thumbs.db", "desktop.ini",
    ]
    /// Folders that they and network storage add.
    private static let decoratingFolders: Set = ["__macosx", "@eadir", ".appledouble"]
    /// The beginnings of names that macOS, LibreOffice and NFS put next to a file; below, the ending of the file in
    /// which Windows keeps a file's origin, once it is copied to another system.
    private static let decorationPrefixes = ["._", ".~lock.", ".nfs"]
    private static let originSuffix = ":zone.identifier"

    /// Whether a path names a folder, or something that an operating system adds to folders or archives.
    static func isDecoration(_ memberPath: [UInt8]) -> Bool {
        guard let last = memberPath.last, !ExportMember.Kind.isSeparator(last) else { return true }
        let parts = ExportMember.Kind.parts(of: memberPath)
        return parts.contains { decoratingFolders.contains(ExportMember.Kind.lowercased($0)) }
            || parts.last.map {
                let name = ExportMember.Kind.lowercased($0)
                return decorations.contains(name) || name.hasSuffix(originSuffix)
                    || decorationPrefixes.contains { name.hasPrefix($0) }
            } ?? true
    }
}
