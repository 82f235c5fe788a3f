/// Picks the main XML from an export's files: the one whose first bytes are `<HealthData`.
///
/// The name depends on the phone's language (`Exportieren.xml`, `导出.xml`) and on the program that unpacked it, so it
/// does not count. The search starts with the largest file and usually finds the main XML after one or two. From then
/// on it only checks files that could be a second export, because then nobody could say to which one the other files
/// belong.
struct MainXMLSearch<Candidate> {
    private struct File {
        var candidate: Candidate
        var name: [UInt8]
        var byteCount: UInt64
    }

    private var files: [File] = []
    private var hasEmptyXML = false
    /// Whether there is iCloud's placeholder for what may be the main XML: `.export.xml.icloud`.
    private var hasPlaceholder = false

    /// Adds a file, unless it is empty.
    mutating func consider(_ candidate: Candidate, name: [UInt8], byteCount: UInt64) {
        if String(decoding: name.suffix(11), as: UTF8.self).lowercased() == ".xml.icloud" { hasPlaceholder = true }
        if byteCount > 0 {
            files.append(File(candidate: candidate, name: name, byteCount: byteCount))
        } else if !MemberCounts.isDecoration(name), Self.hasSuffix(".xml", name) {
            hasEmptyXML = true
        }
    }

    /// The main XML, recognized by the first ``ContentKind/headByteCount`` bytes that `head` returns.
    ///
    /// - Throws: `.severalExports` if there are two. If there is none, the fault of the largest file that can't be
    ///   read, since that may be the main XML; otherwise why there is none.
    func onlyExport(
        head: (Candidate) throws(InputFault) -> (bytes: [UInt8], fault: InputFault?)
    ) throws(InputFault) -> Candidate {
        var found: Candidate?
        var firstFault: InputFault?
        var zip: InputFault?
        for file in inOrder where found == nil || Self.mayBeExport(file) {
            var fileFault: InputFault?
            do throws(InputFault) {
                let (bytes, fault) = try head(file.candidate)
                let kind = ContentKind(head: bytes)
                if kind == .healthData {
                    guard found == nil else { throw .severalExports }
                    found = file.candidate
                }
                fileFault = fault
                if case .wide(let encoding, isXML: true) = kind {
                    fileFault = .wideCharacters(encoding: encoding, isXML: true)
                }
                if kind == .zeros, Self.hasSuffix(".xml", file.name) { fileFault = .zeros }
                if kind == .zip, zip == nil, Self.hasSuffix(".zip", file.name) {
                    zip = .zipInside(name: printableASCII(file.name))
                }
            } catch {
                if error == .severalExports { throw error }
                fileFault = error
            }
            firstFault = firstFault ?? fileFault
        }
        if let found { return found }
        throw firstFault ?? zip ?? (hasPlaceholder ? .notDownloaded : hasEmptyXML ? .emptyMainXML : .noExportInside)
    }

    /// The largest first, and files that macOS adds last; Swift's sort is stable, so files of equal size keep their
    /// order.
    private var inOrder: [File] {
        let sorted = files.sorted { $0.byteCount > $1.byteCount }
        return sorted.filter { !MemberCounts.isDecoration($0.name) }
            + sorted.filter { MemberCounts.isDecoration($0.name) }
    }

    /// Whether a file may be a second export; electrocardiograms, routes and clinical records, which may be thousands,
    /// are not checked.
    private static func mayBeExport(_ file: File) -> Bool {
        switch ExportMember.Kind(memberPath: file.name) {
        case nil, .electrocardiogram, .workoutRoute, .clinicalRecord: false
        case .clinicalDocument, .attachment, .other: true
        }
    }

    /// Used to word an error only, never to choose a file.
    private static func hasSuffix(_ suffix: String, _ name: [UInt8]) -> Bool {
        String(decoding: name.suffix(4), as: UTF8.self).lowercased() == suffix
    }
}
