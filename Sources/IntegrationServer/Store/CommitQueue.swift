import Dispatch
import GRDB
import Synchronization

/// Writes to the database one after another on a thread of its own, and makes the writes durable together.
///
/// Writes that wait while a commit is under way are all committed by the next one: one sync of the disk for many
/// requests. Each write is still atomic by itself, and is answered only after the commit that includes it.
final class CommitQueue: Sendable {
    private struct Job: Sendable {
        /// Runs in a savepoint.
        let run: @Sendable (Database) -> Ran
        /// Resumes the caller where no transaction could be begun.
        let fail: @Sendable (any Error) -> Void
    }

    /// The outcome of a job.
    private struct Ran: Sendable {
        let fault: (any Error)?
        /// Resumes the caller after the commit or its failure; a fault of the job's own takes precedence.
        let resume: @Sendable ((any Error)?) -> Void
    }

    private struct Waiting {
        var jobs: [Job] = []
        var isDraining = false
    }

    private static let maximumGroup = 64

    private let database: any DatabaseWriter
    private let thread = DispatchQueue(label: "pghd.integration-server.commits")
    private let waiting = Mutex(Waiting())

    init(_ database: any DatabaseWriter) {
        self.database = database
    }

    /// Whether the caller of a write has stopped waiting for it.
    private final class Withdrawal: Sendable {
        let isDone = Atomic(false)
    }

    /// Runs `body` in a transaction and returns its value once that is durable; an error leaves nothing behind.
    ///
    /// - Throws: `CancellationError` where the task is cancelled before its turn; what has begun is completed.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        let withdrawal = Withdrawal()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enqueue(
                    Job(
                        run: { database in
                            do {
                                guard !withdrawal.isDone.load(ordering: .relaxed) else { throw CancellationError() }
                                let value = try Self.inSavepoint(database, body)
                                return Ran(fault: nil) { failure in
                                    continuation.resume(with: failure.map(Result.failure) ?? .success(value))
                                }
                            } catch {
                                return Ran(fault: error) { _ in continuation.resume(throwing: error) }
                            }
                        },
                        fail: { continuation.resume(throwing: $0) }
                    )
                )
            }
        } onCancel: {
            withdrawal.isDone.store(true, ordering: .relaxed)
        }
    }

    private static func inSavepoint<Value>(_ database: Database, _ body: (Database) throws -> Value) throws -> Value {
        var value: Value?
        try database.inSavepoint {
            value = try body(database)
            return .commit
        }
        guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
        return value
    }

    private func enqueue(_ job: Job) {
        let starts = waiting.withLock { waiting in
            waiting.jobs.append(job)
            defer { waiting.isDraining = true }
            return !waiting.isDraining
        }
        if starts { thread.async { self.drain() } }
    }

    private func drain() {
        while true {
            let group = waiting.withLock { waiting -> [Job] in
                let group = Array(waiting.jobs.prefix(Self.maximumGroup))
                waiting.jobs.removeFirst(group.count)
                if group.isEmpty { waiting.isDraining = false }
                return group
            }
            if group.isEmpty { return }
            var runs: [Ran] = []
            var failure: (any Error)?
            do {
                try database.write { database in runs = group.map { $0.run(database) } }
            } catch {
                // A full disk ends the whole transaction, whichever job meets it: the others are told the same.
                failure = runs.lazy.compactMap(\.fault).first { $0 is DatabaseError } ?? error
                // The transaction itself did not begin: no body has run.
                if runs.isEmpty { for job in group { job.fail(error) } }
            }
            for run in runs { run.resume(failure) }
        }
    }
}
