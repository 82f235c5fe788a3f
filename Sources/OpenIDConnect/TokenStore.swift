/// Where sign-ins are kept between runs: one entry of bytes for each server, such as the entry
/// `https://fhir.example.org/r4`.
///
/// What an entry says is ``Credential``'s business; a store keeps bytes, encrypted. The names
/// are kept with them, never in file names.
///
/// Several processes share a store: ``update(_:_:)`` is the only way to change it, so that no
/// process replaces what it has not seen.
public protocol TokenStore: Sendable {
    /// The names of all entries, sorted.
    ///
    /// - Throws: the store's own error, where it can't be opened or read.
    func names() async throws -> [String]

    /// The entry as it stands in the store now; `nil` where there is none. Takes no lock.
    ///
    /// - Throws: the store's own error, where it can't be opened or read.
    func entry(_ name: String) async throws -> [UInt8]?

    /// Changes one entry while no other process changes any.
    ///
    /// In this order: takes the lock that all processes share, reads the store again, runs
    /// `body` with the entry as it stands, writes what `body` left there (`nil` removes the
    /// entry) so that it survives a power cut, and gives the lock back. Only then does the
    /// call return. Nothing is written where `body` left the entry as it was, or threw.
    ///
    /// `body` may wait for a few requests over the network; it must not call the store.
    ///
    /// - Returns: what `body` returned.
    /// - Throws: what `body` throws, or the store's own error.
    func update<Result: Sendable>(
        _ name: String,
        _ body: @Sendable (inout [UInt8]?) async throws -> Result
    ) async throws -> Result
}
