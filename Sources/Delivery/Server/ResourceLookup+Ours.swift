internal import FHIRR4
internal import HTTPTransport

/// Finds what the server has of pghd's resources, whatever the ledger knows of them.
extension ResourceLookup {
    /// How many results are looked at to learn what a search brings.
    private static let maximumShownCount = 50

    /// The search for the patient's resources that carry one of pghd's identifiers.
    func searchOfOurs(_ type: ResourceType) -> String {
        "\(type.name)?identifier=\(ResourceID.identifierSystem)%7C&patient=\(options.patientID)"
    }

    private func searchOfAll(_ type: ResourceType) -> String { "\(type.name)?patient=\(options.patientID)" }

    /// How many of the patient's resources carry one of pghd's identifiers.
    ///
    /// - Parameters:
    ///   - type: their type.
    ///   - maximumFailureCount: after how many faults of its own the server counts as unable to say.
    /// - Returns: the number, and whether there may be more because the server gave a page instead of a total; `nil`
    ///   where it does not say.
    /// - Throws: as `find(_:_:)`.
    func countOurs(
        _ type: ResourceType,
        maximumFailureCount: Int = maximumFailureCount
    ) async throws -> (count: Int, mayBeMore: Bool)? {
        let path = "\(searchOfOurs(type))&_summary=count"
        var response = try await get(path, headers: [.strict], maximumFailureCount: maximumFailureCount)
        if HTTPStatus.isServerFault(response.status) {
            // The server can't do this search, or is in trouble: the run waits until it answers a read, which every
            // server can do.
            _ = try await get("Patient/\(options.patientID)")
            // A gateway that has lost its server says nothing about what the server can do.
            let isAway = RetryPolicy.isGatewayFault(response.status)
            response = try await get(path, headers: [.strict], maximumFailureCount: isAway ? .max : maximumFailureCount)
        }
        // A server that wants a sign-in, or takes no token of this one, gets nothing; an integration server may want one
        // for reads alone.
        if response.status == 401, !options.isKeyOnly {
            throw unreadable(response, type.name)
        }
        let some = "\(searchOfOurs(type))&_count=\(Self.maximumShownCount)"
        var page = response.status == 200 ? SearchPage(response.body) : nil
        let tellsNothing = page.map { $0.total == nil && $0.entries.isEmpty } ?? false
        if tellsNothing || [400, 405, 422, 501].contains(response.status) {
            // The server may be unable to count, and able to search.
            response = try await get(some, headers: [.strict], maximumFailureCount: maximumFailureCount)
            page = response.status == 200 ? SearchPage(response.body) : nil
        }
        guard let page else { return nil }
        poster.state.noteSearch()
        if page.total == nil, page.entries.isEmpty, page.next == nil { return (0, false) }
        // With more pages to come the total may be an estimate, as Google's is until the last page; the answer to a
        // count has no entries.
        if let total = page.total { return (total, page.next != nil && !page.entries.isEmpty) }
        let copies = page.resources.compactMap { ServerCopy($0, type: type) }
        let ours = copies.count { $0.ownID != nil }
        return ours > 0 ? (ours, true) : nil
    }

    /// How many of the first results of a search carry one of pghd's identifiers, and how many don't.
    ///
    /// - Parameters:
    ///   - type: their type.
    ///   - searchingOurs: whether the search is for pghd's resources alone or for all of the patient's. If a search for
    ///     pghd's brings others too, the server ignores the identifier or its system.
    /// - Returns: the two numbers; both 0 where the search fails.
    /// - Throws: as `find(_:_:)`.
    func showsOurs(_ type: ResourceType, searchingOurs: Bool) async throws -> (ours: Int, others: Int) {
        let search = searchingOurs ? searchOfOurs(type) : searchOfAll(type)
        let response = try await get(
            "\(search)&_count=\(Self.maximumShownCount)",
            headers: [.strict],
            maximumFailureCount: Self.maximumFailureCount
        )
        guard response.status == 200, let page = SearchPage(response.body) else { return (0, 0) }
        let copies = page.resources.compactMap { ServerCopy($0, type: type) }
        let ours = copies.count { $0.ownID != nil }
        return (ours, copies.count - ours)
    }
}
