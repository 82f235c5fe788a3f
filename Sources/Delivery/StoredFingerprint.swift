/// What the resources of one patient at one server were made with, as their ledger tells, for who does not open it.
///
/// It is read as ``LedgerSummary`` is, but without its counts, for which all of a ledger is read: 0.2 s of two million members.
struct StoredFingerprint {
    /// What ids and digests were made with, as far as the ledger tells.
    var fields: [Fingerprint.Field: String] = [:]
    /// Whether what was delivered has ids of the server's; `nil` where nobody knows.
    var isConditional: Bool?

    /// Reads it.
    ///
    /// - Parameter path: where the ledger lies.
    /// - Returns: what it tells; `nil` where there is none, or no run has begun with it.
    /// - Throws: `LedgerSummary.Fault`.
    static func read(_ path: String) throws(LedgerSummary.Fault) -> StoredFingerprint? {
        try UnchangedDatabase.read(path) { database throws(LedgerSummary.Fault) in
            var stored = StoredFingerprint()
            for field in Fingerprint.Field.allCases { stored.fields[field] = try database.property(field.property) }
            let form = try database.property(.form)
            stored.isConditional =
                stored.fields[.mapping].map(Fingerprint.isConditional) ?? form.map { $0 == "conditional" }
            return stored
        }
    }
}

extension DeliveryOptions {
    /// Says that what differs on the server may have been sent with other options, where the ledger tells that it was.
    func noteOtherOptions() {
        let path = LedgerSummary.path(of: server, patientID: patientID, in: ledgerFolder)
        guard let fingerprint, let known = try? StoredFingerprint.read(path)?.fields,
            let field = known.difference(from: fingerprint)
        else { return }
        let reason =
            switch field {
            case .mapping:
                "(the ledger says mapping \(known[field] ?? ""), this is \(fingerprint.mapping))"
            case .identityKey, .scheme: "(the ledger's ids were made with another --id-key, or with none)"
            }
        noteDoubt("what differs may come of other options than sync was given \(reason): give the same")
    }
}
