import ArgumentParser
import ExportPipeline
import FHIRR4
import FileOutput
import Glibc

/// Where `-o` leads.
struct OutputPlace {
    /// What is written without `-o`.
    static let defaultName = "bundles.ndjson"

    /// For the library.
    let target: OutputTarget
    /// For messages.
    let name: String
    /// The file that is written, or those of a folder that have names of their own.
    let files: [String]

    /// Whether the one file's name says that it is compressed.
    var isGzip: Bool { files.count == 1 && files[0].lowercased().hasSuffix(".gz") }

    /// Reads `-o` by the form that is asked for.
    ///
    /// - Throws: `ValidationError` where a form of several files is to go into one.
    init(_ options: OutputOptions) throws {
        let needsFolder = options.split || options.format == .resources
        let what = options.split ? "--split" : "--format resources"
        if options.split, options.format == .resources {
            throw ValidationError("--split: needs Bundles (expected --format bundles): leave --format resources out")
        }
        guard let path = options.output else {
            if needsFolder {
                throw ValidationError("-o is missing: \(what) writes several files (expected a folder): add -o NAME/")
            }
            let name = Self.defaultName + (options.gzip ? ".gz" : "")
            self.init(target: .file(name), name: name, files: [name])
            return
        }
        if path == "-" {
            if options.split {
                throw ValidationError("-o: - is no folder (expected one, for --split): write -o NAME/")
            }
            self.init(target: .standardOutput, name: "standard output", files: [])
        } else if path.hasSuffix("/") || Self.isFolder(path) {
            var folder = path
            while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
            let ending = options.gzip ? ".gz" : ""
            var names = [Self.defaultName + ending]
            if needsFolder { names = ["manifest.json"] }
            if options.format == .resources {
                names += ResourceType.allCases.map { "\($0.name).ndjson\(ending)" }
            }
            let files = names.map { "\(folder)/\($0)" }
            self.init(target: .folder(folder), name: needsFolder ? folder + "/" : files[0], files: files)
        } else if path.isEmpty {
            throw ValidationError("-o: the path is empty (expected a file, a folder or -): give a name")
        } else if needsFolder {
            let next = Self.isRegularFile(path) ? "choose another name, with / behind it" : "write -o \(path)/"
            throw ValidationError("-o: '\(path)' is no folder (expected one, for \(what)): \(next)")
        } else {
            self.init(target: .file(path), name: path, files: [path])
        }
    }

    private init(target: OutputTarget, name: String, files: [String]) {
        self.target = target
        self.name = name
        self.files = files
    }

    /// Whether there is a regular file, which a run would replace.
    static func isRegularFile(_ path: String) -> Bool { status(path).map { $0.st_mode & S_IFMT == S_IFREG } ?? false }

    /// Whether there is something that can be read once: a pipe, a terminal or a socket.
    static func isPipe(_ path: String) -> Bool {
        status(path).map { ![S_IFREG, S_IFDIR].contains($0.st_mode & S_IFMT) } ?? false
    }

    /// Whether there is a folder.
    static func isFolder(_ path: String) -> Bool {
        status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }

    /// Whether a file at `path`, there or yet to be made, lies in `folder` or in one below it.
    static func lies(_ path: String, below folder: String) -> Bool {
        guard let folder = realPath(folder) else { return false }
        var place = PartFile.place(of: path)
        repeat {
            place = place.lastIndex(of: "/").map { place[..<$0].isEmpty ? "/" : String(place[..<$0]) } ?? "."
        } while realPath(place) == nil && place != "." && place != "/"
        return realPath(place).map { "\($0)/".hasPrefix(folder == "/" ? "/" : "\(folder)/") } ?? false
    }

    /// The path within `folder` of a file that is there; `nil` where it lies elsewhere.
    static func member(_ path: String, of folder: String) -> String? {
        guard isRegularFile(path), let file = realPath(path), let folder = realPath(folder) else { return nil }
        let start = folder == "/" ? folder : folder + "/"
        return file.hasPrefix(start) ? String(file.dropFirst(start.count)) : nil
    }

    /// The same place without links and detours; `nil` where it is not there.
    private static func realPath(_ path: String) -> String? {
        guard let bytes = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(bytes) }
        return unsafe String(cString: bytes)
    }

    /// Refuses a report's path that can be no file's, as soon as it is read.
    ///
    /// - Throws: `ValidationError`.
    static func checkName(ofReport path: String) throws {
        guard !path.isEmpty else {
            throw ValidationError("--report: the path is empty (expected a file): give a name")
        }
        guard path != "-" else {
            throw ValidationError("--report: - is no file (expected a name): use --json for standard output")
        }
        guard !path.hasSuffix("/"), !isFolder(path) else {
            throw ValidationError("--report: '\(path)' is a folder (expected a file): give a name in it")
        }
    }

    /// Says before a run what would keep its report from being written after it.
    ///
    /// - Throws: `ExportPipelineError.report`.
    static func checkWritable(report path: String) throws {
        let isReplaced = status(path).map { $0.st_mode & S_IFMT == S_IFREG } ?? true
        let place = PartFile.place(of: path)
        let folder = place.lastIndex(of: "/").map { place[...$0] } ?? "."
        guard unsafe access(isReplaced ? String(folder) : path, W_OK) != 0 else { return }
        throw ExportPipelineError.report(path: path, reason: FileFault.system(errno).reason)
    }

    /// Removes the report of an earlier run before one that is to replace it, so that none stands for another run.
    ///
    /// - Throws: `ExportPipelineError.report`.
    static func removeReport(_ path: String) throws {
        guard isRegularFile(path), unsafe unlink(PartFile.place(of: path)) != 0, errno != ENOENT else { return }
        throw ExportPipelineError.report(path: path, reason: FileFault.system(errno).reason)
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status : nil
    }
}
