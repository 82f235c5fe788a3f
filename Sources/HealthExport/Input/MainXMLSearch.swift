/// Picks the main XML out of an export's files by their first bytes: the one that begins
/// with `<HealthData`.
///
/// The name depends on the phone's language (`Exportieren.xml`, `导出.xml`) and on what
/// unpacked it, so it decides nothing. Looking at the largest file first, the search
/// mostly finds it after one or two; then only those are looked at that could be a second
/// export, since whose the other files are could not be told then.
struct MainXMLSearch<Candidate> {
    private struct File {
        var candidate: Candidate
        var name: [UInt8]
        var byteCount: UInt64
    }

    private var files: [File] = []
    private var hasEmptyXML = false
    /// Whether iCloud has a file that may be it: `.export.xml.icloud`.
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

    /// The main XML, found by the first ``ContentKind/headByteCount`` bytes that `head` gives.
    ///
    /// - Throws: where no file is one, what is wrong with the largest that can't be read,
    ///   since that may be it; else that there is none. Where two are, that.
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

    /// The largest first, and what macOS adds last; Swift's sort is stable, so of equal sizes the first stays the first.
    private var inOrder: [File] {
        let sorted = files.sorted { $0.byteCount > $1.byteCount }
        return sorted.filter { !MemberCounts.isDecoration($0.name) }
            + sorted.filter { MemberCounts.isDecoration($0.name) }
    }

    /// Whether a file may be a second export; electrocardiograms, routes and clinical records, of which there
    /// may be thousands, are none.
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
