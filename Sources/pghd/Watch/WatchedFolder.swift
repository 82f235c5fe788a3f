import Glibc
import HealthExport
import HealthKitMapping

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
}

/// A folder with a folder for each patient: `DIR/p123/export.zip`.
struct WatchedFolder {
    /// What keeps something from being taken for an export.
    enum Fault: Error, Equatable {
        /// The folder's name is no FHIR id.
        case noPatientID
        /// An export of this name lies beside the patients' folders.
        case noFolder(String)
        /// An export that was unpacked: nobody can tell whether it is whole.
        case unpacked
        /// The bytes of the name are no UTF-8: no command could be given it.
        case noText
        /// The system keeps a patient's folder or a file from being read, and why.
        case unreadable(reason: String)
    }

    let path: String

    /// All exports.
    ///
    /// Regular files that end in `.zip` or `.xml`; names that begin with a dot are a program's own, and
    /// folders that are no FHIR id are told to `reject`, as are names that no text can hold, exports that lie
    /// beside the folders, and what can't be read, which is asked anew each time.
    ///
    /// - Parameter reject: told a path and what is wrong with it.
    /// - Returns: the oldest first, so that the last one of a patient is the last that is sent.
    /// - Throws: `.unreadable` where the folder itself can't be read.
    func exports(reject: (String, Fault) -> Void) throws(Fault) -> [WatchedExport] {
        var exports: [WatchedExport] = []
        for name in try Self.names(in: path, reject: reject) {
            guard let status = Self.status(of: "\(path)/\(name)", reject: reject) else { continue }
            guard status.isFolder else {
                if Self.isExport(name) { reject("\(path)/\(name)", .noFolder(name)) }
                continue
            }
            guard MappingOptions.isPatientID(name) else {
                reject("\(path)/\(name)", .noPatientID)
                continue
            }
            do throws(Fault) {
                for file in try Self.names(in: "\(path)/\(name)", reject: reject) {
                    let path = "\(path)/\(name)/\(file)"
                    guard Self.isExport(file) else {
                        let isThere = unsafe access("\(path)/export.xml", F_OK) == 0
                        if isThere, Self.status(of: path, reject: reject)?.isFolder == true { reject(path, .unpacked) }
                        continue
                    }
                    guard let status = Self.status(of: path, reject: reject), !status.isFolder,
                        Self.mayBeRead(path, reject: reject)
                    else { continue }
                    exports.append(WatchedExport(patientID: name, path: path, stamp: status.stamp))
                }
            } catch {
                // It may be gone by now.
                if Self.status(of: "\(path)/\(name)", reject: reject) != nil { reject("\(path)/\(name)", error) }
            }
        }
        return exports.sorted {
            ($0.stamp.seconds, $0.stamp.nanoseconds, $0.path) < ($1.stamp.seconds, $1.stamp.nanoseconds, $1.path)
        }
    }

    /// Whether the file has its end: a zip its directory, XML its closing tag.
    ///
    /// A copy under way grows, and may pause for longer than anybody waits.
    ///
    /// - Throws: `.unreadable`.
    static func isWhole(_ path: String) throws(Fault) -> Bool {
        // What takes its place may be a pipe.
        let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard number >= 0 else {
            // It was removed, or a link took its place, since it was seen.
            if errno == ENOENT || errno == ELOOP { return false }
            throw .unreadable(errno)
        }
        defer { close(number) }
        var status = stat()
        guard unsafe fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        let size = Int(status.st_size)
        // A zip's end record and the longest comment behind it.
        var tail = [UInt8](repeating: 0, count: min(size, 22 + 65_535))
        let count = unsafe tail.withUnsafeMutableBytes { bytes in
            unsafe pread(number, bytes.baseAddress, bytes.count, size - bytes.count)
        }
        guard count >= 0 else { throw .unreadable(errno) }
        guard count == tail.count else { return false }
        if path.utf8.suffix(4).elementsEqual(".xml".utf8) || path.utf8.suffix(4).elementsEqual(".XML".utf8) {
            let end = tail.lastIndex { $0 > 0x20 } ?? -1
            return tail[..<(end + 1)].suffix(13).elementsEqual("</HealthData>".utf8)
        }
        var start = tail.count - 22
        while start >= 0 {
            let comment = Int(tail[start + 20]) | Int(tail[start + 21]) << 8
            if tail[start...].starts(with: [0x50, 0x4B, 5, 6]), start + 22 + comment == tail.count { return true }
            start -= 1
        }
        return false
    }

    /// Whether the file lies there as it was seen.
    static func isUnchanged(_ export: WatchedExport) -> Bool {
        guard let status = status(of: export.path, reject: { _, _ in }), !status.isFolder else { return false }
        return status.stamp == export.stamp
    }

    private static func isExport(_ name: String) -> Bool {
        [".zip", ".ZIP", ".xml", ".XML"].contains { name.hasSuffix($0) }
    }

    /// The names in a folder but those that begin with a dot, in order.
    ///
    /// - Throws: `.unreadable`.
    private static func names(in path: String, reject: (String, Fault) -> Void) throws(Fault) -> [String] {
        var names: [String] = []
        let all: [[UInt8]]
        do throws(FolderStream.Failure) { all = try FolderStream(path: path).names() } catch {
            throw .unreadable(error.systemError)
        }
        for bytes in all where bytes.first != UInt8(ascii: ".") {
            if let name = String(validating: bytes, as: UTF8.self) {
                names.append(name)
            } else {
                reject("\(path)/\(String(decoding: bytes, as: UTF8.self))", .noText)
            }
        }
        return names.sorted()
    }

    /// Whether the file may be opened.
    private static func mayBeRead(_ path: String, reject: (String, Fault) -> Void) -> Bool {
        guard unsafe access(path, R_OK) != 0 else { return true }
        if errno != ENOENT { reject(path, .unreadable(errno)) }
        return false
    }

    /// What lies at `path`, links not followed: `nil` where that is neither a file nor a folder.
    private static func status(
        of path: String,
        reject: (String, Fault) -> Void
    ) -> (isFolder: Bool, stamp: WatchedExport.Stamp)? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            if errno != ENOENT { reject(path, .unreadable(errno)) }
            return nil
        }
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFDIR || kind == S_IFREG else { return nil }
        let stamp = WatchedExport.Stamp(
            inode: UInt(status.st_ino),
            byteCount: Int(status.st_size),
            seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec
        )
        return (kind == S_IFDIR, stamp)
    }
}

extension WatchedFolder.Fault {
    /// What the system says.
    fileprivate static func unreadable(_ code: Int32) -> Self {
        .unreadable(reason: unsafe String(cString: strerror(code)))
    }
}
