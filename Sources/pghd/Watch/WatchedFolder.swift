import FHIRR4
import FileOutput
import Glibc
import HealthExport
import HealthKitMapping

/// A folder with a folder for each patient: `DIR/p123/export.zip`.
struct WatchedFolder {
    /// What keeps something from being taken as an export.
    enum Fault: Error, Hashable {
        /// The name of a folder with an export in it is not a FHIR id.
        case noPatientID
        /// An export of this name lies next to the patients' folders.
        case noFolder(String)
        /// An export that was unpacked: nobody can tell whether it is whole.
        case unpacked
        /// An export lies in a folder within a patient's.
        case tooDeep
        /// A link where an export or a patient's folder should be.
        case link
        /// The name is not UTF-8, so no command can be given it; `holdsExport`: it is that of an export or a folder.
        case noText(holdsExport: Bool)
        /// The system does not let a patient's folder or a file be read, and why.
        case unreadable(reason: String)
        /// What was there is missing, such as a disk that is being mounted again.
        case away(reason: String)
        /// The folder is empty, such as one that something is to be mounted on.
        case empty
    }

    let path: String

    /// All exports.
    ///
    /// They are regular files that end in `.zip` or `.xml`; names that begin with a dot are a program's own. `reject`
    /// is told of exports that are not taken because of where they lie or what they are, of names that are not UTF-8,
    /// and of what can't be read, which is tried again each time.
    ///
    /// - Parameter reject: given a path and what is wrong with it.
    /// - Returns: the oldest first, so that a patient's newest is sent last.
    /// - Throws: `.unreadable` where the folder itself can't be read, `.away` where it is exchanged meanwhile, `.empty`.
    func exports(reject: (String, Fault) -> Void) throws(Fault) -> [WatchedExport] {
        let identity = identity
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
                    // It may have been removed by now.
                    if Self.status(of: path, reject: reject) != nil { reject(path, error) }
                }
            // Other folders are the system's own, such as lost+found.
            case .folder: if Self.holdsSomewhere(path) { reject(path, .noPatientID) }
            case .file: if Self.isExport(name) { reject(path, .noFolder(name)) }
            case .link:
                if Self.isExport(name) || Self.target(of: path)?.isFolder == true {
                    reject(path, .link)
                } else if Self.target(of: path) == nil, LogicalID.isValid(name) {
                    // A patient's folder that is away, such as on a disk that is not mounted; or nothing of the kind.
                    reject(path, .unreadable(ENOENT))
                }
            case nil: break
            }
        }
        // What was there before a mount, for example, would seem to be gone, and new again after the next one.
        guard self.identity == identity else { throw .unreadable(ESTALE) }
        return exports.sorted { $0.isOlder(than: $1) }
    }

    /// Which folder lies at the path; empty where there is none.
    private var identity: [UInt] {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? [UInt(status.st_dev), UInt(status.st_ino)] : []
    }

    /// The exports of one patient.
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
        // A link to an export next to it, as `latest.zip` may be, hides nothing.
        for link in links where !exports.contains(where: { $0.stamp.inode == target(of: link)?.inode }) {
            reject(link, .link)
        }
        return exports
    }

    /// When the file was last changed in any way, which nobody can set; `nil` where there is none any more.
    static func lastChange(of export: WatchedExport) -> [Int]? {
        var status = stat()
        guard unsafe lstat(export.path, &status) == 0 else { return nil }
        return [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
    }

    private static func isExport(_ name: String) -> Bool { isZip(name) || hasSuffix(name.utf8, ".xml") }

    static func isZip(_ name: String) -> Bool { hasSuffix(name.utf8, ".zip") }

    /// Whether a name ends in `suffix`, in upper or lower case.
    private static func hasSuffix(_ name: some BidirectionalCollection<UInt8>, _ suffix: StaticString) -> Bool {
        let ending = name.suffix(suffix.utf8CodeUnitCount).map { $0 &- 65 < 26 ? $0 | 0x20 : $0 }
        return "\(suffix)".utf8.elementsEqual(ending)
    }

    /// Whether a folder, or one in it, holds an export.
    private static func holdsSomewhere(_ folder: String) -> Bool {
        let names = try? names(in: folder) { _, _ in }
        return names?.contains { isExport($0) || holds("\(folder)/\($0)", isExport) } ?? false
    }

    /// Whether a folder holds an unpacked zip, in the folder that the zip brings.
    private static func holdsUnpacked(_ folder: String) -> Bool {
        let inner = "\(folder)/apple_health_export"
        return status(of: inner, reject: { _, _ in }) == .folder && holds(inner) { hasSuffix($0.utf8, ".xml") }
    }

    /// Whether a folder holds such a name; `false` where it can't be read.
    private static func holds(_ folder: String, _ isWanted: (String) -> Bool) -> Bool {
        let names = try? names(in: folder) { _, _ in }
        return names?.contains(where: isWanted) ?? false
    }

    /// The names in a folder, sorted, without those that begin with a dot.
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

    /// What lies at `path`, without following links: `nil` where that is nothing, or a pipe, for example.
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

    /// Whether a name that is not UTF-8 is that of a folder.
    private static func isFolder(_ name: [UInt8], in folder: String) -> Bool {
        var status = stat()
        let path = (Array(folder.utf8) + [UInt8(ascii: "/")] + name + [0]).map { CChar(truncatingIfNeeded: $0) }
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

extension WatchedFolder.Fault {
    /// The fault for an error code of the system's.
    static func unreadable(_ code: Int32) -> Self {
        let reason = FileFault.system(code).reason
        return [ENOENT, ENOTCONN, ESTALE, EIO].contains(code) ? .away(reason: reason) : .unreadable(reason: reason)
    }
}
