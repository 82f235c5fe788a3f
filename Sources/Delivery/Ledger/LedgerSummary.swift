package import HTTPTransport

/// What the ledger of one patient on one server says, without asking any server.
///
///     try LedgerSummary.read(LedgerSummary.path(of: server, patientID: "p123", in: folder))
///
/// It is read as it lies there: without the lock that a run holds, and without making or changing a file.
package struct LedgerSummary: Sendable, Equatable {
    /// The base URL of its server, and the patient's id there; `nil` only in a file that no run of ours wrote.
    package var server, patientID: String?
    /// When the latest export that was sent to its end was made, in seconds since 1970; `nil` for none.
    package var exportDate: Int64?
    /// Resources that the server has acknowledged in the version that was sent last.
    package var liveCount: UInt64 = 0
    /// Resources that the server refused.
    package var refusedCount: UInt64 = 0
    /// Resources of which nobody knows which version it has, except those in open Bundles: the next run sends them
    /// again.
    package var uncertainCount: UInt64 = 0
    /// Resources that were marked as entered in error.
    package var enteredInErrorCount: UInt64 = 0
    /// Bundles noted before they were posted, whose outcome is not kept: the run is at work, or was interrupted.
    package var openBundleCount: UInt64 = 0

    /// Why a ledger says nothing.
    package enum Fault: Error, Sendable, Equatable {
        /// It is not a database, or a broken one.
        case damaged
        /// It was written by a later version.
        case newer(version: Int)
        /// What was written last is in a log whose index is missing, as in a copy: a process that may write restores
        /// it.
        case unindexedLog
        /// It can't be read; the reason is the system's.
        case unreadable(reason: String)
    }

    /// Where a ledger lies, or would lie.
    ///
    /// - Parameters:
    ///   - server: the base URL that is delivered to.
    ///   - patientID: the patient's id there.
    ///   - folder: where the ledgers lie.
    /// - Returns: its path.
    package static func path(of server: HTTPURL, patientID: String, in folder: String) -> String {
        LedgerFile(folder: folder, server: server.normalized.text, patientID: patientID).path
    }

    /// Reads a ledger.
    ///
    /// - Parameter path: where it lies.
    /// - Returns: what it says; `nil` if there is none, or no run has begun with it.
    /// - Throws: ``Fault``.
    package static func read(_ path: String) throws(Fault) -> LedgerSummary? {
        try UnchangedDatabase.read(path) { database throws(Fault) in try LedgerSummary(database) }
    }

    private init(_ database: borrowing UnchangedDatabase) throws(Fault) {
        let states = [Ledger.Member.State.live, .refused, .unknown, .gone]
        let counts = try database.row(
            """
            SELECT (SELECT CAST(value AS INTEGER) FROM properties WHERE name = '\(LedgerProperty.exportDate.rawValue)'),
                (SELECT CAST(value AS INTEGER) FROM properties WHERE name = '\(LedgerProperty.exportNoted.rawValue)'),
                (SELECT count(*) FROM intents),
                \(states.map { "count(*) FILTER (WHERE state = \($0.rawValue))" }.joined(separator: ", "))
            FROM members
            """,
            count: 7
        )
        func count(_ place: Int) -> UInt64 { counts[place].flatMap { UInt64(exactly: $0) } ?? 0 }
        server = try database.property(.server)
        patientID = try database.property(.patient)
        exportDate = Ledger.counted(counts[0], noted: counts[1]).flatMap { $0 < 0 ? nil : $0 }
        (liveCount, refusedCount, uncertainCount, enteredInErrorCount) = (count(3), count(4), count(5), count(6))
        openBundleCount = count(2)
    }
}
