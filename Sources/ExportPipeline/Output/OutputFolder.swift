internal import FileOutput
internal import Glibc

/// A folder that a run writes into, made together with its parents if necessary, for its owner alone.
///
/// If the run is broken off, the folders and noted files that it made are removed; what existed before stays. Only one
/// run uses the folder at a time, because each removes what the previous one left, and its own files if it fails.
final class OutputFolder {
    /// Its path, as it was given.
    let path: String
    /// Released last, once everything is removed.
    private let lock: FolderLock?
    /// The folders that had to be made, the outermost first.
    private let newFolders: [String]
    private var newFiles: [String] = []
    private var isKept = false

    /// Uses the folder at `path`, or makes it.
    init(_ path: String) throws(ExportPipelineError) {
        self.path = path
        var made = try Self.make(path)
        var lock = try Self.lock(path)
        if lock == nil {
            // Another run that failed meanwhile may have removed the folder that it had made.
            made += try Self.make(path)
            lock = try Self.lock(path)
        }
        (newFolders, self.lock) = (made, lock)
    }

    private static func lock(_ path: String) throws(ExportPipelineError) -> FolderLock? {
        do throws(FileFault) { return try FolderLock(folder: path, isShared: false) } catch {
            throw .outputBusy(path: path)
        }
    }

    deinit {
        if isKept { return }
        for file in newFiles { unsafe unlink(file) }
        // The system refuses while anything is in it, such as a part file that removes itself.
        for folder in newFolders.reversed() { unsafe rmdir(folder) }
    }

    /// Notes a file that is about to get its name, if it does not exist yet.
    func noteNewFile(_ file: String) {
        if unsafe access(file, F_OK) != 0 { newFiles.append(file) }
    }

    /// Gives several files their names, all or none.
    ///
    /// From the first name on, nothing that an earlier run wrote under these names is left: files of two people could
    /// be taken for those of one.
    ///
    /// - Parameters:
    ///   - files: fully written, but not completed; the manifest is the last.
    ///   - former: the other files of the earlier run; none is kept.
    /// - Throws: `ExportPipelineError` if a file can't be completed, which changes nothing, or can't get its name.
    func publish(_ files: [OutputFile], instead former: FormerOutput) throws(ExportPipelineError) {
        for file in files { try file.complete() }
        // While the former manifest exists, the next run finds what could not be removed.
        try former.remove(from: path)
        // The manifest first: it says that the folder is whole.
        for file in files.reversed() { try file.vacate() }
        for file in files {
            try file.publish()
            if let place = file.place { newFiles.append(place) }
        }
        keep()
    }

    /// Notes that the run succeeded.
    func keep() { isKept = true }

    /// Makes the folder if it does not exist, and its parents.
    ///
    /// - Returns: the folders that had to be made, the outermost first.
    private static func make(_ path: String) throws(ExportPipelineError) -> [String] {
        var status = stat()
        if unsafe stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else { throw .output(path: path, reason: "it is not a folder") }
            return []
        }
        var parent = path
        while parent.hasSuffix("/") { parent.removeLast() }
        var made: [String] = []
        if let slash = parent.lastIndex(of: "/"), slash != parent.startIndex {
            made = try make(String(parent[..<slash]))
        }
        if unsafe mkdir(path, 0o700) == 0 { return made + [path] }
        guard errno == EEXIST else {
            let code = errno
            for folder in made.reversed() { unsafe rmdir(folder) }
            throw .output(path: path, reason: FileFault.system(code).reason)
        }
        return made
    }
}
