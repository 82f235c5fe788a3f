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
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            if Interruption.isRequested, !isReport { throw .interrupted }
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            case EPIPE: throw .outputClosed(path: "standard output")
            default:
                let reason = FileFault.system(errno).reason
                throw .output(path: "standard output", reason: reason)
            }
        }
    }
}
