import FileOutput
import Glibc
import HealthExport

/// Which file a path leads to, whether it exists or not: two different paths may lead to the same one.
struct FileIdentity: Equatable {
    private let device: UInt64
    private let inode: UInt64
    /// The names below that folder that do not exist yet.
    private let missing: [String]

    /// Follows a path.
    ///
    /// - Returns: `nil` where it leads to something with nothing to lose: a device, a pipe, a folder.
    init?(_ path: String) {
        var place = (try? PartFile.place(of: path)) ?? path
        var missing: [String] = []
        var status = stat()
        while unsafe stat(place.isEmpty ? "." : place, &status) != 0 {
            while place.count > 1, place.hasSuffix("/") { place.removeLast() }
            guard !["", ".", "/"].contains(place) else { return nil }
            let start = place.lastIndex(of: "/").map { place.index(after: $0) } ?? place.startIndex
            missing.insert(String(place[start...]), at: 0)
            place.removeSubrange(start...)
        }
        guard !missing.isEmpty || status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.init(status, missing: missing.filter { $0 != "." })
    }

    /// What an export, a file of Bundles, or `-` is read from.
    ///
    /// - Returns: for a folder its main XML; `nil` where it is not a file.
    init?(ofInput path: String) {
        var status = stat()
        if path == "-" {
            guard unsafe fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            self.init(status)
        } else if FileKind(of: path) == .folder {
            guard let file = (try? ExportInput(path: path))?.mainFile else { return nil }
            self.init(device: file.device, inode: file.inode)
        } else {
            self.init(path)
        }
    }

    /// Whether a path, such as /dev/stdout, leads to where standard output goes, unless nobody reads that.
    static func isStandardOutput(_ path: String) -> Bool {
        var output = stat()
        var named = stat()
        guard unsafe fstat(STDOUT_FILENO, &output) == 0, unsafe stat(path, &named) == 0 else { return false }
        let isDevice = output.st_mode & S_IFMT == S_IFCHR
        guard !isDevice || isatty(STDOUT_FILENO) == 1 else { return false }
        return (output.st_dev, output.st_ino) == (named.st_dev, named.st_ino)
    }

    private init(_ status: stat, missing: [String] = []) {
        self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino), missing: missing)
    }

    private init(device: UInt64, inode: UInt64, missing: [String] = []) {
        self.device = device
        self.inode = inode
        self.missing = missing
    }
}
