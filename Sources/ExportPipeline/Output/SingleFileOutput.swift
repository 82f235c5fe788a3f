internal import TransactionBundling

/// All groups in one file: a transaction Bundle a line, or resources of all types.
final class SingleFileOutput: BundleOutput {
    private let file: OutputFile
    // Declared last, so that it is released after the file in it.
    private let folder: OutputFolder?

    init(_ file: OutputFile, in folder: OutputFolder? = nil) {
        self.file = file
        self.folder = folder
    }

    var byteCount: UInt64 { file.byteCount }

    var writesFiles: Bool { file.place != nil }

    func write(_ bytes: GroupBytes, key: String, type: String, count: Int) throws(ExportPipelineError) {
        try file.write(bytes)
    }

    func finish(exportDate: String?) throws(ExportPipelineError) {
        try file.finish()
        folder?.keep()
    }
}
