import ArgumentParser
import Delivery
import ExportPipeline
import FHIRR4
import HTTPTransport
import OpenIDConnect

/// `pghd logout`: revokes the tokens and removes them.
struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Sign out of a FHIR server",
        usage: "pghd logout [<options>]",
        discussion: """
            Asks the server to revoke the refresh token and the access token, and removes them from the \
            keystore whatever it answers. What the next sign-in needs is kept. --forget removes that too, a \
            service's key, and all ledgers of the server. With --patient it removes only that patient's \
            ledger, and everybody stays signed in: for a patient who withdraws consent.

              pghd logout --server https://fhir.example.org/r4
              pghd logout --server https://fhir.example.org/r4 --forget --patient p123

            \(ExitStatus.helpSection([.done, .unreadable, .unreachable, .signIn, .keystore, .usage, .interrupted, .outputClosed]))
            """
    )

    @OptionGroup(title: "Server") var server: ServerOptions

    @Flag(help: "Remove everything that is kept of the server.")
    var forget = false

    @Option(
        help: ArgumentHelp("With --forget, what is kept of this patient alone; the sign-in stays.", valueName: "id")
    )
    var patient: String?

    @Flag(help: "Print what came of it as JSON on standard output.")
    var json = false

    @OptionGroup(title: "Ledgers, for --forget") var ledger: LedgerOptions
    @OptionGroup(title: "Keystore") var keystore: KeystoreOptions

    func validate() throws {
        guard forget || ledger.path == nil else {
            throw ValidationError("--ledger: nothing is removed there without --forget (expected both): add --forget")
        }
        guard let patient else { return }
        guard forget else {
            throw ValidationError(
                "--patient: nothing of one patient's is removed without --forget (expected both): add it"
            )
        }
        guard LogicalID.isValid(patient) else { throw ExportPipelineError.patientID }
    }

    func run() async throws {
        let base = try server.checkedServer()
        let folder = forget ? try ledger.folder : nil
        if let patient, let folder { return try forget(patient, at: base, in: folder) }
        if forget, let (named, origin) = try Setting.patient.kept {
            throw ValidationError(
                "--patient: not given, and \(origin) names \(named) (expected whose is removed): add --patient \(named), or "
                    + "unset it to remove what is kept of everybody"
            )
        }
        let store = try keystore.open()
        let isKnown = try await StoredSignIns.isKnown(base.text, in: store)
        let client = try server.client(for: base, signsIn: true)
        // It runs to its end whatever signal comes: a token that was revoked must be removed here too.
        let outcome = try await Interruption.explaining(isQuiet: false, remark: " (once more ends at once)") {
            try await SignOut(client: client, store: store).run(server: base, forget: forget)
        }
        var report = SignOutReport(server: base.text, outcome: outcome, isForgotten: forget)
        let fault = folder.flatMap { Self.forgetLedgers(of: base, in: $0, report: &report) }
        guard isKnown || fault != nil || report.tellsOfLedgers else {
            throw ValidationError(
                "--server: \(forget ? "nothing" : "no sign-in") is kept of \(base.text) (expected a server that was signed in to): "
                    + (forget
                        ? "check its address and --ledger; 'pghd status --patients' lists what is kept in the same --ledger"
                        : "check its address; 'pghd status' lists those that are known")
            )
        }
        try write {
            try StandardOutput.write(json ? report.json : report.text, isReport: true)
        } thenJudge: {
            // This can't be said again: the next sign-out finds no token.
            if let sentence = report.uncertaintySentence { say("pghd: \(base.text): \(sentence)") }
            if let fault { throw fault }
            if report.isUncertain || report.hasLedgersInUse { throw ExitStatus.unreachable }
            if report.hasUnreadableLedgers { throw ExitStatus.unreadable }
        }
    }

    /// Removes what is kept of one patient, without opening the keystore.
    private func forget(_ patientID: String, at server: HTTPURL, in folder: String) throws {
        let removal = try StoredLedgers.remove(of: patientID, at: server, in: folder)
        guard !removal.removed.isEmpty || !removal.inUse.isEmpty else {
            throw ValidationError(
                "--patient: nothing is kept of \(patientID) at \(server) in \(folder) (expected a ledger): check --server, "
                    + "--patient and --ledger; 'pghd status --patients' lists all of the same --ledger"
            )
        }
        let report = ForgottenPatient(server: server.text, patient: patientID, removal)
        try write {
            try StandardOutput.write(json ? ReportForm.json(report) : report.text)
        } thenJudge: {
            if !removal.inUse.isEmpty { throw ExitStatus.unreachable }
        }
    }

    /// Removes the ledgers; an error is returned, so that what became of the tokens is said first.
    private static func forgetLedgers(
        of server: HTTPURL,
        in folder: String,
        report: inout SignOutReport
    ) -> DeliveryError? {
        do throws(DeliveryError) {
            report.note(try StoredLedgers.remove(of: server, in: folder))
            return nil
        } catch {
            return error
        }
    }
}
