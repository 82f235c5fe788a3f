internal import HTTPTransport

extension Poster {
    /// Finds out whether the server says that a resource does not exist.
    ///
    /// A FHIR server says it with an OperationOutcome. A bare 404 may come from a gateway in front of the server or in
    /// its place: then only a search that finds nothing counts.
    ///
    /// - Parameters:
    ///   - response: the answer to a read.
    ///   - name: the resource that was read, such as `Patient/p1`.
    /// - Returns: whether it says so.
    /// - Throws: ``DeliveryError/unreachable(fault:seconds:)``, or the authorizer's error.
    func tellsAbsence(_ response: HTTPResponse, of name: String) async throws -> Bool {
        if response.status == 410 { return true }
        guard response.status == 404 else { return false }
        if !OutcomeIssue.read(response.body).isEmpty { return true }
        let parts = name.split(separator: "/")
        guard parts.count == 2 else { return false }
        let url = try HTTPURL("\(options.server.text)/\(parts[0])?_id=\(parts[1])")
        let found = try await send(
            .reading(url, headers: [.strict]),
            maximumFailureCount: ResourceLookup.maximumFailureCount
        )
        guard found.status == 200, let page = SearchPage(found.body) else { return false }
        return page.isOfNothing
    }
}
