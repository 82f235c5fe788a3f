import ExportPipeline
import HealthExport

extension ExportInput {
    /// Opens the export that the user named; messages may call it by another name than its path.
    static func open(_ path: String, named name: String? = nil) throws(ExportPipelineError) -> ExportInput {
        do throws(HealthExportError) {
            return try ExportInput(path: path, named: name)
        } catch {
            throw .input(error)
        }
    }
}
