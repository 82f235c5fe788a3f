/// An invented person's Apple Health export, in Apple's real shape and of any length.
///
/// ```swift
/// let export = try SyntheticExport(.init(extent: .days(7), seed: 4))
/// try export.write(toFile: "export.zip")
/// ```
///
/// The same options give the same XML on every machine: all arithmetic is on whole numbers, and no
/// clock is read. Exports of one person that share days share those days' samples, as exports of one
/// phone do; only the run-time pointers in `device` differ. (An export of a given size is thinned or
/// thickened to that size, so it shares them only with itself.)
///
/// In the shape `full` files stand next to the XML, and ``write(toFile:replace:progress:isCancelled:)`` writes both.
///
/// Memory is a few megabytes whatever the size.
public struct SyntheticExport: Sendable {
    /// What was asked for.
    public let options: Options
    private let plan: SizePlan

    /// Checks the options and, for an extent in bytes, plans the days (about 0.2 s).
    ///
    /// - Throws: ``SyntheticExportError`` when a day count, size, date or offset is out of range.
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

    /// How many files stand next to the XML: none but in the shape `full`.
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
