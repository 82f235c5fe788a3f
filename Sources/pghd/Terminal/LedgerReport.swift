import Delivery
import ExportPipeline
import FHIRR4
import HTTPTransport

/// What `status` says is synced for one patient at one server: a ledger.
///
/// The keys of its JSON are stable.
struct LedgerReport: Encodable {
    /// The server that it is for; `nil` where only the ledger could say and can't be read.
    let server: String?
    /// The patient that it is for; `nil` where only the ledger could say and can't be read.
    let patient: String?
    let file: String
    let state: State
    let exportDate: String?
    let live, refused, uncertain, enteredInError, openBundles: UInt64?

    /// Whether a ledger can be used, and why not.
    enum State: String, Encodable {
        /// It was read.
        case readable
        /// There is none: nothing was delivered yet, or it was removed.
        case none
        case damaged
        /// A later version wrote it.
        case newer
        /// The system does not let it be read.
        case unreadable
        /// It belongs to another server or patient: it was renamed, or copied to the wrong place.
        case misplaced
    }

    /// What is wrong with it; `nil` where nothing is.
    let fault: String?

    private enum CodingKeys: CodingKey {
        case patient, file, state, exportDate, live, refused, uncertain, enteredInError, openBundles
    }

    /// The ledger at `file`, for the patient that it names.
    init(file: String) {
        self.init(file: file, expected: nil)
    }

    /// The ledger of a patient, whether it exists or not.
    init(server: HTTPURL, patientID: String, folder: String) {
        let file = LedgerSummary.path(of: server, patientID: patientID, in: folder)
        self.init(file: file, expected: (server.normalized.text, patientID))
    }

    private init(file: String, expected: (server: String, patientID: String)?) {
        self.file = file
        var summary: LedgerSummary?
        do throws(LedgerSummary.Fault) {
            summary = try LedgerSummary.read(file)
            if let found = summary, let expected,
                found.server ?? expected.server != expected.server
                    || found.patientID ?? expected.patientID != expected.patientID
            {
                summary = nil
                state = .misplaced
                fault = DeliveryError.misplacement
            } else {
                state = summary == nil ? .none : .readable
                fault = nil
            }
        } catch {
            switch error {
            case .damaged:
                state = .damaged
                fault =
                    "damaged (expected a ledger): the next sync puts it aside and asks the server; with --api observations run "
                    + "'pghd verify --rebuild' with the same options first"
            case .newer(let version):
                state = .newer
                fault = "written by a later pghd (version \(version)): use that one"
            case .unindexedLog:
                state = .unreadable
                fault = "a copy whose log has no index: run 'pghd sync' or 'pghd verify' once, which rebuilds it"
            case .unreadable(let reason):
                state = .unreadable
                fault = "cannot be read (\(reason)): check the file and its permissions"
            }
        }
        server = summary?.server
        patient = expected?.patientID ?? summary?.patientID
        exportDate = summary?.exportDate.map { FHIRDateTime.utcText($0) }
        live = summary?.liveCount
        refused = summary?.refusedCount
        uncertain = summary?.uncertainCount
        enteredInError = summary?.enteredInErrorCount
        openBundles = summary?.openBundleCount
    }

    /// The patient, and a line for each number.
    var text: String {
        var lines: [(String, String)] = []
        if let live, let refused, let uncertain, let enteredInError, let openBundles {
            lines.append(("last export", exportDate ?? "none was sent to its end"))
            lines.append(("on the server", ReportText.counted(live, "resource")))
            lines.append(("refused", ReportText.counted(refused, "resource")))
            lines.append(("uncertain", ReportText.counted(uncertain, "resource")))
            if enteredInError > 0 { lines.append(("in error", ReportText.counted(enteredInError, "resource"))) }
            if openBundles > 0 { lines.append(("on the way", ReportText.counted(openBundles, "Bundle"))) }
        }
        switch state {
        case .readable: lines.append(("ledger", file))
        case .none: lines.append(("ledger", "none: nothing was delivered from here (\(file))"))
        case .damaged, .newer, .unreadable, .misplaced: lines.append(("ledger", "can't be used (\(file))"))
        }
        return ReportForm.table(patient.map { "Patient/\($0)" } ?? file, lines)
    }

    /// The ledgers that were read, one a line below their servers; "" for none.
    static func table(_ ledgers: [LedgerReport]) -> String {
        let read = ledgers.filter { $0.state == .readable }
        return Set(read.map { $0.server ?? "" }).sorted().map { server in
            var table = TextTable(columns: [
                TextTable.Column(title: "patient"), TextTable.Column(title: "last export"),
                TextTable.Column(title: "on the server", isNumeric: true),
                TextTable.Column(title: "refused", isNumeric: true),
                TextTable.Column(title: "uncertain", isNumeric: true),
                TextTable.Column(title: "on the way", isNumeric: true),
            ])
            table.rows = read.filter { ($0.server ?? "") == server }.map { ledger in
                [(ledger.patient ?? "").printable, ledger.exportDate ?? "none"]
                    + [ledger.live, ledger.refused, ledger.uncertain, ledger.openBundles].map {
                        ReportText.grouped($0 ?? 0)
                    }
            }
            return ([server.printable] + table.lines).map { "\($0)\n" }.joined()
        }.joined(separator: "\n")
    }
}

/// What is known about a server: who is signed in there, and what is synced.
struct ServerReport: Encodable {
    /// `nil` where only the ledger could say and can't be read.
    let server: String?
    let signIn: SignInReport?
    /// Whether the keystore was read; if not, `signedIn` is `null`.
    let knowsSignIn: Bool
    let ledger: LedgerReport

    private enum CodingKeys: CodingKey {
        case server, signedIn, ledger
    }

    func encode(to encoder: any Encoder) throws {
        try signIn?.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        if signIn == nil {
            try container.encodeIfPresent(server, forKey: .server)
            try container.encode(knowsSignIn ? false : nil as Bool?, forKey: .signedIn)
        }
        try container.encode(ledger, forKey: .ledger)
    }
}
