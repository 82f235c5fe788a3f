/// An invented person's Apple Health export, as Apple writes it and of any length.
///
/// ```swift
/// let export = try SyntheticExport(.init(extent: .days(7), seed: 4))
/// try export.write(toFile: "export.zip")
/// ```
///
/// The same options give the same XML on every machine: all arithmetic is on whole numbers, and no
/// clock is read. Exports of one person that share days share those days' samples, as exports of one
/// phone do; only the memory addresses in `device` differ. (An export of a given size has fewer or more
/// records a day to reach that size, so it does not share all of them.)
///
/// In the shape `full` there are files next to the XML; ``write(toFile:replace:progress:isCancelled:)`` writes both.
///
/// It takes a few megabytes of memory for any size.
public struct SyntheticExport: Sendable {
    /// The options that the export was made with.
    public let options: Options
    private let plan: SizePlan

    /// Checks the options and, for an extent in bytes, plans the days (about 0.2 s).
    ///
    /// - Throws: ``SyntheticExportError`` if a day count, size, date or offset is out of range.
    public init(_ options: Options = Options()) throws(SyntheticExportError) {
        try options.validate()
        self.options = options
        plan = try SizePlan(for: options)
    }

    /// Lends the XML to `sink`, in order, in blocks of at most 1 MiB that are valid only during the call.
    ///
    /// - Throws: what `sink` throws; nothing more is written after that.
    public func write<Failure: Error>(to sink: (RawSpan) throws(Failure) -> Void) throws(Failure) {
        try ByteWriter.lending(to: sink) { generate(drain: $0) }
    }

    /// How many files there are next to the XML: none except in the shape `full`.
    public var otherFileCount: Int { otherFiles.count }

    /// The files next to the XML.
    var otherFiles: [any OtherFile] {
        guard options.shape == .full else { return [] }
        let days = options.days(plan.dayCount)
        return Electrocardiogram.all(of: options.person, in: days, options: options)
            + RouteFile.all(of: options.person, in: days, options: options)
            + ClinicalRecord.all(of: options.person, in: days).map { ClinicalFile(record: $0) }
    }

    private func generate(drain: @escaping (RawSpan) -> Bool) {
        var writer = ElementWriter(for: options, drain: drain)
        let body = ExportBody(
            person: options.person,
            days: options.days(plan.dayCount),
            density: plan.density,
            heartRateBudget: plan.heartRateBudget
        )
        Prolog.write(for: options, to: &writer)
        body.write(to: &writer)
        Prolog.writeEnd(to: &writer)
        writer.bytes.flush()
    }
}
