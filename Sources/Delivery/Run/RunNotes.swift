internal import FHIRR4

/// What a run remembers in addition to its Bundles: which steps were done, and what is judged at its end.
struct RunNotes {
    /// Whether it was checked that the address is a FHIR base.
    var isBaseChecked = false
    /// Whether it was reported that the server may require an update to name a version.
    var isVersionDoubted = false
    /// Whether the server was asked for resources that it should have.
    var isProbed = false
    /// Whether the clocks were compared.
    var areClocksNoted = false
    /// Whether it was found out if another machine's resources must be looked for.
    var areOthersExpected = false
    /// For each type that was asked about: whether the server may have more of our resources than the ledger knows.
    var shared: [ResourceType: Bool] = [:]
    /// Whether the run has waited for a lagging index.
    var isIndexAwaited = false
    /// Whether the server's index did not find in time what was just stored, or can't be searched.
    var isIndexSilent = false
    /// Whether the index did not find Devices in time.
    var areDevicesSilent = false
    /// Whether it was reported that bodies were sealed with another keystore.
    var isOtherKeyTold = false
    /// Whether it was reported that the server runs transactions as batches.
    var isBatchTold = false
    /// Whether it was reported that the server reports errors for what it says it has stored.
    var isErrorTold = false
    /// How many Bundles it refused, without giving a limit, that were then sent in parts.
    var dividedCount = 0
    /// Whether it was reported that the server takes too few entries at once.
    var isTooSmallTold = false
    /// Whether the export gives the same birth date as earlier exports.
    var isOwnerKnown = false
    /// Whether the server has the Patient; `nil` where it was not asked or does not say.
    var hasPatient: Bool?
    /// Whether it must be asked for the Patient, since it has refused everything.
    var wantsPatient = false
    /// How many Bundles were handed in that the server may not have.
    var turnCount = 0
    /// How many entries were refused that had not been refused in an earlier run.
    var refusedCount = 0
    /// The same, but for a key-only server the number of answers that refused them.
    var refusalCount = 0
    /// The resources that the server created last.
    var creations = RecentCreations()
    /// The created resources that a search may not find yet.
    var young = YoungCreations()
    /// By how many seconds the server's clock was ahead of this machine's when an earlier run noted times; `nil` until
    /// the ledger was asked.
    var formerServerOffset: Int64??
    /// When the export was made.
    var exportDate: Int64?
    /// The date of an export that is later than all before it, until something of it is sent.
    var begunDate: Int64?
    /// The properties with the former date, as long as nothing of the export may have reached the server.
    var formerDate: [LedgerProperty: String?] = [:]
    /// What was known of the owner before.
    var formerOwner: [LedgerProperty: String?] = [:]

    /// Notes that a step is done.
    ///
    /// - Parameter step: a step that is done once in a run.
    /// - Returns: whether this is the first time.
    mutating func noteFirst(_ step: WritableKeyPath<RunNotes, Bool>) -> Bool {
        defer { self[keyPath: step] = true }
        return !self[keyPath: step]
    }
}
