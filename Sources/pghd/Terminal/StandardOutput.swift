import ExportPipeline
import FileOutput
import Glibc

/// The process's standard output, for data.
enum StandardOutput {
    /// Writes all of `text`.
    ///
    /// - Parameters:
    ///   - text: what is written.
    ///   - isReport: whether it reports on a run that ends here; then, after a signal, its reader has two seconds more.
    /// - Throws: `ExportPipelineError.outputClosed` where its reader has gone away, `.interrupted` where a signal came
    ///   meanwhile, `.output` for a full disk and the like, `.report` where nobody reads the report of a run that was
    ///   told to end.
    static func write(_ text: String, isReport: Bool = false) throws(ExportPipelineError) {
        let bytes = Array(text.utf8)
        let patience = Interruption.Patience(isReport ? .seconds(2) : .zero)
        do throws(FileFault) {
            try unsafe bytes.span.bytes.withUnsafeBytes { bytes throws(FileFault) in
                try unsafe OutputDescriptor.standardOutput.writeInSteps(bytes) { patience.isOver }
            }
        } catch {
            switch error {
            case .interrupted where isReport: throw .report(path: "standard output", reason: "its reader takes nothing")
            case .interrupted: throw .interrupted
            case .system(EPIPE): throw .outputClosed(path: "standard output")
            case .exists, .system: throw .output(path: "standard output", reason: error.reason)
            }
        }
    }
}
