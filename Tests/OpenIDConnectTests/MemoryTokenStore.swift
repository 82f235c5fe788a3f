import OpenIDConnect

/// A store in memory that locks as a real one does: updates run one after the other, and reads don't wait.
actor MemoryTokenStore: TokenStore {
    private var entries: [String: [UInt8]]
    private var isLocked = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var writeFault: (any Error)?
    /// How many times an entry was written.
    private(set) var writeCount = 0

    init(_ entries: [String: [UInt8]] = [:], writeFault: (any Error)? = nil) {
        self.entries = entries
        self.writeFault = writeFault
    }

    func names() -> [String] { entries.keys.sorted() }
    func entry(_ name: String) -> [UInt8]? { entries[name] }

    /// Changes an entry without the lock.
    func overwrite(_ name: String, _ entry: [UInt8]?) { entries[name] = entry }

    func update<Result: Sendable>(
        _ name: String,
        isRemoval: Bool,
        _ body: @Sendable (inout [UInt8]?) async throws -> Result
    ) async throws -> Result {
        if isLocked { await withCheckedContinuation { waiting.append($0) } }
        isLocked = true
        defer {
            isLocked = false
            if !waiting.isEmpty {
                isLocked = true
                waiting.removeFirst().resume()
            }
        }
        var entry = entries[name]
        let result = try await body(&entry)
        if entry != entries[name] {
            if let writeFault { throw writeFault }
            entries[name] = entry
            writeCount += 1
        }
        return result
    }
}

/// The error of a store that can't write.
struct DiskFull: Error, Equatable {}
