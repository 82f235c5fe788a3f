/// Where sign-ins are kept between runs: one entry of bytes for each server, such as the entry
/// `https://fhir.example.org/r4`.
///
/// What an entry says is ``Credential``'s business; a store keeps bytes, encrypted. The names are kept with them, never
/// in file names.
///
/// Several processes share a store: ``update(_:isRemoval:_:)`` is the only way to change it, so that no process
/// replaces what it has not seen.
public protocol TokenStore: Sendable {
    /// The names of all entries, sorted.
    ///
    /// - Throws: the store's own error, where it can't be opened or read.
    func names() async throws -> [String]

    /// The entry as it is in the store now; `nil` where there is none. Takes no lock.
    ///
    /// - Throws: the store's own error, where it can't be opened or read.
    func entry(_ name: String) async throws -> [UInt8]?

    /// Changes one entry while no other process changes any.
    ///
    /// In this order: takes the lock that all processes share, reads the store again, runs `body` with the current
    /// entry, writes what `body` left there (`nil` removes the entry) so that it survives a power cut, and releases the
    /// lock. Only then does the call return. Nothing is written where `body` left the entry unchanged, or threw.
    ///
    /// `body` may wait for a few requests over the network; it must not call the store.
    ///
    /// - Parameters:
    ///   - name: the name of the entry.
    ///   - isRemoval: whether `body` only removes. Then it runs even where there is no room to write the store: what it
    ///     revokes at a server is revoked, and the store's error comes afterwards. Otherwise there is room for 64 KiB
    ///     more before it begins, since it may request what can't be had again.
    ///   - body: changes the entry.
    /// - Returns: what `body` returned.
    /// - Throws: what `body` throws, or the store's own error.
    func update<Result: Sendable>(
        _ name: String,
        isRemoval: Bool,
        _ body: @Sendable (inout [UInt8]?) async throws -> Result
    ) async throws -> Result
}

extension TokenStore {
    /// Changes one entry, with room for what is added: ``update(_:isRemoval:_:)``.
    public func update<Result: Sendable>(
        _ name: String,
        _ body: @Sendable (inout [UInt8]?) async throws -> Result
    ) async throws -> Result {
        try await update(name, isRemoval: false, body)
    }
}
