internal import TransactionBundling

/// Hands Bundles to a closure instead of to a file.
final class ClosureOutput: BundleOutput {
    private let body: (TransactionBundle) throws -> Void
    private(set) var byteCount: UInt64 = 0

    init(_ body: @escaping (TransactionBundle) throws -> Void) { self.body = body }

    func write(_ bytes: GroupBytes, key: String, type: String, count: Int) throws {
        byteCount += UInt64(bytes.byteCount)
        try body(TransactionBundle(bytes, key: key))
    }

    func finish(exportDate: String?) throws {}
}
