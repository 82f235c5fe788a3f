internal import TransactionBundling

/// One file per Bundle, named by its key, and `manifest.json` with the keys in order.
///
/// The order matters to anyone who posts them: a Device precedes what refers to it.
final class SplitOutput: BundleOutput {
    private let isGzip: Bool
    private let cancellation: Cancellation
    private let manifest: OutputFile
    private var written: UInt64 = 0
    private var names: Set<String> = []
    private var opening = "{\"bundles\":[\n"
    private var former: FormerOutput
    // Declared last, so that it is released after the files in it.
    private let folder: OutputFolder

    init(
        folder: OutputFolder,
        isGzip: Bool,
        replace: Bool,
        cancellation: Cancellation
    ) throws(ExportPipelineError) {
        self.folder = folder
        self.isGzip = isGzip
        self.cancellation = cancellation
        let lying = try FormerOutput.names(in: folder.path)
        // Before the former manifest is read: if that must not be replaced, this is the error, readable or not.
        manifest = try OutputFile(path: folder.path + "/manifest.json", isGzip: false, replace: replace)
        former = try FormerOutput(manifest: folder.path + "/manifest.json")
        try former.add(.bundles, of: lying, in: folder.path, replace: replace)
    }

    var byteCount: UInt64 { written + manifest.byteCount }

    var writesFiles: Bool { true }

    func write(_ bytes: GroupBytes, key: String, type: String, count: Int) throws(ExportPipelineError) {
        let name = key + (isGzip ? ".json.gz" : ".json")
        // Equal keys mean equal bytes, so a Bundle that comes twice is one file.
        if names.insert(name).inserted { try write(bytes, to: name) }
        try manifest.write(text: "\(opening)\"\(name)\"")
        opening = ",\n"
    }

    private func write(_ bytes: GroupBytes, to name: String) throws(ExportPipelineError) {
        let path = folder.path + "/" + name
        let file = try OutputFile(
            path: path,
            isGzip: isGzip,
            replace: true,
            followsLink: false,
            cancellation: cancellation
        )
        folder.noteNewFile(path)
        try file.write(bytes)
        try file.finish()
        written += file.byteCount
        former.note(name)
    }

    func finish(exportDate: String?) throws(ExportPipelineError) {
        try manifest.write(text: opening == ",\n" ? "\n]}\n" : "{\"bundles\":[]}\n")
        try manifest.complete()
        // While the former manifest exists, the next run finds what could not be removed.
        try former.remove(from: folder.path)
        try manifest.publish()
        folder.keep()
    }
}
