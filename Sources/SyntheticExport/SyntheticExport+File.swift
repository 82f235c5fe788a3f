extension SyntheticExport {
    /// Writes the export to a file: a zip if the name ends in `.zip`, otherwise XML; `-` is XML on standard output.
    ///
    /// The zip holds `apple_health_export/export.xml`, dated like the export, and in the shape `full` the files
    /// next to it. Its contents are the same on every machine; their compressed form may differ with the version
    /// of ISA-L and the processor.
    /// The file gets its name when it is complete; one that cannot be finished is removed.
    ///
    /// - Parameters:
    ///   - path: the file, such as `export.zip`.
    ///   - replace: whether an existing file may be overwritten.
    ///   - progress: called after each block, and each file next to the XML, with the bytes of XML so far; an error
    ///     that it throws ends the writing.
    ///   - isCancelled: called before each write and while a write has to wait; `true` ends the writing.
    /// - Throws: ``SyntheticExportError`` if the file exists and must not be replaced, cannot be opened or written,
    ///   or is not a `.zip` although the shape is `full`, or if the writing was cancelled.
    public func write(
        toFile path: String,
        replace: Bool = false,
        progress: ((UInt64) throws(SyntheticExportError) -> Void)? = nil,
        isCancelled: @escaping () -> Bool = { false }
    ) throws(SyntheticExportError) {
        let isArchive = path.lowercased().hasSuffix(".zip")
        if options.shape == .full, !isArchive { throw .archiveNeeded(path: path) }
        let file =
            path == "-"
            ? OutputFile(isCancelled: isCancelled)
            : try OutputFile(path: path, replace: replace, isCancelled: isCancelled)
        if isArchive {
            try writeArchive(to: file, progress: progress)
        } else {
            try writeXML(to: file, progress: progress)
        }
        try file.finish()
    }

    private func writeXML(
        to file: borrowing OutputFile,
        progress: ((UInt64) throws(SyntheticExportError) -> Void)?
    ) throws(SyntheticExportError) {
        var byteCount: UInt64 = 0
        try write { block throws(SyntheticExportError) in
            try file.write(block)
            byteCount += UInt64(block.byteCount)
            try progress?(byteCount)
        }
    }

    private func writeArchive(
        to file: borrowing OutputFile,
        progress: ((UInt64) throws(SyntheticExportError) -> Void)?
    ) throws(SyntheticExportError) {
        var archive = ZipWriter(
            date: CalendarDate(daysSince1970: options.endDate.daysSince1970 + 1),
            secondOfDay: Options.exportSecondOfDay
        )
        func save(_ bytes: RawSpan) throws(SyntheticExportError) { try file.write(bytes) }
        var byteCount: UInt64 = 0
        try archive.begin("apple_health_export/export.xml", to: save)
        try write { block throws(SyntheticExportError) in
            try archive.write(block, to: save)
            byteCount += UInt64(block.byteCount)
            try progress?(byteCount)
        }
        try archive.endMember(to: save)
        for other in otherFiles {
            try archive.begin("apple_health_export/\(other.path)", to: save)
            try other.write { block throws(SyntheticExportError) in try archive.write(block, to: save) }
            try archive.endMember(to: save)
            try progress?(byteCount)
        }
        try archive.finish(to: save)
    }
}
