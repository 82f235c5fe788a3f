/// What is wrong in a watched folder, so that it is said once for as long as it lasts.
struct WatchFaults {
    /// Names that are no text may look the same, and each have a fault of its own.
    private var known: [[UInt8]: Set<WatchedFolder.Fault>] = [:]
    private var found: [[UInt8]: Set<WatchedFolder.Fault>] = [:]

    /// Whether something keeps an export from being seen that the system may allow later.
    var mayPass: Bool { found.values.joined().contains { $0.mayPass } }

    /// Whether an export lies where or as it is not taken.
    var leaveExports: Bool { found.values.joined().contains { $0.leavesExport } }

    /// A look at the whole folder begins; what the last one did not find is new when it comes back.
    mutating func begin() {
        known = found
        found = [:]
    }

    /// The look came to nothing: what the one before has found may still be there.
    mutating func keepKnown() { found.merge(known) { $0.union($1) } }

    /// The paths of what the system keeps from being read.
    var unreadablePaths: Set<[UInt8]> { Set(found.filter { $0.value.contains(where: \.mayPass) }.keys) }

    /// Notes what was found, and answers whether it is to be said.
    mutating func note(_ fault: WatchedFolder.Fault, of path: String) -> Bool {
        let path = Array(path.utf8)
        return found[path, default: []].insert(fault).inserted && known[path]?.contains(fault) != true
    }
}

extension WatchedFolder.Fault {
    /// Whether it may pass without another name or another file.
    var mayPass: Bool {
        switch self {
        case .unreadable, .away, .empty: true
        case .noPatientID, .noFolder, .unpacked, .tooDeep, .link, .noText: false
        }
    }

    /// Whether it is an export that waits for a person.
    fileprivate var leavesExport: Bool {
        switch self {
        case .noPatientID, .noFolder, .unpacked, .tooDeep, .link: true
        case .noText(let holdsExport): holdsExport
        case .unreadable, .away, .empty: false
        }
    }

    /// What is wrong with a name, what was expected, and what to do.
    var sentence: String {
        switch self {
        case .noPatientID: "not a FHIR id (expected a patient's id as the folder's name): rename it"
        case .noFolder(let name):
            "lies in no patient's folder (expected DIR/<patient-id>/\(name)): move it there"
        case .unpacked:
            "an unpacked export is not taken (expected the zip, whose end shows that it is whole): put that there instead"
        case .tooDeep:
            "holds an export in a folder of its own (expected it in the patient's folder itself): move it there; a folder whose "
                + "name begins with a dot is left alone"
        case .link: "a link is not followed (expected the export or the folder itself): put that there instead"
        case .noText: "the name is not UTF-8 (expected one that is): rename it"
        case .unreadable(let reason):
            "can't be read: \(reason) (expected what the watch's user may read): change its owner or its permissions; "
                + "it is tried again"
        case .empty:
            "holds nothing (expected a folder for each patient): check the path, and that what belongs there is mounted"
        case .away(let reason):
            "can't be read: \(reason) (expected what was there before): mount it again, or check the path; it is tried again"
        }
    }
}
