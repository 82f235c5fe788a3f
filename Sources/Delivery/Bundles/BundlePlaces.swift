internal import FileOutput
internal import Glibc
internal import TransactionBundling

/// The files that Bundles are read from, in order: a single one, or those of a folder of `convert --split`.
struct BundlePlaces {
    /// What messages call them: the path that was given, `standard input` for `-`.
    let name: String
    /// In the order in which they are sent.
    let paths: [String]
    /// Whether they lie in a folder, where each holds one Bundle.
    let isFolder: Bool
    /// Keeps others from writing the folder while it is read; `nil` if there is none.
    private let lock: FolderLock?

    /// Finds the files at `path`; `-` is standard input.
    ///
    /// - Throws: ``DeliveryError/unreadableFolder(path:reason:)``; ``DeliveryError/unreadableInput(path:reason:)`` for a
    ///   manifest that can't be read; ``DeliveryError/inputBusy(path:)`` for a folder that a run is writing;
    ///   ``DeliveryError/folderInput(path:file:)``, ``DeliveryError/resourceFolderInput(path:)`` or
    ///   ``DeliveryError/foreignManifest(path:)`` for one that `--split` has not written.
    init(path: String) throws(DeliveryError) {
        name = path == "-" ? "standard input" : path
        var status = stat()
        guard path != "-", unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            paths = [path]
            isFolder = false
            lock = nil
            return
        }
        isFolder = true
        lock = try Self.lock(path)
        // A folder of `convert --format resources` has a manifest too.
        guard try Self.first(of: ["Observation.ndjson", "Observation.ndjson.gz"], in: path) == nil else {
            throw .resourceFolderInput(path: path)
        }
        guard try Self.first(of: ["manifest.json"], in: path) != nil else {
            throw .folderInput(path: path, file: try Self.first(of: ["bundles.ndjson", "bundles.ndjson.gz"], in: path))
        }
        paths = try Self.names(manifest: path + "/manifest.json").map { path + "/" + $0 }
    }

    /// Reads the lines of one of them.
    ///
    /// - Throws: ``DeliveryError/unreadableInput(path:reason:)``, ``DeliveryError/unreadableFolder(path:reason:)``.
    func lines(of path: String) throws(DeliveryError) -> LineReader {
        do throws(DeliveryError) {
            return try LineReader(path: path)
        } catch {
            guard isFolder, case .unreadableInput(_, let reason) = error else { throw error }
            throw .unreadableFolder(path: path, reason: reason)
        }
    }

    private static func lock(_ folder: String) throws(DeliveryError) -> FolderLock? {
        do throws(FileFault) {
            return try FolderLock(folder: folder, isShared: true)
        } catch {
            throw .inputBusy(path: folder)
        }
    }

    private static func first(of names: [String], in folder: String) throws(DeliveryError) -> String? {
        for name in names {
            if unsafe access(folder + "/" + name, F_OK) == 0 { return name }
            if errno == EACCES { throw .unreadableFolder(path: folder, reason: FileFault.system(EACCES).reason) }
        }
        return nil
    }

    /// The size of all files together, in bytes; `nil` if nobody knows.
    var totalByteCount: UInt64? {
        var total: UInt64 = 0
        for path in paths {
            var status = stat()
            guard unsafe stat(path, &status) == 0 else { return nil }
            total += UInt64(status.st_size)
        }
        return total
    }

    /// Whether a path leads to a file, which can be read more than once; `nil` if there is nothing.
    static func isRegular(_ path: String) -> Bool? {
        var status = stat()
        let isThere = unsafe (path == "-" ? fstat(STDIN_FILENO, &status) : stat(path, &status)) == 0
        return isThere ? status.st_mode & S_IFMT == S_IFREG : nil
    }

    /// What a manifest of `--split` names: files next to it, with names that `convert` gives.
    private static func names(manifest path: String) throws(DeliveryError) -> [String] {
        let bytes = try contents(of: path)
        var names: [String]?
        do throws(JSONFault) {
            var scanner = JSONScanner(bytes)
            try scanner.readMember("bundles") { (scanner) throws(JSONFault) in
                var found: [String] = []
                try scanner.readList { (scanner) throws(JSONFault) in found.append(try scanner.readString()) }
                names = found
            }
            guard scanner.isAtEnd() else { throw JSONFault(byte: scanner.position) }
        } catch {
            throw .foreignManifest(path: path)
        }
        guard let names, names.allSatisfy(isOurs) else { throw .foreignManifest(path: path) }
        return names
    }

    /// `KEY.json` or `KEY.json.gz`: nothing that leads out of the folder.
    private static func isOurs(_ name: String) -> Bool {
        let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 && ["json", "json.gz"].contains(parts[1]) && BundleKey.isKey(parts[0])
    }

    private static func contents(of path: String) throws(DeliveryError) -> [UInt8] {
        let input = try InputBytes(path: path)
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = try input.read(into: &room, at: 0) { false }
            guard count > 0 else { return bytes }
            bytes += room[..<count]
        }
    }
}
