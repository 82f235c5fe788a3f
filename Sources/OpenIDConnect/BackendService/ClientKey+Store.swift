internal import FoundationEssentials

/// A service's key is an entry of its own: it outlives sign-ins, and signing out does not destroy
/// what is registered with the server.
extension ClientKey {
    /// The name of a server's key; no server's name begins like this.
    static func entryName(of server: String) -> String { "key " + server }

    /// The key for `server`, if there is one.
    ///
    /// - Throws: ``OpenIDConnectError/unusableClientKey`` for an entry that is none, or the store's own error.
    public init?(of server: String, in store: any TokenStore) async throws {
        guard let entry = try await store.entry(Self.entryName(of: server)) else { return nil }
        guard let key = try? JSONDecoder().decode(ClientKey.self, from: Data(entry)) else {
            throw OpenIDConnectError.unusableClientKey
        }
        self = key
    }

    /// Keeps the key for `server`.
    ///
    /// - Parameters:
    ///   - server: the FHIR base.
    ///   - store: where it is kept.
    ///   - replaces: whether it takes the place of one that is there.
    ///   - tell: told before it is kept, while no other process can keep one; what it throws keeps it from being kept.
    /// - Returns: whether it is kept: else there is one, and nothing was told.
    /// - Throws: what `tell` throws, or the store's own error.
    @discardableResult
    public func save(
        for server: String,
        in store: any TokenStore,
        replaces: Bool = true,
        tell: @Sendable () throws -> Void = {}
    ) async throws -> Bool {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let bytes = Array(try encoder.encode(self))
        return try await store.update(Self.entryName(of: server)) { entry in
            guard replaces || entry == nil else { return false }
            try tell()
            entry = bytes
            return true
        }
    }
}
