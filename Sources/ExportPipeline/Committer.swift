internal import FHIRR4
internal import HealthExport
internal import HealthKitMapping
internal import TransactionBundling

/// Takes chunks in file order, groups their resources and writes the groups.
///
/// A Device is written immediately before the first Bundle that refers to it, in a Bundle
/// of its own; with conditional creates, where servers choose ids, each Bundle carries the
/// Devices it refers to.
struct Committer: ~Copyable {
    /// Top-level elements of which nothing is left out, and the root.
    static let convertedElements: Set<ElementName> = [.record, .exportDate, .healthData]

    private let options: ConversionOptions
    private let registry: DeviceRegistry
    private let output: any BundleOutput
    private var builder: BundleBuilder
    private var deviceBuilder: BundleBuilder
    private var writtenDevices: [Bool] = []
    private var report = RunReport()
    private(set) var recordCount: UInt64 = 0

    init(options: ConversionOptions, mappingVersion: String, registry: DeviceRegistry, output: any BundleOutput) {
        self.options = options
        self.registry = registry
        self.output = output
        let key = BundleKey(
            scheme: IdentityScheme.name,
            mappingVersion: mappingVersion,
            options: options.mapping.fingerprint,
            subject: options.mapping.subject
        )
        let framing: BundleBuilder.Framing = options.format == .bundles ? .transaction : .lines
        builder = BundleBuilder(limits: options.limits, key: key, framing: framing)
        deviceBuilder = BundleBuilder(limits: options.limits, key: key, framing: framing)
    }

    /// Commits one chunk.
    mutating func commit(_ slot: ChunkSlot) throws(ExportPipelineError) {
        for fault in slot.faults { report.add(fault) }
        for count in slot.counts { report.tally.add(count) }
        report.add(slot.batch, converted: Self.convertedElements)
        recordCount += slot.batch.elementCounts[Int(ElementName.record.rawValue)]
        if let date = slot.batch.text(slot.batch.exportDate) { report.noteExportDate(date) }
        try unsafe slot.rows.withElements { (rows) throws(ExportPipelineError) in
            try unsafe slot.json.withBytes { (bytes) throws(ExportPipelineError) in
                for index in rows.indices { try unsafe commit(rows[index], bytes) }
            }
        }
        builder.keepBorrowedBytes()
    }

    private mutating func commit(
        _ row: EncodedResource,
        _ bytes: UnsafeRawBufferPointer
    ) throws(ExportPipelineError) {
        if options.mapping.form == .conditionalCreate {
            if !builder.isOutranked(row) { try makeRoomWithDevices(for: row) }
        } else if builder.mustClose(before: row) {
            try closeGroup()
        }
        let range = Int(row.start)..<Int(row.start) + Int(row.count)
        // The slot is ours until it is committed.
        unsafe builder.addBorrowed(row, UnsafeRawBufferPointer(rebasing: bytes[range]))
        if builder.isAtBoundary { try closeGroup() }
    }

    /// Writes what is left and completes the output.
    mutating func finish() throws(ExportPipelineError) -> RunReport {
        if builder.count > 0 { try closeGroup() }
        report.duplicates = builder.duplicateCount
        report.entries = report.resources.values.reduce(0, +)
        try output.finish(exportDate: report.exportDate)
        return report
    }

    private mutating func closeGroup() throws(ExportPipelineError) {
        if options.mapping.form != .conditionalCreate { try writeNewDevices() }
        let count = builder.count
        let carried = options.mapping.form == .conditionalCreate ? builder.devices.count : 0
        try builder.finish { (bytes, key) throws(ExportPipelineError) in
            try output.write(bytes, key: key, type: "Observation", count: count)
        }
        note("Observation", count - carried)
        if carried > 0 { report.resources["Device", default: 0] += UInt64(carried) }
    }

    /// Puts the Devices that `row` refers to into its own Bundle, before it.
    private mutating func makeRoomWithDevices(for row: EncodedResource) throws(ExportPipelineError) {
        var missing = devices(of: row).filter { !builder.contains($0.device.id) }
        let byteCount = missing.reduce(0) { $0 + $1.device.json.count }
        if builder.mustClose(before: row, companions: missing.count, companionByteCount: byteCount) {
            try closeGroup()
            missing = devices(of: row)
        }
        for (number, device) in missing {
            var deviceRow = device.row
            deviceRow.group = row.group
            unsafe device.json.withUnsafeBytes { unsafe builder.addCompanion(number, deviceRow, $0) }
        }
    }

    private func devices(of row: EncodedResource) -> [(number: Int32, device: EncodedDevice)] {
        [row.device, row.gateway].filter { $0 >= 0 }.map { ($0, registry.device($0)) }
    }

    /// Writes the Devices that the group refers to and that were not written yet.
    private mutating func writeNewDevices() throws(ExportPipelineError) {
        for number in builder.devices where !isWritten(number) {
            let device = registry.device(number)
            let row = device.row
            if deviceBuilder.mustClose(before: row) { try closeDevices() }
            unsafe device.json.withUnsafeBytes { unsafe deviceBuilder.add(row, $0) }
            writtenDevices[Int(number)] = true
        }
        if deviceBuilder.count > 0 { try closeDevices() }
    }

    private mutating func closeDevices() throws(ExportPipelineError) {
        let count = deviceBuilder.count
        try deviceBuilder.finish { (bytes, key) throws(ExportPipelineError) in
            try output.write(bytes, key: key, type: "Device", count: count)
        }
        note("Device", count)
    }

    private mutating func isWritten(_ number: Int32) -> Bool {
        while writtenDevices.count <= Int(number) { writtenDevices.append(false) }
        return writtenDevices[Int(number)]
    }

    private mutating func note(_ type: String, _ count: Int) {
        report.resources[type, default: 0] += UInt64(count)
        report.bundles += 1
    }
}
