import ArgumentParser
import ExportPipeline
import Glibc

/// Where `-o` leads.
struct OutputPlace {
    /// What is written without `-o`.
    static let defaultName = "bundles.ndjson"

    /// For the library.
    let target: OutputTarget
    /// For messages.
    let name: String
    /// The one file that is written; `nil` for folders and standard output.
    let file: String?

    /// Whether the file's name says that it is compressed.
    var isGzip: Bool { file?.lowercased().hasSuffix(".gz") ?? false }

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
            self.init(target: .file(name), name: name, file: name)
            return
        }
        if path == "-" {
            if options.split {
                throw ValidationError("-o: - is no folder (expected one, for --split): write -o NAME/")
            }
            self.init(target: .standardOutput, name: "standard output", file: nil)
        } else if path.hasSuffix("/") || Self.isFolder(path) {
            var folder = path
            while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
            let name = Self.defaultName + (options.gzip ? ".gz" : "")
            self.init(
                target: .directory(folder),
                name: needsFolder ? folder + "/" : folder + "/" + name,
                file: needsFolder ? nil : folder + "/" + name
            )
        } else if path.isEmpty {
            throw ValidationError("-o: the path is empty (expected a file, a folder or -): give a name")
        } else if needsFolder {
            throw ValidationError("-o: '\(path)' is no folder (expected one, for \(what)): write -o \(path)/")
        } else {
            self.init(target: .file(path), name: path, file: path)
        }
    }

    private init(target: OutputTarget, name: String, file: String?) {
        self.target = target
        self.name = name
        self.file = file
    }

    /// Whether both paths lead to one regular file that is there.
    static func isSameFile(_ path: String, _ other: String) -> Bool {
        guard let one = status(path), let two = status(other) else { return false }
        return one.st_mode & S_IFMT == S_IFREG && one.st_dev == two.st_dev && one.st_ino == two.st_ino
    }

    /// Whether there is a regular file, which a run would replace.
    static func isRegularFile(_ path: String) -> Bool { status(path).map { $0.st_mode & S_IFMT == S_IFREG } ?? false }

    /// Whether there is a folder.
    static func isFolder(_ path: String) -> Bool {
        status(path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }

    /// Says before a run what would keep its report from being written after it.
    ///
    /// - Throws: `ExportPipelineError.report`.
    static func checkReport(_ path: String) throws {
        let isReplaced = status(path).map { $0.st_mode & S_IFMT == S_IFREG } ?? true
        let folder = path.contains("/") ? path[...(path.lastIndex(of: "/") ?? path.startIndex)] : "."
        guard unsafe access(isReplaced ? String(folder) : path, W_OK) != 0 else { return }
        throw ExportPipelineError.report(path: path, reason: unsafe String(cString: strerror(errno)))
    }

    private static func status(_ path: String) -> stat? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status : nil
    }
}
