internal import Dispatch

/// Runs `body` on a thread outside Swift's cooperative pool, which is as wide as there are cores.
///
/// For what blocks: a key derivation, a disk, a person at a terminal. Cancelling the task does
/// not stop `body`: a write that has begun is finished.
func onOwnThread<Result: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Result
) async throws(Failure) -> Result {
    try await withCheckedContinuation { continuation in
        DispatchQueue(label: "keystore").async {
            do throws(Failure) {
                continuation.resume(returning: Swift.Result<Result, Failure>.success(try body()))
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
    }.get()
}
