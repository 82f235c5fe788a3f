import ArgumentParser
import CredentialStore
import Delivery
import ExportPipeline
import FHIRR4
import HTTPTransport
import HealthExport
import HealthKitMapping
import OpenIDConnect
import Threads

/// A command that converts an export for a server: the same options give the same ids and bytes in each command.
protocol ExportDelivery {
    var export: String { get }
    /// Where the export is read.
    var inputPath: String { get }
    var subject: PatientOptions { get }
    var server: ServerOptions { get }
    var keystore: KeystoreOptions { get }
    var delivery: DeliveryCommandOptions { get }
    var selection: SelectionOptions { get }
    var writing: WritingOptions { get }
    var running: RunningOptions { get }
    var talk: TalkOptions { get }
}

extension ExportDelivery {
    var inputPath: String { export }

    /// Whether JSON says what the summary says.
    var isReported: Bool { talk.json || delivery.report != nil }

    /// Refuses a report that would replace what the run reads or keeps.
    ///
    /// - Throws: `ValidationError`.
    func checkReport() throws {
        try delivery.checkReport(
            besides: export,
            keystore,
            server,
            idKey: writing.idKey,
            // A mapping that is missing for a moment, which watch waits for, is reported once it is needed.
            profiles: try? running.mapping.profilesFolder
        )
    }

    /// The patient that was given, else the one that the sign-in to `server` was made for: SMART's launch context.
    ///
    /// - Throws: as `PatientOptions.checkedPatient`; `ExitStatus.signIn` where a sign-in could name the patient and
    ///   nobody is signed in; what keeps the keystore from being read.
    func patientID(at server: HTTPURL) async throws -> String {
        if try Setting.patient.value(subject.patient) != nil || delivery.noSignIn {
            return try subject.checkedPatient()
        }
        // Nobody knows whose authorization it is.
        if try self.server.fileAuthorizer(for: server) != nil { return try subject.checkedPatient() }
        let signedIn: Credential?
        do { signedIn = try await keystore.signIn(at: server, needsKeystore: delivery.api.isKeyOnly) } catch {
            try delivery.reportFile?.removeOld()
            throw error
        }
        if let signedIn { return try subject.checkedPatient(orSignedIn: signedIn.subject?.patient) }
        try delivery.reportFile?.removeOld()
        let fault =
            "\(server): nobody is signed in (expected a sign-in that names the patient): run 'pghd login --server "
            + "\(server.text) --client-id ID', or give --patient where the server wants no sign-in"
        say("pghd: \(Setting.named(in: fault))")
        if let missing = KeystoreOptions.missingSentence { say("pghd: \(Setting.named(in: missing))") }
        throw ExitStatus.signIn
    }

    /// The token of the sign-in to `server`, which must be for the patient or for nobody in particular.
    ///
    /// - Parameters:
    ///   - server: the FHIR base.
    ///   - client: sends requests.
    ///   - patientID: whose data it is.
    ///   - remedy: what to do about another patient's sign-in; `nil` for what helps a person who named the patient.
    ///   - isConfirmed: whether such a sign-in is accepted.
    /// - Returns: what adds the token; `nil` where nobody is signed in.
    /// - Throws: `ValidationError` where the sign-in was made for another patient.
    func authorizer(
        for server: HTTPURL,
        client: HTTPClient,
        patientID: String,
        remedy: String? = nil,
        isConfirmed: Bool = false
    ) async throws -> (any RequestAuthorizer)? {
        try await delivery.authorizer(self.server, keystore, for: server, client: client) { credential in
            guard let other = credential.subject?.patient, other != patientID, !isConfirmed else { return }
            // Without --patient all of it would be stored as the other's.
            let next = remedy ?? "sign in as \(patientID), with another --keystore if \(other)'s sign-in is to stay"
            throw ValidationError(
                "--patient \(patientID): the sign-in is for another patient, \(other) (expected the same): \(next)"
            )
        }
    }

    /// The options of the conversion, of an export that can be read; removes the report of an earlier run.
    ///
    /// - Throws: `ValidationError` for options that can't be used, what keeps the export from being read.
    func conversionOptions(patientID: String) throws -> ConversionOptions {
        let options = try checkedOptions(patientID: patientID)
        try delivery.reportFile?.removeOld()
        try checkExport()
        return options
    }

    /// The options of the conversion.
    ///
    /// - Throws: `ValidationError` for options that can't be used.
    func checkedOptions(patientID: String) throws -> ConversionOptions {
        try delivery.reportFile?.checkWritable()
        var mapping = MappingOptions(patientID: patientID)
        try writing.apply(to: &mapping)
        mapping.includesPatient = subject.includePatient
        // A server that knows Bundles by their keys chooses the ids of what is in them.
        if delivery.api.isKeyOnly {
            try subject.refusePatient(with: "--api observations")
            mapping.form = .conditionalCreate
        }
        if writing.conditional { try subject.refusePatient(with: "--conditional") }
        try selection.apply(to: &mapping, profilesFolder: try running.mapping.profilesFolder)
        var options = ConversionOptions(mapping: mapping)
        options.limits = writing.limits
        options.run = try running.runOptions
        return options
    }

    /// Checks before waiting for a server that an export can be read; not a pipe, which can be opened only once.
    private func checkExport() throws {
        let isPipe = export == "-" || FileKind(of: export) == .stream
        if !isPipe { _ = try ExportInput.open(inputPath, named: export) }
    }

    /// The conversion in the form that the server says it takes, and where its Bundles go.
    ///
    /// - Throws: `DeliveryError.incapable` where it takes none, what keeps it from answering.
    func conversion(
        _ options: ConversionOptions,
        for server: HTTPURL,
        client: HTTPClient,
        authorizer: (any RequestAuthorizer)?
    ) async throws -> (Conversion, DeliveryTarget) {
        let (delivery, talk) = (delivery, talk)
        // The server answers while work that does not need its answer is done.
        async let answer = delivery.capabilities(of: server, client: client, authorizer: authorizer, talk)
        var options = options
        var conversion = try Conversion(options)
        let patientID = options.mapping.patientID
        let folder = try delivery.ledger.folder
        let was = StoredLedgers.isConditional(at: server, patientID: patientID, in: folder) ?? false
        let capabilities = try await answer
        if capabilities.choosesIDs || was, options.mapping.form != .conditionalCreate {
            try subject.refusePatient(with: "a server that chooses ids")
            options.mapping.form = .conditionalCreate
            conversion = try Conversion(options)
            if !talk.quiet {
                let reason = was ? "has resources under ids of its own" : "chooses ids itself"
                say("pghd: \(server) \(reason): resources are created by identifier (--conditional)")
            }
        }
        try capabilities.check(server, isConditional: options.mapping.form == .conditionalCreate)
        let target = DeliveryTarget(
            server: server,
            client: client,
            authorizer: authorizer,
            capabilities: capabilities
        )
        return (conversion, target)
    }

    /// Reads back what the server has of an export.
    ///
    /// - Parameters:
    ///   - conversion: how it is converted.
    ///   - rebuilds: whether the ledger is made again from what is found.
    ///   - ownCount: how many resources an empty ledger is to be filled with; 0 for any other comparison.
    ///   - confirmsPatient: whether it is accepted that none of those is in the export.
    ///   - target: the server.
    ///   - patientID: whose data it is.
    /// - Returns: what was read, and what was found.
    /// - Throws: what stops it.
    func verification(
        _ conversion: Conversion,
        rebuilds: Bool,
        ownCount: Int = 0,
        confirmsPatient: Bool,
        at target: DeliveryTarget,
        patientID: String
    ) async throws -> (RunReport, VerificationReport) {
        // The file that the run sends, even if another one has its name by now.
        let (path, export, delivery, talk) = (inputPath, export, delivery, talk)
        return try await OwnThread.run {
            let input = try ExportInput.open(path, named: export)
            guard !rebuilds || input.kind != .electrocardiogram else {
                // The next export would never be compared with the rest.
                throw ValidationError(
                    "--rebuild: one electrocardiogram is not an export (expected the whole one, else the ledger would forget the "
                        + "rest): give that"
                )
            }
            var options = try delivery.options(server: target.server, patientID: patientID, talk)
            conversion.configure(&options)
            options.capabilities = target.capabilities
            options.confirmsPatient = confirmsPatient
            let run = try Verification(
                options,
                rebuilds: rebuilds,
                ownCount: ownCount,
                client: target.client,
                authorizer: target.authorizer
            )
            Program.forgetStart()
            let progress = ProgressLine(isQuiet: talk.quiet)
            defer { progress.clear() }
            let cancellation = Interruption.beginRun()
            let read = try conversion.run(input, into: run, cancellation: cancellation, progress: progress.show)
            return (read, run.report)
        }
    }
}
