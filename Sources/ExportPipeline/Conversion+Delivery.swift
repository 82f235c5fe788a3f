public import Delivery
internal import FHIRR4
public import HTTPTransport
internal import HealthKitMapping

extension Conversion {
    /// Makes the conversion in the form that a server takes and sets `delivery` up for it: the first step of each
    /// delivery.
    ///
    ///     var delivery = DeliveryOptions(server: base, patientID: "p1", ledgerFolder: "ledgers")
    ///     let options = ConversionOptions(mapping: MappingOptions(patientID: "p1"))
    ///     let conversion = try await Conversion.prepared(options, for: &delivery, client: client)
    ///
    /// Resources are created by identifier (`.conditionalCreate`) if the server says that it chooses ids, if it did so
    /// for what the ledger holds, or if `delivery.api` knows Bundles by their keys alone. A server of that last kind is
    /// not asked for anything.
    ///
    /// - Parameters:
    ///   - options: what is converted, and whose.
    ///   - delivery: gets what the server says about itself, and everything that ``configure(_:)`` sets.
    ///   - client: asks the server for its `CapabilityStatement`.
    ///   - authorizer: adds the token if the server wants one for this request too.
    /// - Returns: the conversion to run into a `Delivery` or a `Verification` with these options.
    /// - Throws: `DeliveryError.incapable` if the server takes neither form, `.interrupted` if the task was cancelled or
    ///   `delivery.isCancelled` says so, an error that kept the server from answering, or `ExportPipelineError` for
    ///   options that can't be used.
    public static func prepared(
        _ options: ConversionOptions,
        for delivery: inout DeliveryOptions,
        client: HTTPClient,
        authorizer: (any RequestAuthorizer)? = nil
    ) async throws -> Conversion {
        var options = options
        let isKeyOnly = delivery.api.isKeyOnly
        if !isKeyOnly {
            do {
                delivery.capabilities = try await .read(delivery, client: client, authorizer: authorizer)
            } catch {
                // The client, the authorizer and a wait between two tries have an error of their own for that.
                throw Task.isCancelled ? DeliveryError.interrupted : error
            }
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
