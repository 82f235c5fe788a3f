/// Picks the main XML out of an export's files by their first bytes: of those that
/// begin with `<HealthData`, the largest.
///
/// The name depends on the phone's language (`Exportieren.xml`, `导出.xml`) and on what
/// unpacked it, so it decides nothing. Looking at the largest file first, the search
/// mostly ends after one or two.
struct MainXMLSearch<Candidate> {
    private var candidates: [(byteCount: UInt64, candidate: Candidate)] = []
    private var hasEmptyXML = false

    /// Adds a file, unless it is empty.
    mutating func consider(_ candidate: Candidate, name: [UInt8], byteCount: UInt64) {
        if byteCount > 0 {
            candidates.append((byteCount, candidate))
        } else if !MemberCounts.isDecoration(name), Self.hasXMLSuffix(name) {
            hasEmptyXML = true
        }
    }

    /// The main XML, found by the first ``ContentKind/headByteCount`` bytes that `head` gives.
    ///
    /// - Throws: where no file is one, what is wrong with the largest that can't be read,
    ///   since that may be it; else that there is none.
    func largestExport(
        head: (Candidate) throws(InputFault) -> (bytes: [UInt8], fault: InputFault?)
    ) throws(InputFault) -> Candidate {
        var firstFault: InputFault?
        // Swift's sort is stable: of equal sizes the first stays the first.
        for (_, candidate) in candidates.sorted(by: { $0.byteCount > $1.byteCount }) {
            var candidateFault: InputFault?
            do throws(InputFault) {
                let (bytes, fault) = try head(candidate)
                let kind = ContentKind(head: bytes)
                if kind == .healthData { return candidate }
                candidateFault = kind == .utf16 ? .utf16 : fault
            } catch {
                candidateFault = error
            }
            firstFault = firstFault ?? candidateFault
        }
        throw firstFault ?? (hasEmptyXML ? .emptyMainXML : .noExportInside)
    }

    /// Used to word an error only, never to choose a file.
    private static func hasXMLSuffix(_ name: [UInt8]) -> Bool {
        String(decoding: name.suffix(4), as: UTF8.self).lowercased() == ".xml"
    }
}
