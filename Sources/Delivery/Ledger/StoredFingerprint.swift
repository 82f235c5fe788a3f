/// What the resources of one patient on one server were made with, according to their ledger, which is read without
/// opening it for a run.
///
/// It is read like ``LedgerSummary``, but without the counts, for which the whole ledger is read: 0.2 s for two million
/// members.
struct StoredFingerprint {
    /// What ids and digests were made with, as far as the ledger says.
    var fields: [Fingerprint.Field: String] = [:]
    /// Whether the server chose the ids of what was delivered; `nil` where that is not known, or where nothing was and
    /// `send` keeps to no form.
    var isConditional: Bool?

    /// Reads the fingerprint.
    ///
    /// - Parameter path: the ledger's path.
    /// - Returns: the fingerprint; `nil` where there is no ledger, or no run has begun with it.
    /// - Throws: `LedgerSummary.Fault`.
    static func read(_ path: String) throws(LedgerSummary.Fault) -> StoredFingerprint? {
        try UnchangedDatabase.read(path) { database throws(LedgerSummary.Fault) in
            var stored = StoredFingerprint()
            for field in Fingerprint.Field.allCases { stored.fields[field] = try database.property(field.property) }
            let form = try database.property(.form)
            // If nothing was ever stored, another form can double nothing.
            if form == nil, try database.row(Ledger.onlyRefusals, count: 1) == [1] { return stored }
            stored.isConditional =
                stored.fields[.mapping].map(Fingerprint.isConditional) ?? form.map { $0 == "conditional" }
            return stored
        }
    }
}

extension DeliveryOptions {
    /// Reports that differences on the server may be due to other options, where the ledger says that others were used.
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
