internal import FoundationEssentials
public import HTTPTransport

/// A service's key is an entry of its own: it outlives sign-ins, and signing out does not destroy
/// what is registered with the server.
extension ClientKey {
    /// The name of a server's key; no server's name begins like this.
    static func entryName(of server: String) -> String { "key " + server }

    /// The key for `server`, if there is one.
    ///
    /// - Throws: ``OpenIDConnectError/unusableClientKey`` for an entry that is not a key, or the store's own error.
    init?(of server: String, in store: any TokenStore) async throws {
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
    ///   - replaces: whether it replaces one that is there.
    ///   - tell: called before it is kept, while no other process can keep one; if it throws, the key is not kept.
    /// - Returns: whether it is kept; if not, there is one already, and `tell` was not called.
    /// - Throws: what `tell` throws, or the store's own error.
    @discardableResult
    public func save(
        for server: HTTPURL,
        in store: any TokenStore,
        replaces: Bool = true,
        tell: @Sendable () throws -> Void = {}
    ) async throws -> Bool {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let bytes = Array(try encoder.encode(self))
        return try await store.update(Self.entryName(of: server.normalized.text)) { entry in
            guard replaces || entry == nil else { return false }
            try tell()
            entry = bytes
            return true
        }
    }
}
