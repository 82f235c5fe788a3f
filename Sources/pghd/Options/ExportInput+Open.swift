import ExportPipeline
import HealthExport

extension ExportInput {
    /// Opens the export that the user named.
    static func open(_ path: String) throws(ExportPipelineError) -> ExportInput {
        do throws(HealthExportError) {
            return try ExportInput(path: path)
        } catch {
            throw .input(error)
        }
    }
}
