import FHIRR4
import ArgumentParser
import CredentialStore
import Delivery
import ExportPipeline
import HTTPTransport
import OpenIDConnect

/// `pghd status`: shows who is signed in where, until when, and what is synced.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show who is signed in where, and what is synced",
        usage: "pghd status [<options>]",
        discussion: """
            Reads the keystore and asks no server. With --server, the exit code says whether \
            somebody is signed in there. With --patient as well it reads that patient's ledger: the date of the last \
            export that was sent to its end, and how many resources are on the server, were refused or are uncertain. \
            With --patients it reads all ledgers and leaves the keystore closed.

              pghd status
              pghd status --server https://fhir.example.org/r4 --patient p123
              pghd status --patients

            \(ExitStatus.helpSection([.done, .unreadable, .signIn, .keystore, .usage, .interrupted, .outputClosed]))
            """
    )

    @Option(
        help: ArgumentHelp(
            "The sign-in to this server alone; without it all, whatever PGHD_SERVER or config.json says.",
            valueName: "url"
        )
    )
    var server: String?

    @Option(
        help: ArgumentHelp(
            "What is synced of this patient there; the server may come from PGHD_SERVER.",
            valueName: "id"
        )
    )
    var patient: String?

    @Flag(help: "What is synced of every patient, there or, without --server, everywhere.")
    var patients = false

    @OptionGroup var ledger: LedgerOptions

    @Flag(name: [.short, .long], help: "Show more: issuer, client and scopes.")
    var verbose = false

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup(title: "Keystore") var keystore: KeystoreOptions

    func validate() throws {
        if let patient, !LogicalID.isValid(patient) { throw ExportPipelineError.patientID }
        guard ledger.path == nil || patient != nil || patients else {
            throw ValidationError(
                "--ledger: nobody's (expected --patient or --patients too, whose ledgers are read): add one"
            )
        }
        guard patient == nil || !patients else {
            throw ValidationError("--patients: with --patient (expected one of them): leave one out")
        }
    }

    func run() async throws {
        let base = try base
        if patients { return try showAll(at: base) }
        let synced = try base.flatMap { base in
            try patient.map { LedgerReport(server: base, patientID: $0, folder: try ledger.folder) }
        }
        let reports: [SignInReport]
        do {
            reports = try await StoredSignIns.all(in: try keystore.open())
                .filter { base == nil || $0.server == base?.text }
                .map { SignInReport($0, clockSkewSeconds: nil) }
        } catch {
            // A ledger can be read without the keystore.
            if let synced, let base { try show(synced, at: base) }
            throw error
        }
        if json {
            try StandardOutput.write(report(reports, synced, at: base))
        } else {
            let signIns =
                reports.isEmpty
                ? ["nobody is signed in\(base.map { " to \($0.text)" } ?? "")\n"]
                : reports.map { verbose ? $0.text : $0.shortText }
            try StandardOutput.write((signIns + (synced.map { [$0.text] } ?? [])).joined(separator: "\n"))
        }
        if let synced, let fault = synced.fault {
            say("pghd: \(synced.file): \(fault)")
            throw ExitStatus.unreadable
        }
        guard base == nil || reports.contains(where: \.signedIn) else { throw ExitStatus.signIn }
    }

    /// The server that was asked for; with `--patient` a setting may name it, as for the other commands.
    private var base: HTTPURL? {
        get throws {
            guard patient != nil else { return try server.map { try HTTPURL(option: $0) } }
            guard let server = try Setting.server.value(server) else {
                throw ValidationError(
                    "--server is missing (expected the base URL of a FHIR server, at which --patient is): "
                        + "give it, such as --server https://fhir.example.org/r4"
                )
            }
            return try HTTPURL(option: server)
        }
    }

    /// Shows what is synced for all patients.
    private func showAll(at base: HTTPURL?) throws {
        let paths = try StoredLedgers.paths(in: ledger.folder)
        let ledgers = paths.map { LedgerReport(file: $0) }
            .filter { $0.state != .none && (base == nil || $0.server == nil || $0.server == base?.normalized.text) }
            .sorted { ($0.server ?? "", $0.patient ?? "") < ($1.server ?? "", $1.patient ?? "") }
        if json {
            try StandardOutput.write(
                ReportForm.json(
                    ledgers.map { ServerReport(server: $0.server, signIn: nil, knowsSignIn: false, ledger: $0) }
                )
            )
        } else {
            try StandardOutput.write(ledgers.isEmpty ? "nothing is synced from here\n" : LedgerReport.table(ledgers))
        }
        if paths.isEmpty, let folder = ledger.path {
            say("pghd: \(folder): holds no ledger (expected the folder that --ledger of a sync named): check the path")
        }
        let faults = ledgers.compactMap { ledger in ledger.fault.map { "pghd: \(ledger.file): \($0)" } }
        for fault in faults { say(fault) }
        guard faults.isEmpty else { throw ExitStatus.unreadable }
    }

    /// Shows what is synced where it is not known who is signed in.
    private func show(_ ledger: LedgerReport, at base: HTTPURL) throws {
        let unknown = ReportForm.table(base.text, [("signed in", "not known")])
        let report = ServerReport(server: base.text, signIn: nil, knowsSignIn: false, ledger: ledger)
        try StandardOutput.write(json ? ReportForm.json([report]) : "\(unknown)\n\(ledger.text)")
    }

    private func report(_ reports: [SignInReport], _ ledger: LedgerReport?, at base: HTTPURL?) -> String {
        guard let ledger, let base else { return ReportForm.json(reports) }
        return ReportForm.json([
            ServerReport(server: base.text, signIn: reports.first, knowsSignIn: true, ledger: ledger)
        ])
    }
}
