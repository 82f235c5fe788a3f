/// How many files of each kind an export holds beside its main XML.
///
/// Apple puts each kind into a folder of its own, such as
/// `apple_health_export/electrocardiograms/ecg_2024-03-31.csv`; the folder's and the
/// file's name decide, nothing is opened. Folders and what macOS adds
/// (`__MACOSX/`, `._export.xml`) are not counted.
public struct MemberCounts: Equatable, Sendable {
    /// `.csv` files in `electrocardiograms`.
    public private(set) var electrocardiograms = 0
    /// `.gpx` files in `workout-routes`.
    public private(set) var workoutRoutes = 0
    /// `.json` files in `clinical-records`.
    public private(set) var clinicalRecords = 0
    /// The HL7 CDA document, `export_cda.xml`.
    public private(set) var clinicalDocuments = 0
    /// Files in `attachments`.
    public private(set) var attachments = 0
    /// All other files.
    public private(set) var other = 0

    /// No files at all, as beside a bare XML file.
    public init() {}

    /// Counts one file by its path inside the export, which is never used as a path.
    mutating func count(memberPath: [UInt8]) {
        // Some programs on Windows separate with backslashes, against the standard.
        let parts = memberPath.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        guard let name = parts.last.map(Self.lowercased), !Self.isDecoration(memberPath) else { return }
        let folders = parts.dropLast().map(Self.lowercased)
        if folders.contains("electrocardiograms"), name.hasSuffix(".csv") {
            electrocardiograms += 1
        } else if folders.contains("workout-routes"), name.hasSuffix(".gpx") {
            workoutRoutes += 1
        } else if folders.contains("clinical-records"), name.hasSuffix(".json") {
            clinicalRecords += 1
        } else if folders.contains("attachments") {
            attachments += 1
        } else if name == "export_cda.xml" {
            clinicalDocuments += 1
        } else {
            other += 1
        }
    }

    /// Whether a path names a folder or something that macOS adds to archives.
    static func isDecoration(_ memberPath: [UInt8]) -> Bool {
        if memberPath.isEmpty || memberPath.last == UInt8(ascii: "/") { return true }
        let parts = memberPath.split(separator: UInt8(ascii: "/"))
        return parts.first.map(lowercased) == "__macosx"
            || parts.last.map { $0.starts(with: "._".utf8) || lowercased($0) == ".ds_store" } ?? true
    }

    /// The folders of an unpacked export whose files are counted.
    static let folderNames = ["electrocardiograms", "workout-routes", "clinical-records", "attachments"]

    private static func lowercased(_ part: ArraySlice<UInt8>) -> String {
        String(decoding: part, as: UTF8.self).lowercased()
    }
}
