/// What is wrong in a watched folder, so that each fault is said once for as long as it lasts.
struct WatchFaults {
    /// By the bytes of the path: names that are not UTF-8 may look the same, and each have a fault of its own.
    private var known: [[UInt8]: Set<WatchedFolder.Fault>] = [:]
    private var found: [[UInt8]: Set<WatchedFolder.Fault>] = [:]

    /// Whether a fault that may pass keeps an export from being seen.
    var mayPass: Bool { found.values.joined().contains { $0.mayPass } }

    /// Whether an export is not taken because of where it lies or what it is.
    var leaveExports: Bool { found.values.joined().contains { $0.leavesExport } }

    /// Begins a look at the whole folder; a fault that the last look did not find counts as new when it comes back.
    mutating func begin() {
        known = found
        found = [:]
    }

    /// Keeps the faults of the last look, since this one failed: they may still be there.
    mutating func keepKnown() { found.merge(known) { $0.union($1) } }

    /// The paths of what can't be read for now.
    var unreadablePaths: Set<[UInt8]> { Set(found.filter { $0.value.contains(where: \.mayPass) }.keys) }

    /// Notes a fault, and returns whether it is to be said.
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

    /// The system's reason.
    var reason: String? {
        switch self {
        case .unreadable(let reason), .away(let reason): reason
        case .noPatientID, .noFolder, .unpacked, .tooDeep, .link, .noText, .empty: nil
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
