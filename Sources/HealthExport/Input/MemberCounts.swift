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
        switch ExportMember.Kind(memberPath: memberPath) {
        case .electrocardiogram: electrocardiograms += 1
        case .workoutRoute: workoutRoutes += 1
        case .clinicalRecord: clinicalRecords += 1
        case .clinicalDocument: clinicalDocuments += 1
        case .attachment: attachments += 1
        case .other: other += 1
        case nil: break
        }
    }

    /// One electrocardiogram alone, as of an input that is one.
    static var oneElectrocardiogram: MemberCounts {
        var counts = MemberCounts()
        counts.electrocardiograms = 1
        return counts
    }

    /// Whether a path names a folder or something that macOS adds to archives.
    static func isDecoration(_ memberPath: [UInt8]) -> Bool {
        if memberPath.isEmpty || memberPath.last == UInt8(ascii: "/") { return true }
        let parts = memberPath.split(separator: UInt8(ascii: "/"))
        return parts.first.map(ExportMember.Kind.lowercased) == "__macosx"
            || parts.last.map { $0.starts(with: "._".utf8) || ExportMember.Kind.lowercased($0) == ".ds_store" } ?? true
    }
}
