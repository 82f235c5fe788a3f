/// One file next to the main XML, such as an electrocardiogram, a route or a clinical record.
///
/// Its name and content are health data: messages call it by its kind and number, as in `electrocardiogram 3`.
public struct ExportMember: Sendable, Equatable {
    /// What kind of file it is, by its folder and the end of its name.
    public enum Kind: String, Sendable, CaseIterable {
        /// A file in `electrocardiograms`, at any depth, or in a copy of that folder, such as `electrocardiograms 2`;
        /// outside such a folder, a file with a name such as `ecg_2024-06-01.csv`. No element names these files, so one
        /// without `.csv` counts as one that can't be read.
        case electrocardiogram
        /// A `.gpx` file in `workout-routes`.
        case workoutRoute
        /// A `.json` file in `clinical-records`.
        case clinicalRecord
        /// An HL7 CDA document: `export_cda.xml`, or a clinic's own in `documents`, such as `cda_20240601.xml`.
        case clinicalDocument
        /// A file in `attachments`.
        case attachment
        /// Any other file.
        case other
    }

    /// What kind of file it is.
    package let kind: Kind
    /// Its number among the files of its kind, in the order of their names' bytes, from 1.
    package let ordinal: Int
    /// Its size in bytes, unpacked, as the zip or folder states it.
    package let byteCount: UInt64
    /// Where it is.
    let place: Place

    /// Where a member is.
    enum Place: Sendable, Equatable {
        /// In the zip.
        case zip(ZipMember)
        /// In a folder: the names of the folders below the one that was given, then the file's own; and the stamp of a
        /// file that can be read.
        case folder([[UInt8]], ListedStamp?)
        /// The input itself.
        case input
        /// Nowhere that can be read, and why; with `unlistedFolder`, one member stands for all of its kind.
        case unreadable(MemberFault)
    }

    init(kind: Kind, ordinal: Int, byteCount: UInt64, place: Place) {
        self.kind = kind
        self.ordinal = ordinal
        self.byteCount = byteCount
        self.place = place
    }
}

extension ExportMember.Kind {
    /// The kind of a file by its path inside the export; `nil` for a folder and for files that operating systems add.
    ///
    /// The path is never used to open a file.
    init?(memberPath: [UInt8]) {
        guard !MemberCounts.isDecoration(memberPath) else { return nil }
        let parts = Self.parts(of: memberPath)
        guard let name = parts.last.map(Self.lowercased) else { return nil }
        let folders = parts.dropLast().map(Self.lowercased)
        if folders.contains(where: { $0.hasPrefix("electrocardiograms") }) {
            self = .electrocardiogram
        } else if folders.contains("workout-routes"), name.hasSuffix(".gpx") {
            self = .workoutRoute
        } else if folders.contains("clinical-records"), name.hasSuffix(".json") {
            self = .clinicalRecord
        } else if folders.contains("attachments") {
            self = .attachment
        } else if name == "export_cda.xml" || folders.contains("documents") && name.hasPrefix("cda_") {
            self = .clinicalDocument
        } else {
            self = Self.isElectrocardiogram(name) ? .electrocardiogram : .other
        }
    }

    /// Whether a file has a name such as Apple gives electrocardiograms: `ecg_2024-06-01.csv`.
    ///
    /// Some programs unpack everything into one folder. iCloud's placeholder for such a file also counts:
    /// `.ecg_2024-06-01.csv.icloud`.
    private static func isElectrocardiogram(_ name: String) -> Bool {
        let bytes = Array(name.utf8.drop { $0 == UInt8(ascii: ".") })
        let form = Array("ecg_0000-00-00".utf8)
        // There may be many thousands of names, and each is checked.
        guard bytes.count >= form.count else { return false }
        let fits = zip(bytes, form).allSatisfy { byte, wanted in
            wanted == UInt8(ascii: "0") ? byte &- UInt8(ascii: "0") < 10 : byte == wanted
        }
        return fits && bytes.dropFirst(form.count).firstRange(of: ".csv".utf8) != nil
    }

    /// The kind of a file by its path; `.other` for a file that is not Apple's.
    package init(path: String) { self = Self(memberPath: Array(path.utf8)) ?? .other }

    /// The folders of an unpacked export whose files are read or counted by kind.
    static let folderNames = ["electrocardiograms", "workout-routes", "clinical-records", "attachments"]

    /// The kind of the files in a folder of that name; `nil` if the folder is not Apple's.
    init?(folderName: [UInt8]) {
        let kinds: [Self] = [.electrocardiogram, .workoutRoute, .clinicalRecord, .attachment]
        let name = Self.lowercased(folderName[...])
        if name.hasPrefix("electrocardiograms") {
            self = .electrocardiogram
        } else {
            guard let place = Self.folderNames.firstIndex(of: name) else { return nil }
            self = kinds[place]
        }
    }

    /// The names between separators.
    static func parts(of path: [UInt8]) -> [ArraySlice<UInt8>] { path.split(whereSeparator: isSeparator) }

    /// Whether a byte separates names; some programs on Windows use backslashes, against the standard.
    static func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") }

    /// A name in lower case; empty for a name of more than 1,024 bytes, which no real file has and which may be slow to
    /// compare.
    static func lowercased(_ part: ArraySlice<UInt8>) -> String {
        part.count > 1024 ? "" : String(decoding: part, as: UTF8.self).lowercased()
    }
}
