import ArgumentParser
import ExportPipeline
import FHIRR4

/// Where `-o` leads to.
struct OutputPlace {
    /// What is written without `-o`.
    static let defaultName = "bundles.ndjson"

    /// For the library.
    let target: OutputTarget
    /// For messages.
    let name: String
    /// The file that is written, or those in a folder that have fixed names.
    let files: [String]
    /// What is in the folder and may be removed, since it has the name of a former output.
    let removable: [String]

    /// Whether it leads to standard output, by whatever name: a report there would follow the data.
    var isStandardOutput: Bool { target == .standardOutput || files.contains(where: FileIdentity.isStandardOutput) }

    /// Whether the one file's name says that it is compressed.
    var isGzip: Bool { files.count == 1 && files[0].lowercased().hasSuffix(".gz") }

    /// Reads `-o` for the form that is asked for.
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
                throw ValidationError("-o: - is not a folder (expected one, for --split): write -o NAME/")
            }
            self.init(target: .standardOutput, name: "standard output", files: [])
        } else if path.hasSuffix("/") || FileKind(of: path) == .folder {
            var folder = path
            while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
            let ending = options.gzip ? ".gz" : ""
            var names = [Self.defaultName + ending]
            if needsFolder { names = ["manifest.json"] }
            if options.format == .resources {
                names += ResourceType.allCases.map { "\($0.name).ndjson\(ending)" }
            }
            let files = names.map { "\(folder)/\($0)" }
            self.init(
                target: .folder(folder),
                name: needsFolder ? folder + "/" : files[0],
                files: files,
                removable: needsFolder ? FormerOutput.removable(in: folder) : []
            )
        } else if path.isEmpty {
            throw ValidationError("-o: the path is empty (expected a file, a folder or -): give a name")
        } else if needsFolder {
            let next = FileKind(of: path) == nil ? "write -o \(path)/" : "choose another name, and end it with /"
            throw ValidationError("-o: '\(path)' is not a folder (expected one, for \(what)): \(next)")
        } else {
            if let ending = Self.otherCompressions.first(where: { path.lowercased().hasSuffix($0) }) {
                throw ValidationError(
                    "-o: '\(path)' would not be compressed so (expected .gz, or no such ending): write to - and "
                        + "compress that, or leave \(ending) out"
                )
            }
            self.init(target: .file(path), name: path, files: [path])
        }
    }

    /// How names end that promise another compression than gzip.
    private static let otherCompressions = [".zst", ".bz2", ".xz", ".zip"]

    private init(target: OutputTarget, name: String, files: [String], removable: [String] = []) {
        self.target = target
        self.name = name
        self.files = files
        self.removable = removable
    }
}
