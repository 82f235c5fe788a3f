import Delivery
import ExportPipeline
import FHIRR4
import HTTPTransport
import HealthKitMapping

/// A command that converts an export for a server: the same options give the same ids and bytes in each.
protocol ExportDelivery {
    var subject: SubjectOptions { get }
    var keystore: KeystoreOptions { get }
    var delivery: DeliveryCommandOptions { get }
    var selection: SelectionOptions { get }
    var writing: WritingOptions { get }
    var running: RunningOptions { get }
}

extension ExportDelivery {
    /// The patient that was given, else the one that the sign-in to `server` was made for: SMART's launch context.
    ///
    /// - Throws: as `SubjectOptions.checkedPatient`, what keeps the keystore from being read.
    func patientID(at server: HTTPURL) async throws -> String {
        if try Setting.patient.value(subject.patient) != nil { return try subject.checkedPatient() }
        return try subject.checkedPatient(orSignedIn: await keystore.patient(at: server))
    }

    /// What the conversion is asked to do.
    ///
    /// - Throws: `ValidationError` for options that can't be used.
    func conversionOptions(patientID: String) throws -> ConversionOptions {
        var mapping = MappingOptions(patientID: patientID)
        try writing.apply(to: &mapping)
        mapping.includesPatient = subject.includePatient
        // A server that knows Bundles by their keys chooses the ids of what is in them.
        if delivery.interface == .observations { mapping.form = .conditionalCreate }
        try selection.apply(to: &mapping, profilesDirectory: try running.profilesFolder)
        var options = ConversionOptions(mapping: mapping)
        options.limits = writing.limits
        options.threads = running.threadCount
        options.chunkByteCount = running.chunkBytes
        options.scansCanonicalRecords = running.parser == .fast
        options.profilesDirectory = try running.profilesFolder
        return options
    }

    /// The conversion in the form that the server takes, as it says itself.
    ///
    /// - Throws: `DeliveryError.incapable` where it takes none, what keeps it from answering.
    func conversion(
        _ options: ConversionOptions,
        for server: HTTPURL,
        client: HTTPClient,
        authorizer: (any RequestAuthorizer)?,
        _ talk: TalkOptions
    ) async throws -> Conversion {
        var options = options
        let capabilities = try await delivery.capabilities(of: server, client: client, authorizer: authorizer)
        if capabilities.choosesIDs, options.mapping.form != .conditionalCreate {
            options.mapping.form = .conditionalCreate
            if !talk.quiet {
                say("pghd: \(server) chooses ids itself: resources are created by identifier (--conditional)")
            }
        }
        try capabilities.check(server, isConditional: options.mapping.form == .conditionalCreate)
        return try Conversion(options)
    }
}
