internal import FHIRR4

/// What a run keeps in mind beside its Bundles: what is done once, and what is judged at its end.
struct RunNotes {
    /// Whether the address was looked at, whether it is a FHIR base.
    var isBaseChecked = false
    /// Whether it was said that the server may want an update to name a version.
    var isVersionDoubted = false
    /// Whether the server has been asked for what it should have.
    var isProbed = false
    /// Whether the clocks were compared.
    var areClocksNoted = false
    /// Whether it was found out if another machine's resources are to be looked for.
    var areOthersExpected = false
    /// Of which types they are, as far as the run has met any that the ledger does not know.
    var shared: [ResourceType: Bool] = [:]
    /// Whether an index that lags was waited for.
    var isIndexAwaited = false
    /// Whether its index did not find in time what the server has just stored, or can't be read.
    var isIndexSilent = false
    /// Whether it did not find Devices in time.
    var areDevicesSilent = false
    /// Whether it was said that bodies were sealed by another keystore.
    var isOtherKeyTold = false
    /// Whether it was said that the server takes too few entries at once.
    var isTooSmallTold = false
    /// Whether the export tells the birth date that exports before it have told.
    var isOwnerKnown = false
    /// Whether the server has the Patient; `nil` where it was not asked, or does not tell.
    var hasPatient: Bool?
    /// Whether it is to be asked, since it has refused everything.
    var wantsPatient = false
    /// How many Bundles were handed in that the server may not have.
    var turnCount = 0
    /// Entries that were refused and had not been in the run before.
    var refusedCount = 0
    /// In how many answers they were.
    var refusalCount = 0
    /// What the server has made anew, the last of it.
    var creations = RecentCreations()
    /// The same for as long as a search may not find it.
    var young = YoungCreations()
    /// By how many seconds the server's clock was ahead of this machine's when an earlier run noted things; `nil` until the
    /// ledger was asked.
    var formerServerOffset: Int64??
    /// When the export was made.
    var exportDate: Int64?
    /// The date of an export that is later than any before, until something of it is sent.
    var begunDate: Int64?
    /// What that date was before, as long as nothing of the export may have come there.
    var formerDate: [LedgerProperty: String?] = [:]
    /// What was known of the owner before.
    var formerOwner: [LedgerProperty: String?] = [:]

    /// Notes that something is done.
    ///
    /// - Parameter step: what is done once in a run.
    /// - Returns: whether this is the first time.
    mutating func noteFirst(_ step: WritableKeyPath<RunNotes, Bool>) -> Bool {
        defer { self[keyPath: step] = true }
        return !self[keyPath: step]
    }
}
