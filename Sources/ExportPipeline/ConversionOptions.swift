internal import FHIRR4
public import HealthKitMapping
public import TransactionBundling

/// What a conversion is asked to do.
public struct ConversionOptions: Sendable {
    /// What Bundles or files are written.
    public enum Format: String, Sendable, CaseIterable {
        /// Transaction Bundles.
        case bundles
        /// FHIR Bulk Data files.
        case resources
    }

    /// Whose data, which samples, in which form, how ids and times are written.
    public var mapping: MappingOptions
    /// Resources where `mapping.form` is `.resource`, and Bundles of any other form.
    public var format: Format { mapping.form == .resource ? .resources : .bundles }
    /// How large Bundles get; `ExportPipelineError.limits` says in which ranges.
    public var limits = BundleLimits()
    /// One file per Bundle, in a folder.
    public var isSplit = false
    /// Compress what is written.
    public var isGzip = false
    /// Replace files that are there.
    public var replacesFiles = false
    /// How the export is read.
    public var run = RunOptions()

    /// The defaults, for one patient.
    public init(mapping: MappingOptions) { self.mapping = mapping }

    func makeOutput(
        _ target: OutputTarget,
        cancellation: Cancellation
    ) throws(ExportPipelineError) -> any BundleOutput {
        func single(
            _ path: String?,
            in folder: OutputFolder? = nil
        ) throws(ExportPipelineError) -> SingleFileOutput {
            let file = try OutputFile(path: path, isGzip: isGzip, replace: replacesFiles, cancellation: cancellation)
            return SingleFileOutput(file, in: folder)
        }
        switch (target, format, isSplit) {
        case (.folder(let path), .bundles, true):
            let folder = try OutputFolder(path)
            return try SplitOutput(folder: folder, isGzip: isGzip, replace: replacesFiles, cancellation: cancellation)
        case (_, _, true): throw .split
        case (.standardOutput, _, _): return try single(nil)
        case (.folder(let path), .resources, _):
            let folder = try OutputFolder(path)
            return try BulkDataOutput(
                folder: folder,
                isGzip: isGzip,
                replace: replacesFiles,
                cancellation: cancellation
            )
        case (.folder(let path), .bundles, _):
            let name = path + "/bundles.ndjson" + (isGzip ? ".gz" : "")
            return try single(name, in: OutputFolder(path))
        case (.file(let path), _, _): return try single(path)
        }
    }
}
