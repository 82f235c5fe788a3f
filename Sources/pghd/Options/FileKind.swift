import Glibc

/// What a path leads to.
enum FileKind {
    case file, folder
    /// Something that can be read only once: a pipe, a terminal or a socket.
    case stream

    /// - Returns: `nil` where nothing is there.
    init?(of path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: self = .file
        case S_IFDIR: self = .folder
        default: self = .stream
        }
    }
}
