import FoundationEssentials
import GRDB

/// Sign-ins, and the codes and tokens that were issued for them, within one transaction.
///
/// All credentials of one sign-in are a family: revoking it ends every one of them.
struct AuthorizationTable {
    enum CredentialKind: String {
        case code, access, refresh, device
    }

    struct Authorization: Sendable {
        let number: Int64
        let client: String
        /// What the person allowed, space-separated.
        let scope: String
        let patient: String?
        let redirectURI: String?
        let codeChallenge: String?
        var nonce: String?
        /// `pending`, `approved`, `denied` or `revoked`.
        let state: String
        let polled: Int64
        let interval: Int64
        let created: Int64

        /// When the person signed in, in milliseconds since 1970; `nil` for a device, which waits for it.
        var signedIn: Int64? { redirectURI == nil ? nil : created }
    }

    struct Credential: Sendable {
        let hash: [UInt8]
        let kind: CredentialKind
        let authorization: Authorization
        /// What the credential itself allows; a refresh may narrow it.
        let scope: String
        let expires: Int64
        let isUsed: Bool
    }

    let database: Database
    let now: Int64

    /// Removes devices whose codes expired so long ago that nobody asks for them any more.
    func forgetExpiredDevices() throws {
        let longAgo = now - 2 * Issuer.deviceSeconds * 1_000
        try database.execute(
            sql: "DELETE FROM credential WHERE kind = ? AND expires < ?",
            arguments: [CredentialKind.device.rawValue, longAgo + Issuer.deviceSeconds * 1_000]
        )
        try database.execute(
            sql: "DELETE FROM authorization WHERE state = 'pending' AND created < ?",
            arguments: [longAgo]
        )
    }

    /// How many devices are waiting for a person, or were a short time ago.
    func pendingDeviceCount() throws -> Int {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM authorization WHERE state = 'pending'") ?? 0
    }

    func authorize(
        client: String,
        scope: String,
        patient: String?,
        redirectURI: String? = nil,
        codeChallenge: String? = nil,
        nonce: String? = nil,
        userCode: String? = nil,
        interval: Int64 = 0
    ) throws -> Int64 {
        // Removes those that led to nothing, or whose last token is gone: anybody may begin a sign-in.
        try database.execute(
            sql: """
                DELETE FROM authorization WHERE created < ? AND NOT EXISTS
                (SELECT 1 FROM credential WHERE credential.authorization = authorization.number)
                """,
            arguments: [now - 86_400_000]
        )
        try database.execute(
            sql: """
                INSERT INTO authorization (client, scope, patient, redirect, challenge, nonce, usercode, state, interval,
                created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                client, scope, patient, redirectURI, codeChallenge, nonce, userCode,
                userCode == nil ? "approved" : "pending", interval, now,
            ]
        )
        return database.lastInsertedRowID
    }

    /// A new secret for a sign-in, of which the table stores only the hash.
    func issue(_ kind: CredentialKind, _ authorization: Int64, scope: String, seconds: Int64) throws -> String {
        let secret = Secret.make()
        try database.execute(sql: "DELETE FROM credential WHERE expires < ?", arguments: [now - 86_400_000])
        try database.execute(
            sql: "INSERT INTO credential (hash, kind, authorization, scope, expires) VALUES (?, ?, ?, ?, ?)",
            arguments: [Data(Secret.hash(secret)), kind.rawValue, authorization, scope, now + seconds * 1_000]
        )
        return secret
    }

    func credential(_ secret: String, _ kinds: CredentialKind...) throws -> Credential? {
        let hash = Secret.hash(secret)
        let row = try Row.fetchOne(
            database,
            sql: "SELECT kind, authorization, scope, expires, used FROM credential WHERE hash = ?",
            arguments: [Data(hash)]
        )
        guard let row, let kind = CredentialKind(rawValue: try row.value(0)), kinds.contains(kind),
            let authorization = try authorization("number = ?", [try row.value(1) as Int64])
        else { return nil }
        return Credential(
            hash: hash,
            kind: kind,
            authorization: authorization,
            scope: try row.value(2),
            expires: try row.count(3),
            isUsed: try row.value(4)
        )
    }

    /// The sign-in with a code that a person enters, if it has not expired.
    func authorization(userCode: String) throws -> Authorization? {
        try authorization("usercode = ? AND created > ?", [userCode, now - Issuer.deviceSeconds * 1_000])
    }

    func markUsed(_ credential: Credential) throws {
        try database.execute(sql: "UPDATE credential SET used = 1 WHERE hash = ?", arguments: [Data(credential.hash)])
    }

    func remove(_ credential: Credential) throws {
        try database.execute(sql: "DELETE FROM credential WHERE hash = ?", arguments: [Data(credential.hash)])
    }

    func revoke(_ authorization: Authorization) throws {
        try database.execute(
            sql: "UPDATE authorization SET state = 'revoked' WHERE number = ?",
            arguments: [authorization.number]
        )
    }

    /// Stores what the person decided; `false` where that was decided before.
    func decide(_ authorization: Authorization, patient: String?, isApproved: Bool) throws -> Bool {
        try database.execute(
            sql: "UPDATE authorization SET state = ?, patient = ? WHERE number = ? AND state = 'pending'",
            arguments: [isApproved ? "approved" : "denied", patient, authorization.number]
        )
        return database.changesCount == 1
    }

    func notePoll(_ authorization: Authorization, interval: Int64) throws {
        try database.execute(
            sql: "UPDATE authorization SET polled = ?, interval = ? WHERE number = ?",
            arguments: [now, interval, authorization.number]
        )
    }

    /// Notes an assertion's `jti`; `false` where it was used before.
    func isNew(jti: String, of client: String, expires: Int64) throws -> Bool {
        try database.execute(sql: "DELETE FROM assertion WHERE expires < ?", arguments: [now])
        try database.execute(
            sql: "INSERT OR IGNORE INTO assertion VALUES (?, ?, ?)",
            arguments: [client, jti, expires]
        )
        return database.changesCount == 1
    }

    private func authorization(_ condition: String, _ arguments: StatementArguments) throws -> Authorization? {
        try Row.fetchOne(
            database,
            sql: """
                SELECT number, client, scope, patient, redirect, challenge, nonce, state, polled, interval, created
                FROM authorization WHERE \(condition)
                """,
            arguments: arguments
        ).map { row in
            Authorization(
                number: try row.value(0),
                client: try row.value(1),
                scope: try row.value(2),
                patient: try row.optional(3),
                redirectURI: try row.optional(4),
                codeChallenge: try row.optional(5),
                nonce: try row.optional(6),
                state: try row.value(7),
                polled: try row.count(8),
                interval: try row.count(9),
                created: try row.count(10)
            )
        }
    }
}
