import Delivery
import HTTPTransport

/// A server that a run delivers to, and what access to it needs.
struct DeliveryTarget: Sendable {
    /// The FHIR base, or that of the integration server.
    let server: HTTPURL
    /// Sends requests.
    let client: HTTPClient
    /// Adds the token; `nil` where nobody is signed in.
    let authorizer: (any RequestAuthorizer)?
    /// What it says about itself.
    let capabilities: ServerCapabilities
    /// Encrypts Bundles whose outcome at a key-only server is open; `nil` for any other server, and where nothing is
    /// sent.
    var bodyKey: [UInt8]?
}

extension DeliveryCommandOptions {
    /// The options of a delivery to `target`.
    ///
    /// - Throws: what keeps the ledger's folder from being named.
    func options(
        for target: DeliveryTarget,
        patientID: String,
        isDryRun: Bool,
        _ talk: TalkOptions
    ) throws -> DeliveryOptions {
        var options = try options(server: target.server, patientID: patientID, talk)
        options.bodyKey = target.bodyKey
        if gzipBodies { options.packsBodies = true }
        options.capabilities = target.capabilities
        options.isDryRun = isDryRun
        return options
    }
}
