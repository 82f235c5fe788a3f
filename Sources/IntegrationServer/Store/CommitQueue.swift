import Dispatch
import GRDB
import Synchronization

/// Writes to the database one after another on a thread of its own, and makes them durable together.
///
/// What waits while a commit is under way is committed at once by the next: one sync of the disk for many requests.
/// Each write is still atomic by itself, and is answered only after the commit that holds it.
final class CommitQueue: Sendable {
    private struct Job: Sendable {
        /// Runs in a savepoint; answers how to resume the caller after the commit, or after its failure.
        let run: @Sendable (Database) -> @Sendable ((any Error)?) -> Void
        /// Resumes the caller where nothing could be begun.
        let fail: @Sendable (any Error) -> Void
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

    /// Runs `body` in a transaction and answers its value once that is durable; an error leaves nothing behind.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            enqueue(
                Job(
                    run: { database in
                        let result = Result { try Self.inSavepoint(database, body) }
                        return { failure in continuation.resume(with: failure.map(Result.failure) ?? result) }
                    },
                    fail: { continuation.resume(throwing: $0) }
                )
            )
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
            var resumptions: [@Sendable ((any Error)?) -> Void] = []
            var failure: (any Error)?
            do {
                try database.write { database in resumptions = group.map { $0.run(database) } }
            } catch {
                failure = error
                // The transaction itself did not begin: no body has run.
                if resumptions.isEmpty { for job in group { job.fail(error) } }
            }
            for resume in resumptions { resume(failure) }
        }
    }
}
