internal import FHIRR4
internal import FileOutput
internal import Glibc
internal import HealthExport
internal import TransactionBundling

/// What an earlier run wrote into a folder whose manifest this run replaces: none of it may stay.
///
/// Another patient's Bundles, or a type that this export lacks, would be taken for part of the output by anyone who
/// takes all files of the folder. Of the files that the former `manifest.json` names, only those with names of ours are
/// removed: `KEY.json`, `TYPE.ndjson`, with `.gz` or without. A run that was killed left no manifest: its Bundles are
/// known by their names alone. Its manifest, never completed, shows that they are no whole output: they are removed
/// even if existing files may not be replaced, so that a job that was killed can be repeated as it is.
package struct FormerOutput {
    private var names: Set<String> = []

    /// The files that the manifest at `path` names; none if it does not exist or is not a regular file.
    ///
    /// - Throws: `.output` if it can't be read: the files that it names would stay.
    init(manifest path: String) throws(ExportPipelineError) {
        let texts = try Self.contents(of: path).split(separator: UInt8(ascii: "\"")).map {
            String(decoding: $0, as: UTF8.self)
        }
        names = Set(texts.filter(Self.isOurs))
    }

    /// The files in a folder that a run may remove, judged by their names alone.
    package static func removable(in folder: String) -> [String] {
        (try? names(in: folder))?.filter(isOurs).map { folder + "/" + $0 } ?? []
    }

    /// The names in a folder, sorted.
    ///
    /// - Throws: `.output` if it can't be listed.
    static func names(in folder: String) throws(ExportPipelineError) -> [String] {
        do throws(FolderStream.Failure) {
            return try FolderStream(path: folder).names().map { String(decoding: $0, as: UTF8.self) }.sorted()
        } catch {
            throw .output(path: folder, reason: FileFault.system(error.systemError).reason)
        }
    }

    /// Which files are removed in addition to those that a manifest names.
    enum Leftovers {
        /// `KEY.json`, as `--split` writes them.
        case bundles
        /// `TYPE.ndjson`, for each type of resource that may be written.
        case types
    }

    /// Adds complete and unfinished files in the folder: a run that was killed has left no manifest.
    ///
    /// - Parameters:
    ///   - leftovers: which files to look for.
    ///   - lying: the names in the folder before this run began a file.
    ///   - folder: its path.
    ///   - replace: whether existing files may be replaced.
    /// - Throws: `.outputExists` for a complete file, unless it may be replaced or is of a run that was killed.
    mutating func add(
        _ leftovers: Leftovers,
        of lying: [String],
        in folder: String,
        replace: Bool
    ) throws(ExportPipelineError) {
        let isOfKilledRun =
            !lying.contains("manifest.json") && lying.contains { Self.nameOfPart($0) == "manifest.json" }
        for name in lying {
            let whole = Self.nameOfPart(name) ?? name
            let isLeft =
                switch leftovers {
                case .bundles: Self.isOurs(whole) && !whole.contains(".ndjson")
                case .types: Self.namesOfTypes.contains(whole)
                }
            guard isLeft || (whole == "manifest.json" && whole != name) else { continue }
            if !replace, !isOfKilledRun, whole == name { throw .outputExists(path: folder + "/" + name) }
            names.insert(name)
        }
    }

    /// The name that `NAME.5f0c2a9e.part` was to get.
    private static func nameOfPart(_ name: String) -> String? {
        guard name.hasSuffix(".part") else { return nil }
        let stem = name.dropLast(5)
        guard stem.suffix(8).allSatisfy(\.isHexDigit), stem.dropLast(8).last == "." else { return nil }
        return String(stem.dropLast(9))
    }

    /// Notes that this run has written a file of that name.
    mutating func note(_ name: String) { names.remove(name) }

    /// Removes the other files from `folder`, as many as possible.
    ///
    /// - Throws: `.output` if the system refuses to remove an existing file.
    func remove(from folder: String) throws(ExportPipelineError) {
        var refused: ExportPipelineError?
        for name in names.sorted() {
            let path = folder + "/" + name
            guard unsafe unlink(path) != 0, errno != ENOENT else { continue }
            refused = refused ?? .output(path: path, reason: FileFault.system(errno).reason)
        }
        if let refused { throw refused }
    }

    private static func contents(of path: String) throws(ExportPipelineError) -> [UInt8] {
        func fault() -> ExportPipelineError { .output(path: path, reason: FileFault.system(errno).reason) }
        // There may be a pipe in its place, which must not block.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return [] }
            throw fault()
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw fault() }
        guard status.st_mode & S_IFMT == S_IFREG else { return [] }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw fault() }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }

    private static let namesOfTypes = Set(
        ResourceType.allCases.flatMap { ["\($0.name).ndjson", "\($0.name).ndjson.gz"] }
    )

    /// Whether a run into a folder writes files with such names: `KEY.json`, `TYPE.ndjson`, with `.gz` or without.
    package static func isOurs(_ name: String) -> Bool {
        var name = name[...]
        if name.hasSuffix(".gz") { name = name.dropLast(3) }
        if name.hasSuffix(".json") { return BundleKey.isKey(name.dropLast(5)) }
        let type = name.dropLast(7)
        return name.hasSuffix(".ndjson") && !type.isEmpty && type.allSatisfy { $0.isASCII && $0.isLetter }
    }
}
