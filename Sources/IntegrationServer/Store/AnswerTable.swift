import FoundationEssentials
import GRDB

/// What was answered under idempotency keys, within one transaction; a key belongs to one client and one patient.
struct AnswerTable {
    /// How long an answer is remembered.
    static let lifetimeMilliseconds: Int64 = 86_400_000
    /// Stands for the patient where an older database did not store it; not a valid id.
    static let unknownPatient = "?"

    let database: Database
    let now: Int64
    let client: String
    /// Empty for a client without a patient.
    let patient: String
    let key: String

    /// Whether anything was answered under the key.
    func isUsed() throws -> Bool { try !rows().isEmpty }

    /// The answer to the same request, and what its bearer could reach.
    ///
    /// Where the patient is not known, another request is taken to be another patient's.
    ///
    /// - Throws: status 422 where the patient's key was used for another request.
    func answer(to fingerprint: [UInt8]) throws -> (body: [UInt8], reach: Set<String>)? {
        for row in try rows() {
            let (request, body): (Data, Data) = (try row.value(1), try row.value(2))
            let reach: String = try row.value(3)
            if Array(request) == fingerprint { return (Array(body), Set(reach.split(separator: " ").map(String.init))) }
            guard try row.value(0) == Self.unknownPatient else {
                throw Refusal(422, .businessRule, "this Idempotency-Key was used with another body")
            }
        }
        return nil
    }

    /// Stores an answer, and removes those that are too old.
    func remember(_ body: [UInt8], to fingerprint: [UInt8], reach: Set<String>) throws {
        let reach = reach.sorted().joined(separator: " ")
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO answer VALUES (?, ?, ?, ?, ?, ?, ?)")
            .execute(arguments: [client, patient, key, Data(fingerprint), Data(body), now, reach])
        try database.cachedStatement(sql: "DELETE FROM answer WHERE created <= ?")
            .execute(arguments: [now - Self.lifetimeMilliseconds])
    }

    private func rows() throws -> [Row] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT patient, request, body, reach FROM answer
                    WHERE client = ? AND patient IN (?, ?) AND key = ? AND created > ?
                    """
            ),
            arguments: [client, patient, Self.unknownPatient, key, now - Self.lifetimeMilliseconds]
        )
    }
}
