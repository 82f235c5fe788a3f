internal import HealthKitMapping
internal import TransactionBundling

/// Where a conversion's groups go, in order.
protocol BundleOutput: AnyObject {
    /// Takes one Bundle, or the resource lines of one group.
    ///
    /// - Parameters:
    ///   - bytes: the Bundle with a line feed, or lines; dead afterwards.
    ///   - key: the group's idempotency key.
    ///   - type: the resource type that the group holds.
    ///   - count: how many resources it holds.
    /// - Throws: `ExportPipelineError` where a file can't be written, or what stops a delivery.
    func write(_ bytes: GroupBytes, key: String, type: String, count: Int) throws

    /// When the export was made, in seconds since 1970; comes before the first group.
    func note(exportDate: Int64) throws

    /// Whose export it is; comes before the first group.
    func note(_ owner: ExportOwner) throws

    /// Kinds of samples that the export holds, though panels may stand for all of them; comes last.
    func note(kinds: Set<UInt64>) throws

    /// Completes all files; `exportDate` is the export's own, as a FHIR instant.
    func finish(exportDate: String?) throws

    /// Bytes written so far, compressed where asked.
    var byteCount: UInt64 { get }

    /// Whether it waits for nobody, as for the reader of a pipe or for a server.
    var writesFiles: Bool { get }
}

extension BundleOutput {
    var writesFiles: Bool { false }
}

extension BundleOutput {
    func note(exportDate: Int64) throws {}
    func note(_ owner: ExportOwner) throws {}
    func note(kinds: Set<UInt64>) throws {}
}

/// Where `-o` points.
public enum OutputTarget: Sendable, Equatable {
    /// `-o -`
    case standardOutput
    /// One file for all Bundles.
    case file(String)
    /// A folder, made if it is not there.
    case folder(String)
}
