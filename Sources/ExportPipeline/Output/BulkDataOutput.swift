internal import TransactionBundling

/// FHIR Bulk Data files: one for each type of resource, such as `Observation.ndjson`, and `manifest.json`.
///
/// `Observation.ndjson` and `Device.ndjson` always exist; the manifest names only files with something in them, since
/// readers that learn the columns from the data fail at an empty one. Source:
/// <https://hl7.org/fhir/uv/bulkdata/export.html#response---complete-status>.
final class BulkDataOutput: BundleOutput {
    private let isGzip: Bool
    private let replace: Bool
    private let cancellation: Cancellation
    private let manifest: OutputFile
    private var files: [(type: String, file: OutputFile, count: Int)] = []
    private var former: FormerOutput
    // Declared last, so that it is released after the files in it.
    private let folder: OutputFolder

    init(
        folder: OutputFolder,
        isGzip: Bool,
        replace: Bool,
        cancellation: Cancellation = Cancellation()
    ) throws(ExportPipelineError) {
        self.folder = folder
        self.isGzip = isGzip
        self.cancellation = cancellation
        self.replace = replace
        let lying = try FormerOutput.names(in: folder.path)
        // Before the former manifest is read: if that must not be replaced, this is the error, readable or not.
        manifest = try OutputFile(path: folder.path + "/manifest.json", isGzip: false, replace: replace)
        former = try FormerOutput(manifest: folder.path + "/manifest.json")
        try former.add(.types, of: lying, in: folder.path, replace: replace)
        for type in ["Device", "Observation"] { try open(type) }
    }

    var byteCount: UInt64 { files.reduce(manifest.byteCount) { $0 + $1.file.byteCount } }

    var writesFiles: Bool { true }

    func write(_ bytes: GroupBytes, key: String, type: String, count: Int) throws(ExportPipelineError) {
        if !files.contains(where: { $0.type == type }) { try open(type) }
        for index in files.indices where files[index].type == type {
            try files[index].file.write(bytes)
            files[index].count += count
        }
    }

    func finish(exportDate: String?) throws(ExportPipelineError) {
        var text = "{"
        if let exportDate { text += "\"transactionTime\":\"\(exportDate)\"," }
        text += "\"requiresAccessToken\":false,\"output\":["
        text += files.filter { $0.count > 0 }.map { file in
            "\n{\"type\":\"\(file.type)\",\"url\":\"\(name(file.type))\",\"count\":\(file.count)}"
        }.joined(separator: ",")
        try manifest.write(text: text + "\n],\"error\":[]}\n")
        try folder.publish(files.map(\.file) + [manifest], instead: former)
    }

    private func name(_ type: String) -> String { type + (isGzip ? ".ndjson.gz" : ".ndjson") }

    private func open(_ type: String) throws(ExportPipelineError) {
        let file = try OutputFile(
            path: folder.path + "/" + name(type),
            isGzip: isGzip,
            replace: replace,
            cancellation: cancellation
        )
        // All other resources refer to the Patient.
        files.insert((type, file, 0), at: type == "Patient" ? 0 : files.count)
        former.note(name(type))
    }
}
