import FHIRR4
import FileOutput
import Glibc
import HealthExport
import HealthKitMapping

/// A folder with a folder for each patient: `DIR/p123/export.zip`.
struct WatchedFolder {
    /// What keeps something from being taken for an export.
    enum Fault: Error, Hashable {
        /// The name of a folder with an export in it is no FHIR id.
        case noPatientID
        /// An export of this name lies beside the patients' folders.
        case noFolder(String)
        /// An export that was unpacked: nobody can tell whether it is whole.
        case unpacked
        /// An export lies in a folder within a patient's.
        case tooDeep
        /// A link where an export or a patient's folder would be.
        case link
        /// The bytes of the name are no UTF-8: no command could be given it; whether it is that of an export or a folder.
        case noText(holdsExport: Bool)
        /// The system keeps a patient's folder or a file from being read, and why.
        case unreadable(reason: String)
        /// What was there is not, as a disk that is mounted anew.
        case away(reason: String)
        /// The folder has no name in it, as one that something is to be mounted on.
        case empty
    }

    let path: String

    /// All exports.
    ///
    /// Regular files that end in `.zip` or `.xml`; names that begin with a dot are a program's own. Told to `reject` are
    /// exports that are not taken for where they lie or what they are, names that no text can hold, and what can't be read,
    /// which is asked anew each time.
    ///
    /// - Parameter reject: told a path and what is wrong with it.
    /// - Returns: the oldest first, so that the last one of a patient is the last that is sent.
    /// - Throws: `.unreadable` where the folder itself can't be read, `.empty`.
    func exports(reject: (String, Fault) -> Void) throws(Fault) -> [WatchedExport] {
        var exports: [WatchedExport] = []
        var hasOther = false
        let names = try Self.names(in: path) { path, fault in
            hasOther = true
            reject(path, fault)
        }
        guard !names.isEmpty || hasOther else { throw .empty }
        for name in names {
            let path = "\(path)/\(name)"
            switch Self.status(of: path, reject: reject) {
            case .folder where LogicalID.isValid(name):
                do throws(Fault) {
                    exports += try Self.exports(of: name, in: path, reject: reject)
                } catch {
                    // It may be gone by now.
                    if Self.status(of: path, reject: reject) != nil { reject(path, error) }
                }
            // Others are a system's own, such as lost+found.
            case .folder: if Self.holdsSomewhere(path) { reject(path, .noPatientID) }
            case .file: if Self.isExport(name) { reject(path, .noFolder(name)) }
            case .link:
                if Self.isExport(name) || Self.target(of: path)?.isFolder == true {
                    reject(path, .link)
                } else if Self.target(of: path) == nil, LogicalID.isValid(name) {
                    // A patient's folder that is away, as a disk that is not mounted; or nothing of the kind.
                    reject(path, .unreadable(ENOENT))
                }
            case nil: break
            }
        }
        return exports.sorted {
            ($0.stamp.seconds, $0.stamp.nanoseconds, $0.path) < ($1.stamp.seconds, $1.stamp.nanoseconds, $1.path)
        }
    }

    /// Those of one patient.
    private static func exports(
        of patientID: String,
        in folder: String,
        reject: (String, Fault) -> Void
    ) throws(Fault) -> [WatchedExport] {
        var exports: [WatchedExport] = []
        var links: [String] = []
        for name in try names(in: folder, reject: reject) {
            let path = "\(folder)/\(name)"
            switch status(of: path, reject: reject) {
            case .file(let stamp) where isExport(name) && mayBeRead(path, reject: reject):
                exports.append(WatchedExport(patientID: patientID, path: path, stamp: stamp))
            case .folder where holds(path, isZip): reject(path, .tooDeep)
            case .folder where holds(path, isExport) || holdsUnpacked(path): reject(path, .unpacked)
            case .link where isExport(name): links.append(path)
            case .file, .folder, .link, nil: break
            }
        }
        // One to what lies beside it, as `latest.zip` may be, hides nothing.
        for link in links where !exports.contains(where: { $0.stamp.inode == target(of: link)?.inode }) {
            reject(link, .link)
        }
        return exports
    }

    /// When something was last done to the file, which nobody can set; `nil` where it is none any more.
    static func lastChange(of export: WatchedExport) -> [Int]? {
        var status = stat()
        guard unsafe lstat(export.path, &status) == 0 else { return nil }
        return [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
    }

    private static func isExport(_ name: String) -> Bool { isZip(name) || hasSuffix(name.utf8, ".xml") }

    static func isZip(_ name: String) -> Bool { hasSuffix(name.utf8, ".zip") }

    /// Whether a name ends so, in whatever case.
    private static func hasSuffix(_ name: some BidirectionalCollection<UInt8>, _ suffix: StaticString) -> Bool {
        let ending = name.suffix(suffix.utf8CodeUnitCount).map { $0 &- 65 < 26 ? $0 | 0x20 : $0 }
        return "\(suffix)".utf8.elementsEqual(ending)
    }

    /// Whether a folder, or one in it, holds an export.
    private static func holdsSomewhere(_ folder: String) -> Bool {
        let names = try? names(in: folder) { _, _ in }
        return names?.contains { isExport($0) || holds("\(folder)/\($0)", isExport) } ?? false
    }

    /// Whether a folder holds what a zip was unpacked to, in the folder that it brings.
    private static func holdsUnpacked(_ folder: String) -> Bool {
        let inner = "\(folder)/apple_health_export"
        return status(of: inner, reject: { _, _ in }) == .folder && holds(inner) { hasSuffix($0.utf8, ".xml") }
    }

    /// Whether a folder has a file of such a name; not one that can't be read.
    private static func holds(_ folder: String, _ isWanted: (String) -> Bool) -> Bool {
        let names = try? names(in: folder) { _, _ in }
        return names?.contains(where: isWanted) ?? false
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
                let isExport = hasSuffix(bytes, ".zip") || hasSuffix(bytes, ".xml") || isFolder(bytes, in: path)
                reject("\(path)/\(String(decoding: bytes, as: UTF8.self))", .noText(holdsExport: isExport))
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

    /// What lies at a path.
    private enum Found: Equatable {
        case file(WatchedExport.Stamp)
        case folder
        case link
    }

    /// What lies at `path`, links not followed: `nil` where that is nothing, or a pipe, say.
    private static func status(of path: String, reject: (String, Fault) -> Void) -> Found? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            if errno != ENOENT { reject(path, .unreadable(errno)) }
            return nil
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .folder
        case S_IFLNK: return .link
        case S_IFREG:
            return .file(WatchedExport.Stamp(status))
        default: return nil
        }
    }

    /// What a link leads to; `nil` where that is nothing.
    private static func target(of link: String) -> (isFolder: Bool, inode: UInt)? {
        var status = stat()
        guard unsafe stat(link, &status) == 0 else { return nil }
        return (status.st_mode & S_IFMT == S_IFDIR, UInt(status.st_ino))
    }

    /// Whether that is a folder whose name no text can hold.
    private static func isFolder(_ name: [UInt8], in folder: String) -> Bool {
        var status = stat()
        let path = (Array(folder.utf8) + [UInt8(ascii: "/")] + name + [0]).map { CChar(bitPattern: $0) }
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

extension WatchedFolder.Fault {
    /// What the system says.
    static func unreadable(_ code: Int32) -> Self {
        let reason = FileFault.system(code).reason
        return [ENOENT, ENOTCONN, ESTALE, EIO].contains(code) ? .away(reason: reason) : .unreadable(reason: reason)
    }
}
