internal import HealthKitMapping
internal import TransactionBundling

/// Where a conversion's groups go, in order.
protocol BundleOutput: AnyObject {
    /// Takes one Bundle, or the resource lines of one group.
    ///
    /// - Parameters:
    ///   - bytes: the Bundle with a line feed, or lines; invalid afterwards.
    ///   - key: the group's idempotency key.
    ///   - type: the resource type that the group holds.
    ///   - count: how many resources it holds.
    /// - Throws: `ExportPipelineError` if a file can't be written, or the error that stops a delivery.
    func write(_ bytes: GroupBytes, key: String, type: String, count: Int) throws

    /// Notes when the export was made, in seconds since 1970; called before the first group.
    func note(exportDate: Int64) throws

    /// Notes whose export it is; called before the first group.
    func note(_ owner: ExportOwner) throws

    /// Notes the kinds of samples that the export holds, even if panels stand for all of them; called last.
    func note(kinds: Set<UInt64>) throws

    /// Completes all files; `exportDate` is the export's own, as a FHIR instant.
    func finish(exportDate: String?) throws

    /// Bytes written so far, compressed if that was requested.
    var byteCount: UInt64 { get }

    /// Whether it never waits for others, such as a pipe's reader or a server.
    var writesFiles: Bool { get }
}

extension BundleOutput {
    func note(exportDate: Int64) throws {}
    func note(_ owner: ExportOwner) throws {}
    func note(kinds: Set<UInt64>) throws {}
    func finish(exportDate: String?) throws {}
    var writesFiles: Bool { false }
}
