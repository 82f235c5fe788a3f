import ArgumentParser
import Delivery
import ExportPipeline
import HTTPTransport

/// `pghd verify`: proves that a server has all of an export, each resource once and unchanged.
struct VerifyCommand: AsyncParsableCommand, ExportDelivery {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Prove that a FHIR server has all of an export, once and unchanged",
        discussion: """
            Converts the export as 'pghd sync' does (give the same options) and reads each resource back: it must \
            be present exactly once, with the same content. Names what is missing, different, doubled or not \
            in the export, never a value. Sends nothing and changes nothing.

              pghd verify export.zip --patient p123 --server https://fhir.example.org/r4

            With --rebuild the ledger is rebuilt from what was found: use it after the ledger was damaged or lost, \
            or after the server lost data. The next sync then sends what is missing or different, and nothing else.

            \(ExitStatus.helpSection(
                ExitStatus.allCases,
                saying: [
                    .damaged: "a difference was found, or the input was damaged",
                    .refused: "the server can't do what is needed",
                ]
            ))
            """
    )

    @Argument(help: .export, completion: .file())
    var export: String

    @OptionGroup(title: "Whose data (required where the sign-in names no patient)") var subject: PatientOptions
    @OptionGroup(title: "Server") var server: ServerOptions
    @OptionGroup(title: "Delivery") var delivery: DeliveryCommandOptions

    @Flag(help: "Rebuild the ledger from what the server has.")
    var rebuild = false

    @Flag(
        help: """
            With --rebuild: skip the check that the export holds most of what pghd has put there, or the other way \
            round. A ledger made from another person's export lets the rest of that export in.
            """
    )
    var confirmPatient = false

    @OptionGroup(title: "Keystore") var keystore: KeystoreOptions
    @OptionGroup(title: "Which samples") var selection: SelectionOptions
    @OptionGroup(title: "How they are written") var writing: WritingOptions
    @OptionGroup(title: "How it runs") var running: RunningOptions
    @OptionGroup(title: "What is said") var talk: TalkOptions

    func validate() throws {
        if rebuild, selection.isFilter {
            throw ValidationError(
                "--rebuild: contradicts --types, --since and --until (expected the whole export, else the ledger would "
                    + "forget the rest): leave them out"
            )
        }
        if confirmPatient, !rebuild {
            throw ValidationError(
                "--confirm-patient: says nothing without --rebuild (expected both, or neither): leave it out"
            )
        }
        try checkReport()
    }

    func run() async throws {
        let start = RunStart()
        let base = try server.checkedServer()
        let patientID = try await patientID(at: base)
        let wanted = try conversionOptions(patientID: patientID)
        let client = try server.client(for: base)
        let authorizer = try await authorizer(for: base, client: client, patientID: patientID)
        let (conversion, target) = try await conversion(wanted, for: base, client: client, authorizer: authorizer)
        let (read, report) = try await verification(
            conversion,
            rebuilds: rebuild,
            confirmsPatient: confirmPatient,
            at: target,
            patientID: patientID
        )
        try write {
            try writeReport(of: read, report, base, since: start)
        } thenJudge: {
            if talk.quiet || talk.json, !report.isClean {
                let next = isReported ? "its 'findings' are the resources" : "run again with --report FILE"
                say("pghd: \(base): \(report.differenceSentence) (expected what the export holds): \(next)")
            }
            if !read.damage.isEmpty { say("pghd: \(export): \(read.damage.sentence(isReported: isReported))") }
            guard report.isClean, read.damage.isEmpty else { throw ExitStatus.damaged }
        }
    }

    private func writeReport(
        of read: RunReport,
        _ report: VerificationReport,
        _ base: HTTPURL,
        since start: RunStart
    ) throws {
        let whole = start.whole(read)
        try write {
            guard let path = delivery.report else { return }
            let cancellation = Interruption.beginRun()
            try report.write(with: whole, toFile: path, replace: delivery.force, cancellation: cancellation)
        } thenJudge: {
            if talk.json { try report.writeJSON(with: whole) { try StandardOutput.write($0, isReport: true) } }
            if talk.verbose, !talk.json {
                Terminal.write(
                    read.summary(
                        input: export,
                        output: base.description,
                        isVerbose: true,
                        style: Terminal.style
                    )
                )
            }
            if !talk.json, !talk.quiet {
                Terminal.write(report.summary(input: export, server: base.description, style: Terminal.style))
            }
        }
    }
}
