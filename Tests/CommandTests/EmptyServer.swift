import TestSupport

/// A FHIR server that has no resources.
enum EmptyServer {
    private static let capabilities = """
        {"resourceType":"CapabilityStatement","status":"active","date":"2024-01-01","kind":"instance",\
        "fhirVersion":"4.0.1","format":["json"],"rest":[{"mode":"server"}]}
        """
    private static let nothing = "{\"resourceType\":\"Bundle\",\"type\":\"searchset\",\"total\":0}"

    private static let absence = """
        {"resourceType":"OperationOutcome","issue":[{"severity":"error","code":"not-found"}]}
        """

    /// Starts the server.
    static func start() throws -> ScriptedServer {
        try ScriptedServer { request in
            if request.path.contains("/Patient/") { return .response(404, body: absence) }
            return .response(200, body: request.path.hasSuffix("/metadata") ? capabilities : nothing)
        }
    }
}
