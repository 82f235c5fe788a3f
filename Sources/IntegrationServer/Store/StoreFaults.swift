import GRDB
import Synchronization

/// Tells the client and the person who runs the server what is wrong where something could not be done.
///
/// A line gives only the kind of fault, nothing of a resource or a request, and each kind once a minute at most.
final class StoreFaults: Sendable {
    private static let pause: Duration = .seconds(60)

    private let path: String
    private let say: @Sendable (String) -> Void
    private let said = Mutex<[Int32: ContinuousClock.Instant]>([:])

    /// - Parameters:
    ///   - path: the database's path, which the lines begin with.
    ///   - say: receives a line.
    init(path: String, say: @escaping @Sendable (String) -> Void) {
        self.path = path
        self.say = say
    }

    /// The refusal for `error`; an error of any other type is a fault of this server, or of what it stores on.
    func refusal(for error: any Error) -> Refusal {
        switch error {
        case let refusal as Refusal: return refusal
        case is CancellationError: return .stopping
        case let error as DatabaseError:
            tell(error)
            guard error.resultCode == .SQLITE_FULL else { break }
            return Refusal(507, .noStore, "there is no room for it on the disk: nothing was stored")
        default: break
        }
        return Refusal(500, .exception, "the server could not do this: nothing was stored")
    }

    private func tell(_ error: DatabaseError) {
        let (code, now) = (error.resultCode, ContinuousClock.now)
        let isNews = said.withLock { said in
            if let last = said[code.rawValue], now - last < Self.pause { return false }
            said[code.rawValue] = now
            return true
        }
        if isNews { say("\(path): \(Self.sentence(code))") }
    }

    /// What is wrong with a database, and what to do about it.
    static func sentence(_ code: ResultCode) -> String {
        switch code {
        case .SQLITE_FULL: "there is no room on the disk (expected some for what comes): make room"
        case .SQLITE_NOTADB:
            "this is not an SQLite database (expected the one of a former run): restore it, or choose another folder"
        case .SQLITE_CORRUPT:
            "the database is damaged (expected it as a former run left it): restore it, or choose another folder"
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            "another program holds its lock (expected this server alone): end that program"
        default: "SQLite says \(code) (expected a file that can be read and written): look after the disk"
        }
    }
}
