internal import FHIRR4
public import HealthKitMapping
public import TransactionBundling

/// What to convert, and how to read and write it.
public struct ConversionOptions: Sendable {
    /// What is written: Bundles or resource files.
    public enum Format: String, Sendable, CaseIterable {
        /// Transaction Bundles.
        case bundles
        /// FHIR Bulk Data files.
        case resources
    }

    /// Whose data, which samples, in which form, and how ids and times are written.
    public var mapping: MappingOptions
    /// `.resources` if `mapping.form` is `.resource`, otherwise `.bundles`.
    public var format: Format { mapping.form == .resource ? .resources : .bundles }
    /// How large Bundles get; `ExportPipelineError.limits` names the ranges.
    public var limits = BundleLimits()
    /// One file per Bundle, in a folder.
    public var isSplit = false
    /// Compress what is written.
    public var isGzip = false
    /// Replace existing files.
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
