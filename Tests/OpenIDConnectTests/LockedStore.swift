import OpenIDConnect
import Synchronization

/// A store whose lock others hold first, and what they do until then.
final class LockedStore: TokenStore {
    private let entries: MemoryTokenStore
    private let others: @Sendable (_ number: Int) async throws -> Void
    private let count = Atomic(0)

    /// `others` gets the number of the update that waits, from 1.
    init(_ entries: MemoryTokenStore, others: @escaping @Sendable (_ number: Int) async throws -> Void) {
        self.entries = entries
        self.others = others
    }

    /// How many updates have waited for the lock, or do.
    var waitCount: Int { count.load(ordering: .relaxed) }

    func names() async -> [String] { await entries.names() }
    func entry(_ name: String) async -> [UInt8]? { await entries.entry(name) }

    func update<Result: Sendable>(
        _ name: String,
        isRemoval: Bool,
        _ body: @Sendable (inout [UInt8]?) async throws -> Result
    ) async throws -> Result {
        try await others(count.add(1, ordering: .relaxed).newValue)
        return try await entries.update(name, isRemoval: isRemoval, body)
    }
}
