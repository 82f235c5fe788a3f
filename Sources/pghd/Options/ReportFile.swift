import ArgumentParser
import ExportPipeline
import FileOutput
import Glibc

/// The file of `--report`.
struct ReportFile {
    let path: String
    /// Whether it replaces a file that is there.
    let replaces: Bool

    /// Refuses a path that can't be a file's, as soon as it is read.
    ///
    /// - Throws: `ValidationError`.
    func checkName() throws {
        guard !path.isEmpty else {
            throw ValidationError("--report: the path is empty (expected a file): give a name")
        }
        guard path != "-" else {
            throw ValidationError("--report: - is not a file (expected a name): use --json for standard output")
        }
        guard !path.hasSuffix("/"), FileKind(of: path) != .folder else {
            throw ValidationError("--report: '\(path)' is a folder (expected a file): give a name in it")
        }
    }

    /// Refuses to replace a file without permission.
    ///
    /// - Throws: `ExportPipelineError.reportExists`.
    func checkFree() throws {
        if !replaces, FileKind(of: path) == .file { throw ExportPipelineError.reportExists(path: path) }
    }

    /// Finds out before a run what would keep its report from being written after it.
    ///
    /// - Throws: `ExportPipelineError.report`.
    func checkWritable() throws {
        var written = path
        if FileKind(of: path) ?? .file == .file {
            let place = try place()
            written = place.lastIndex(of: "/").map { String(place[...$0]) } ?? "."
        }
        guard unsafe access(written, W_OK) != 0 else { return }
        throw ExportPipelineError.report(path: path, reason: FileFault.system(errno).reason)
    }

    /// Where the path leads.
    private func place() throws(ExportPipelineError) -> String {
        do throws(FileFault) { return try PartFile.place(of: path) } catch {
            throw .report(path: path, reason: error.reason)
        }
    }

    /// Removes the report of an earlier run that this one is to replace, so that it is not taken for this run's.
    ///
    /// - Throws: `ExportPipelineError.report`.
    func removeOld() throws {
        guard replaces, FileKind(of: path) == .file, unsafe unlink(try place()) != 0, errno != ENOENT
        else { return }
        throw ExportPipelineError.report(path: path, reason: FileFault.system(errno).reason)
    }

    /// Whether a file is created or replaced: a device or a pipe is written as it is.
    var isMade: Bool { FileIdentity(path) != nil }
}
