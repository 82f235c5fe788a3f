internal import FHIRR4
internal import Glibc

/// All groups in one file: a transaction Bundle a line, or resources of all types.
final class SingleFileOutput: BundleOutput {
    private let file: OutputFile

    init(_ file: OutputFile) { self.file = file }

    var byteCount: UInt64 { file.byteCount }

    func write(_ bytes: UnsafeRawBufferPointer, key: String, type: String, count: Int) throws(ExportPipelineError) {
        try unsafe file.write(bytes)
    }

    func finish(exportDate: String?) throws(ExportPipelineError) { try file.finish() }
}

/// One file per Bundle, named by its key, and `manifest.json` with the keys in order.
///
/// The order matters to whoever posts them: a Device stands before what refers to it.
final class SplitOutput: BundleOutput {
    private let directory: String
    private let isGzip: Bool
    private let replace: Bool
    private let manifest: OutputFile
    private var written: UInt64 = 0
    private var opening = "{\"bundles\":[\n"

    init(directory: String, isGzip: Bool, replace: Bool) throws(ExportPipelineError) {
        self.directory = directory
        self.isGzip = isGzip
        self.replace = replace
        manifest = try OutputFile(path: directory + "/manifest.json", isGzip: false, replace: replace)
    }

    var byteCount: UInt64 { written + manifest.byteCount }

    func write(_ bytes: UnsafeRawBufferPointer, key: String, type: String, count: Int) throws(ExportPipelineError) {
        let name = key + (isGzip ? ".json.gz" : ".json")
        // Equal keys mean equal bytes, so a file of this name holds them already.
        let file = try OutputFile(path: directory + "/" + name, isGzip: isGzip, replace: true)
        try unsafe file.write(bytes)
        try file.finish()
        written += file.byteCount
        try manifest.write(text: "\(opening)\"\(name)\"")
        opening = ",\n"
    }

    func finish(exportDate: String?) throws(ExportPipelineError) {
        try manifest.write(text: opening == ",\n" ? "\n]}\n" : "{\"bundles\":[]}\n")
        try manifest.finish()
    }
}

/// FHIR Bulk Data files: `Observation.ndjson`, `Device.ndjson` and `manifest.json`.
///
/// Source: <https://hl7.org/fhir/uv/bulkdata/export.html#response---complete-status>.
final class BulkDataOutput: BundleOutput {
    private let directory: String
    private let isGzip: Bool
    private let replace: Bool
    private var files: [(type: String, file: OutputFile, count: Int)] = []
    private var manifestByteCount: UInt64 = 0

    init(directory: String, isGzip: Bool, replace: Bool) throws(ExportPipelineError) {
        self.directory = directory
        self.isGzip = isGzip
        self.replace = replace
        for type in ["Device", "Observation"] { try open(type) }
    }

    var byteCount: UInt64 { files.reduce(manifestByteCount) { $0 + $1.file.byteCount } }

    func write(_ bytes: UnsafeRawBufferPointer, key: String, type: String, count: Int) throws(ExportPipelineError) {
        if !files.contains(where: { $0.type == type }) { try open(type) }
        for index in files.indices where files[index].type == type {
            try unsafe files[index].file.write(bytes)
            files[index].count += count
        }
    }

    func finish(exportDate: String?) throws(ExportPipelineError) {
        let manifest = try OutputFile(path: directory + "/manifest.json", isGzip: false, replace: replace)
        var text = "{"
        if let exportDate { text += "\"transactionTime\":\"\(exportDate)\"," }
        text += "\"requiresAccessToken\":false,\"output\":["
        text += files.map { file in
            "\n{\"type\":\"\(file.type)\",\"url\":\"\(name(file.type))\",\"count\":\(file.count)}"
        }.joined(separator: ",")
        try manifest.write(text: text + "\n],\"error\":[]}\n")
        for file in files { try file.file.finish() }
        try manifest.finish()
        manifestByteCount = manifest.byteCount
    }

    private func name(_ type: String) -> String { type + (isGzip ? ".ndjson.gz" : ".ndjson") }

    private func open(_ type: String) throws(ExportPipelineError) {
        let file = try OutputFile(path: directory + "/" + name(type), isGzip: isGzip, replace: replace)
        files.append((type, file, 0))
    }
}

extension OutputFile {
    /// Writes the UTF-8 of `text`.
    func write(text: String) throws(ExportPipelineError) {
        var bytes = JSONBytes(capacity: text.utf8.count)
        bytes.append(text)
        try unsafe bytes.withBytes { (bytes) throws(ExportPipelineError) in try unsafe write(bytes) }
    }
}

/// Makes a folder and those above it, for its owner alone.
func makeDirectory(_ path: String) throws(ExportPipelineError) {
    var status = stat()
    if unsafe stat(path, &status) == 0 {
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .output(path: path, reason: "it is no folder") }
        return
    }
    var parent = path
    while parent.hasSuffix("/") { parent.removeLast() }
    if let slash = parent.lastIndex(of: "/"), slash != parent.startIndex {
        try makeDirectory(String(parent[..<slash]))
    }
    guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else {
        throw .output(path: path, reason: unsafe String(cString: strerror(errno)))
    }
}
