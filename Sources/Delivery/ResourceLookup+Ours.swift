internal import FHIRR4
internal import HTTPTransport

/// What the server has of ours, whatever the ledger knows of it.
extension ResourceLookup {
    /// How many are looked at to learn what a search brings.
    private static let maximumShownCount = 50

    /// What a search of the patient's resources that carry an identifier of ours is asked for.
    func searchOfOurs(_ type: ResourceType) -> String {
        "\(type.name)?identifier=\(ResourceID.identifierSystem)%7C&patient=\(options.patientID)"
    }

    private func searchOfAll(_ type: ResourceType) -> String { "\(type.name)?patient=\(options.patientID)" }

    /// How many of the patient's resources carry an identifier of ours.
    ///
    /// - Parameters:
    ///   - type: which ones.
    ///   - maximumFailureCount: after how many faults of the server's own it counts as one that does not tell.
    /// - Returns: the number, and whether there may be more, since the server gives a page instead of a number; `nil` where
    ///   it does not tell.
    /// - Throws: as `find(_:_:)`.
    func countOurs(
        _ type: ResourceType,
        maximumFailureCount: Int = maximumFailureCount
    ) async throws -> (count: Int, mayBeMore: Bool)? {
        let strict = HTTPHeader("Prefer", "handling=strict")
        let path = "\(searchOfOurs(type))&_summary=count"
        var response = try await get(path, headers: [strict], maximumFailureCount: maximumFailureCount)
        if RetryPolicy.isServerFault(response.status) {
            // It can't do this one, or is in trouble: then it is waited for until it does what every server does.
            _ = try await get("Patient/\(options.patientID)")
            // A gateway that has lost its server says nothing of what the server can do.
            let isAway = RetryPolicy.isGatewayFault(response.status)
            response = try await get(path, headers: [strict], maximumFailureCount: isAway ? .max : maximumFailureCount)
        }
        // Without a sign-in nothing is sent to a server that wants one; an integration server may want one for reads alone.
        if response.status == 401, poster.authorizer == nil, !options.isKeyOnly {
            throw unreadable(response, type.name)
        }
        let some = "\(searchOfOurs(type))&_count=\(Self.maximumShownCount)"
        var page = response.status == 200 ? SearchPage(response.body) : nil
        let tellsNothing = page.map { $0.total == nil && $0.entries.isEmpty } ?? false
        if tellsNothing || [400, 405, 422, 501].contains(response.status) {
            // It may not count, and search all the same.
            response = try await get(some, headers: [strict], maximumFailureCount: maximumFailureCount)
            page = response.status == 200 ? SearchPage(response.body) : nil
        }
        guard let page else { return nil }
        if page.total == nil, page.entries.isEmpty, page.next == nil { return (0, false) }
        // Of a list that goes on it may be an estimate, as Google's is until the last page; a count has no list.
        if let total = page.total { return (total, page.next != nil && !page.entries.isEmpty) }
        let copies = page.resources.compactMap { ServerCopy($0, type: type) }
        let ours = copies.count { $0.ownID != nil }
        return ours > 0 ? (ours, true) : nil
    }

    /// How many of what a search brings first carry an identifier of ours, and how many don't.
    ///
    /// - Parameters:
    ///   - type: which ones.
    ///   - searchingOurs: whether it is asked for ours alone, or for all of the patient's: what the server then brings beside
    ///     tells that it looks at no identifier, or at no system.
    /// - Returns: two numbers; none of either where it fails at it.
    /// - Throws: as `find(_:_:)`.
    func showsOurs(_ type: ResourceType, searchingOurs: Bool) async throws -> (ours: Int, others: Int) {
        let strict = HTTPHeader("Prefer", "handling=strict")
        let search = searchingOurs ? searchOfOurs(type) : searchOfAll(type)
        let response = try await get(
            "\(search)&_count=\(Self.maximumShownCount)",
            headers: [strict],
            maximumFailureCount: Self.maximumFailureCount
        )
        guard response.status == 200, let page = SearchPage(response.body) else { return (0, 0) }
        let copies = page.resources.compactMap { ServerCopy($0, type: type) }
        let ours = copies.count { $0.ownID != nil }
        return (ours, copies.count - ours)
    }
}
