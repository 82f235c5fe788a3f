internal import FHIRR4
internal import FileOutput
internal import Glibc
internal import HealthExport

/// What the run before wrote into a folder whose manifest this run replaces: none of it may stay beside it.
///
/// Another patient's Bundles, or a type that this export has nothing of, would be taken for part of the output by
/// whoever takes all files of the folder. Of what the former `manifest.json` names, files with names of ours alone are
/// removed: `KEY.json`, `TYPE.ndjson`, with `.gz` or without. A run that was killed has named nothing: its Bundles are known
/// by their names alone.
package struct FormerOutput {
    private var names: Set<String> = []

    /// What the manifest at `path` names; nothing where there is none, or what is no regular file.
    ///
    /// - Throws: `.output` where it can't be read: what it names would stay.
    init(manifest path: String) throws(ExportPipelineError) {
        let texts = try Self.contents(of: path).split(separator: UInt8(ascii: "\"")).map {
            String(decoding: $0, as: UTF8.self)
        }
        names = Set(texts.filter(Self.isOurs))
    }

    /// The files in a folder of which one may be removed, by their names alone.
    package static func removable(in folder: String) -> [String] {
        (try? names(in: folder))?.filter(isOurs).map { folder + "/" + $0 } ?? []
    }

    /// The names in a folder, in order.
    ///
    /// - Throws: `.output` where it can't be listed.
    static func names(in folder: String) throws(ExportPipelineError) -> [String] {
        do throws(FolderStream.Failure) {
            return try FolderStream(path: folder).names().map { String(decoding: $0, as: UTF8.self) }.sorted()
        } catch {
            throw .output(path: folder, reason: FileFault.system(error.systemError).reason)
        }
    }

    /// Which files are looked for beside those that a manifest names.
    enum Leftovers {
        /// `KEY.json`, those of `--split`.
        case bundles
        /// `TYPE.ndjson`, for each type of resource that may be written.
        case types
    }

    /// Adds what lay in the folder, whole or begun: a run that was killed has left no manifest.
    ///
    /// - Parameters:
    ///   - leftovers: the files.
    ///   - lying: the names in the folder before this run has begun a file.
    ///   - folder: its path.
    ///   - replace: whether what is there may be replaced.
    /// - Throws: `.outputExists` for one that is whole, unless it may be replaced.
    mutating func add(
        _ leftovers: Leftovers,
        of lying: [String],
        in folder: String,
        replace: Bool
    ) throws(ExportPipelineError) {
        for name in lying {
            let whole = Self.nameOfPart(name) ?? name
            let isLeft =
                switch leftovers {
                case .bundles: Self.isOurs(whole) && !whole.contains(".ndjson")
                case .types: Self.namesOfTypes.contains(whole)
                }
            guard isLeft || (whole == "manifest.json" && whole != name) else { continue }
            if !replace, whole == name { throw .outputExists(path: folder + "/" + name) }
            names.insert(name)
        }
    }

    /// What `NAME.5f0c2a9e.part` was to become.
    private static func nameOfPart(_ name: String) -> String? {
        guard name.hasSuffix(".part") else { return nil }
        let stem = name.dropLast(5)
        guard stem.suffix(8).allSatisfy(\.isHexDigit), stem.dropLast(8).last == "." else { return nil }
        return String(stem.dropLast(9))
    }

    /// This run has written a file of that name.
    mutating func note(_ name: String) { names.remove(name) }

    /// Removes the rest from `folder`, as much of it as can be.
    ///
    /// - Throws: `.output` where a file is there and the system refuses.
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
        // What stands there may be a pipe.
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

    /// Whether a run into a folder gives files such names: `KEY.json`, `TYPE.ndjson`, with `.gz` or without.
    package static func isOurs(_ name: String) -> Bool {
        var name = name[...]
        if name.hasSuffix(".gz") { name = name.dropLast(3) }
        if name.hasSuffix(".json") {
            let key = name.dropLast(5)
            return key.utf8.count == 64 && key.allSatisfy { $0.isHexDigit }
        }
        let type = name.dropLast(7)
        return name.hasSuffix(".ndjson") && !type.isEmpty && type.allSatisfy { $0.isASCII && $0.isLetter }
    }
}
