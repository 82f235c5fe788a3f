internal import Delivery
internal import TransactionBundling

/// Hands Bundles to a verification instead of to a file.
final class VerificationOutput: BundleOutput {
    private let verification: Verification
    private(set) var byteCount: UInt64 = 0
    /// What has stopped the verification.
    private(set) var fault: (any Error)?

    init(_ verification: Verification) { self.verification = verification }

    func write(_ bytes: GroupBytes, key: String, type: String, count: Int) throws(ExportPipelineError) {
        byteCount += UInt64(bytes.byteCount)
        do { try verification.add(TransactionBundle(bytes, key: key)) } catch {
            if fault == nil { fault = error }
            throw .deliveryStopped
        }
    }

    func finish(exportDate: String?) throws(ExportPipelineError) {}
}
