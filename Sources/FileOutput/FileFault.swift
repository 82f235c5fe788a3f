internal import Glibc

/// Why a file can't be written.
public enum FileFault: Error, Equatable {
    /// It exists already and must not be replaced.
    case exists
    /// The run was asked to end.
    case interrupted
    /// The system's `errno`.
    case system(Int32)

    /// The system's reason in words.
    public var reason: String {
        switch self {
        case .exists: Self.words(EEXIST)
        case .interrupted: Self.words(EINTR)
        case .system(let code): Self.words(code)
        }
    }

    private static func words(_ code: Int32) -> String {
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }
}
