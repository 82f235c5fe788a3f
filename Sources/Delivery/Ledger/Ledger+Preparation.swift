internal import Foundation
internal import GRDB
internal import HTTPTransport
internal import Synchronization
internal import TransactionBundling

extension Ledger {
    /// Checks that this run's ids are the ledger's, and takes back what the last run left open.
    ///
    /// A Bundle without a known outcome makes its members unknown: the run that meets them again sends them again,
    /// which changes nothing if the server has them.
    ///
    /// - Returns: what was open.
    /// - Throws: ``DeliveryError``.
    func prepare(for options: DeliveryOptions) throws(DeliveryError) -> OpenBundles {
        try check(options)
        return try placing(path) {
            try pool.write { database in
                defer { noteWhetherNew(database) }
                var open = OpenBundles()
                let rows = try Row.fetchAll(database, sql: "SELECT members, began FROM intents WHERE body IS NULL")
                if try Int.fetchOne(database, sql: "SELECT count(*) FROM intents") != 0 { try Self.noteLoose(database) }
                for row in rows {
                    let bytes: Data = try row.value(0)
                    let members = LedgerChange.Intent.members(Array(bytes))
                    open.forgotten.append(OpenBundles.Forgotten(began: max(try row.value(1), 0), members: members))
                    try LedgerChange.forget(members, database)
                }
                try database.execute(sql: "DELETE FROM intents WHERE body IS NULL")
                open.kept = try LedgerChange.Intent.all(database)
                return open
            }
        }
    }

    private func noteWhetherNew(_ database: Database) {
        let count = try? Int.fetchOne(database, sql: "SELECT count(*) FROM (SELECT 1 FROM members LIMIT 1)")
        if count == 0 { newcomers.withLock { $0 = MemberFilter() } }
    }

    /// Has everything sent once more, in place of what is there; what is in open Bundles, once they are settled.
    ///
    /// The digests stay, since they say nothing about the mapping: they show that the server has a version, and whose.
    /// A 0 stands for one that nobody knows.
    private static func forgetKeys(_ database: Database) throws {
        try database.execute(
            sql: """
                UPDATE members SET home = 0;
                UPDATE members
                    SET state = \(Member.State.unknown.rawValue), digest = coalesce(digest, 0), aliases = NULL
                    WHERE state = \(Member.State.live.rawValue);
                DELETE FROM keys;
                """
        )
        for var intent in try LedgerChange.Intent.all(database) {
            for place in intent.members.indices { intent.members[place].digest = nil }
            try LedgerChange.intend(intent).apply(to: database)
        }
    }

    /// From here on, members may belong to no Bundle that a run could meet: the end of an export looks at all of them.
    static func noteLoose(_ database: Database) throws {
        try database.cachedStatement(sql: "INSERT OR IGNORE INTO properties (name, value) VALUES (?, '1')")
            .execute(arguments: [LedgerProperty.loose.rawValue])
    }

    /// Checks that it is the ledger of this server and patient.
    ///
    /// Its name says so too; but a file that was renamed, or restored to the wrong place, would mark another's
    /// resources.
    func checkPlace(_ options: DeliveryOptions) throws(DeliveryError) {
        for (name, value) in [(LedgerProperty.server, options.server.text), (.patient, options.patientID)] {
            if let known = try property(name), known != value { throw .ledgerMisplaced(path: path) }
        }
    }

    private func check(_ options: DeliveryOptions) throws(DeliveryError) {
        try checkPlace(options)
        var values: [LedgerProperty: String?] = [.server: options.server.text, .patient: options.patientID]
        let isSend = options.fingerprint == nil
        let known = try fingerprint()
        let mapping = known[.mapping]
        let form = try property(.form)
        let wasConditional = form != nil || mapping.map(Fingerprint.isConditional) == true
        guard options.isConditional || (form == nil && !(isSend && wasConditional)) else {
            throw .otherForm(isOurs: false)
        }
        // `sync` leaves its form in the mapping; what `send` alone has filled shows its form by not being empty.
        let hasOurIDs = options.isConditional && !wasConditional && (isSend || mapping == nil)
        let losesOurs = hasOurIDs ? try !isEmpty() : false
        let difference = options.fingerprint.flatMap { known.difference(from: $0) }
        // If nothing was ever stored, another form can double nothing.
        let isFree = losesOurs || difference != nil ? try hasOnlyRefusals() : false
        let mayRemap = options.remaps || isFree
        if losesOurs, !mayRemap {
            guard let found = options.fingerprint?.mapping else { throw .otherForm(isOurs: true) }
            throw .otherFingerprint(what: .mapping, found: found, expected: "")
        }
        if let fingerprint = options.fingerprint {
            // Ids of ours would find nothing there: all of it would be stored a second time.
            let losesForm = wasConditional && !options.isConditional && !isFree
            if let difference, difference != .mapping || !mayRemap || losesForm {
                throw .otherFingerprint(
                    what: difference,
                    found: fingerprint[difference],
                    expected: known[difference] ?? ""
                )
            }
            if difference == .mapping || (mapping == nil && losesOurs) {
                formerMapping.withLock { $0 = mapping }
                try placing(path) {
                    try pool.write { database in
                        try Self.forgetKeys(database)
                        try Self.noteLoose(database)
                    }
                }
            }
            for field in Fingerprint.Field.allCases { values[field.property] = fingerprint[field] }
        }
        if options.isConditional, isSend {
            values[.form] = "conditional"
            // The mapping of an empty ledger is left from a run that came to nothing.
            if !wasConditional { values[.mapping] = .some(nil) }
        }
        try setProperties(values)
    }
}
