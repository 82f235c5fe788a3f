public import Delivery
internal import FHIRR4
public import HTTPTransport
internal import HealthKitMapping

extension Conversion {
    /// The conversion in the form that a server takes, and `delivery` set up for it: the first step of each delivery.
    ///
    ///     var delivery = DeliveryOptions(server: base, patientID: "p1", ledgerFolder: "ledgers")
    ///     let options = ConversionOptions(mapping: MappingOptions(patientID: "p1"))
    ///     let conversion = try await Conversion.prepared(options, for: &delivery, client: client)
    ///
    /// Resources are created by identifier (`.conditionalCreate`) where the server says that it chooses ids, where it did so for what
    /// the ledger holds, and where `delivery.api` knows Bundles by their keys alone. Such a server is asked nothing.
    ///
    /// - Parameters:
    ///   - options: what is converted, and whose.
    ///   - delivery: gets `capabilities`, and all that ``configure(_:)`` says.
    ///   - client: asks the server for its `CapabilityStatement`.
    ///   - authorizer: adds the token where the server wants one for this too.
    /// - Returns: the conversion to run into a `Delivery` or a `Verification` with these options.
    /// - Throws: `DeliveryError.incapable` where the server takes no form, what keeps it from answering, or `ExportPipelineError`
    ///   for options that can't be used.
    public static func prepared(
        _ options: ConversionOptions,
        for delivery: inout DeliveryOptions,
        client: HTTPClient,
        authorizer: (any RequestAuthorizer)? = nil
    ) async throws -> Conversion {
        var options = options
        let isKeyOnly = delivery.api.isKeyOnly
        if !isKeyOnly {
            delivery.capabilities = try await ServerCapabilities.read(delivery, client: client, authorizer: authorizer)
        }
        let had = StoredLedgers.isConditional(
            at: delivery.server,
            patientID: delivery.patientID,
            in: delivery.ledgerFolder
        )
        if isKeyOnly || delivery.capabilities.choosesIDs || had == true { options.mapping.form = .conditionalCreate }
        try delivery.capabilities.check(delivery.server, isConditional: options.mapping.form == .conditionalCreate)
        let conversion = try Conversion(options)
        conversion.configure(&delivery)
        return conversion
    }
}
