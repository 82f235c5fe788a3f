extension RunReport {
    /// Writes a report's JSON to a file that only its owner can read and that appears whole or not at all.
    ///
    /// - Parameters:
    ///   - json: the report.
    ///   - path: the file; a device such as `/dev/stderr` is written to directly.
    ///   - replace: whether an existing file may be replaced.
    ///   - cancellation: ends the wait for a pipe's reader.
    /// - Throws: `ExportPipelineError.reportExists`, `.interrupted`, or `.report` with the system's reason.
    package static func write(
        _ json: String,
        toFile path: String,
        replace: Bool,
        cancellation: Cancellation
    ) throws {
        try write(toFile: path, replace: replace, cancellation: cancellation) { try $0.write(text: json) }
    }

    /// Writes a report in the same way, piece by piece.
    static func write(
        toFile path: String,
        replace: Bool,
        cancellation: Cancellation,
        _ writing: (OutputFile) throws -> Void
    ) throws {
        do {
            let file = try OutputFile(path: path, isGzip: false, replace: replace, opening: cancellation)
            try writing(file)
            try file.finish()
        } catch let error as ExportPipelineError {
            throw error.aboutReport
        }
    }
}
