public import HTTPTransport

/// The sign-ins that a store keeps.
public enum StoredSignIns {
    /// All of them, by server; entries of other kinds are skipped.
    ///
    /// - Throws: ``OpenIDConnectError/unreadableEntry``, or the store's own error.
    package static func all(in store: any TokenStore) async throws -> [Credential] {
        var credentials: [Credential] = []
        for name in try await store.names() where name.hasPrefix("https://") || name.hasPrefix("http://") {
            if let entry = try await store.entry(name) { credentials.append(try Credential(entry: entry)) }
        }
        return credentials
    }

    /// The sign-in to `server`, even one that was signed out of.
    ///
    /// - Throws: ``OpenIDConnectError/unreadableEntry``, or the store's own error.
    public static func credential(of server: HTTPURL, in store: any TokenStore) async throws -> Credential? {
        try await store.entry(server.normalized.text).map { try Credential(entry: $0) }
    }

    /// Whether anything is kept for `server`: a sign-in, even one that was signed out of, or a service's key.
    ///
    /// - Throws: the store's own error.
    package static func isKnown(_ server: String, in store: any TokenStore) async throws -> Bool {
        try await store.names().contains { $0 == server || $0 == ClientKey.entryName(of: server) }
    }
}
