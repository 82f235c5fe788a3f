internal import Delivery
internal import TransactionBundling

/// Hands Bundles to a verification instead of to a file.
final class VerificationOutput: BundleOutput {
    private let verification: Verification
    private(set) var byteCount: UInt64 = 0

    init(_ verification: Verification) { self.verification = verification }

    func write(_ bytes: GroupBytes, key: String, type: String, count: Int) throws {
        byteCount += UInt64(bytes.byteCount)
        try verification.add(TransactionBundle(bytes, key: key))
    }
}
