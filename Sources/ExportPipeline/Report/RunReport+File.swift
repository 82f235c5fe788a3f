extension RunReport {
    /// Writes the JSON to a file that only its owner can read and that appears whole or not at all.
    ///
    /// - Parameters:
    ///   - path: the file; a device such as `/dev/stderr` is written to directly.
    ///   - replace: whether an existing file may be replaced.
    ///   - cancellation: ends the wait for a pipe's reader.
    /// - Throws: `ExportPipelineError.reportExists`, `.interrupted`, or `.report` with the system's reason.
    package func write(
        toFile path: String,
        replace: Bool,
        cancellation: Cancellation
    ) throws(ExportPipelineError) {
        try Self.write(json, toFile: path, replace: replace, cancellation: cancellation)
    }

    /// Writes a report's JSON in the same way.
    package static func write(
        _ json: String,
        toFile path: String,
        replace: Bool,
        cancellation: Cancellation
    ) throws(ExportPipelineError) {
        do throws(ExportPipelineError) {
            let file = try OutputFile(path: path, isGzip: false, replace: replace, opening: cancellation)
            try file.write(text: json)
            try file.finish()
        } catch {
            throw error.aboutReport
        }
    }
}
