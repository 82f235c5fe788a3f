import Glibc

/// An export that lies in a patient's folder.
struct WatchedExport: Hashable {
    /// What changes when a file is written to or replaced.
    struct Stamp: Hashable {
        var inode: UInt
        var byteCount: Int
        var seconds: Int
        var nanoseconds: Int
    }

    /// The folder's name: the patient's id on the server.
    var patientID: String
    /// The file's path.
    var path: String
    var stamp: Stamp

    /// Whether it was made before another one, as far as the times of files say.
    func isOlder(than other: WatchedExport) -> Bool {
        (stamp.seconds, stamp.nanoseconds, path) < (other.stamp.seconds, other.stamp.nanoseconds, other.path)
    }

    /// Whether `later` may be this one with more written to it: the same file, and not shorter.
    func mayGrow(to later: WatchedExport) -> Bool {
        stamp.inode == later.stamp.inode && stamp.byteCount <= later.stamp.byteCount
    }

    /// What distinguishes it from others.
    var pathBytes: [UInt8] { Array(path.utf8) }
}

extension WatchedExport.Stamp {
    init(_ status: stat) {
        self.init(
            inode: UInt(status.st_ino),
            byteCount: Int(status.st_size),
            seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec
        )
    }
}
