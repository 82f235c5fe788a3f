import ExportPipeline
import FileOutput
import Glibc

/// The process's standard output, for data.
enum StandardOutput {
    /// Writes all of `text`.
    ///
    /// - Parameters:
    ///   - text: what is written.
    ///   - isReport: whether it tells of a run that ends here, by a signal too.
    /// - Throws: `ExportPipelineError.outputClosed` where its reader has gone away,
    ///   `.interrupted` where a signal came meanwhile, `.output` for a full disk and the like.
    static func write(_ text: String, isReport: Bool = false) throws(ExportPipelineError) {
        let bytes = Array(text.utf8)
        do throws(FileFault) {
            try unsafe bytes.span.bytes.withUnsafeBytes { bytes throws(FileFault) in
                try unsafe OutputDescriptor.standardOutput.write(bytes) { Interruption.isRequested && !isReport }
            }
        } catch {
            switch error {
            case .interrupted: throw .interrupted
            case .system(EPIPE): throw .outputClosed(path: "standard output")
            case .exists, .system: throw .output(path: "standard output", reason: error.reason)
            }
        }
    }
}
