internal import FileOutput
internal import Glibc

/// A folder that a run writes into, made with those above it, for its owner alone.
///
/// What the run made new is removed if the run is broken off: folders, and files that
/// were noted as new. What was there before stays as it was. One run has it at a time: each removes what the one before
/// has left, and what it made itself where it fails.
final class OutputFolder {
    /// Where it is, without a slash at the end.
    let path: String
    /// Goes last, once all is removed that is to be.
    private let lock: FolderLock?
    /// Those that had to be made, the outermost first.
    private let newFolders: [String]
    private var newFiles: [String] = []
    private var isKept = false

    /// Uses the folder at `path`, or makes it.
    init(_ path: String) throws(ExportPipelineError) {
        self.path = path
        var made = try Self.make(path)
        var lock = try Self.lock(path)
        if lock == nil {
            // One that failed meanwhile has removed the folder that it had made.
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
        // Refused by the system while anything is in it, such as a part file that removes itself.
        for folder in newFolders.reversed() { unsafe rmdir(folder) }
    }

    /// Notes a file that is about to take its name, if it is not there yet.
    func noteNewFile(_ file: String) {
        if unsafe access(file, F_OK) != 0 { newFiles.append(file) }
    }

    /// Gives several files their names, all or none.
    ///
    /// Nothing that an earlier run wrote at these names is left from the first of them on: files of two people would be
    /// taken for those of one.
    ///
    /// - Parameters:
    ///   - files: what is written to their ends.
    ///   - former: what else the earlier run wrote; none of it is kept.
    /// - Throws: `ExportPipelineError` where one can't be completed, which changes nothing, or can't take its name.
    func publish(_ files: [OutputFile], instead former: FormerOutput) throws(ExportPipelineError) {
        for file in files { try file.complete() }
        // While the former manifest stands, a next run finds what could not be removed.
        try former.remove(from: path)
        for file in files { try file.vacate() }
        for file in files {
            try file.publish()
            if let place = file.place { newFiles.append(place) }
        }
        keep()
    }

    /// Says that the run succeeded.
    func keep() { isKept = true }

    /// Makes the folder where there is none, and those above it.
    ///
    /// - Returns: what had to be made, the outermost first.
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
