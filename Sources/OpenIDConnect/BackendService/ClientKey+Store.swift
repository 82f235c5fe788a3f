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

    /// Keeps the key for `server`, in place of the one that was there.
    ///
    /// - Throws: the store's own error.
    public func save(for server: String, in store: any TokenStore) async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let entry = Array(try encoder.encode(self))
        try await store.update(Self.entryName(of: server)) { $0 = entry }
    }
}
