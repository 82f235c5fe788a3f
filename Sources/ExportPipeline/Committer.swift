internal import FHIRR4
internal import HealthExport
internal import HealthKitMapping
internal import TransactionBundling

/// Takes chunks in file order, groups their resources and writes the groups.
///
/// A Device is written immediately before the first Bundle that refers to it, in a Bundle of its own; with conditional
/// creates, where servers choose ids, each Bundle carries the Devices that it refers to.
struct Committer: ~Copyable {
    /// The root, and top-level elements that become resources or are read for another purpose.
    static let convertedElements = ElementName.trees.union([.record, .exportDate, .healthData])

    private let options: ConversionOptions
    private let registry: DeviceRegistry
    let output: any BundleOutput
    private var builder: BundleBuilder
    private var deviceBuilder: BundleBuilder
    /// The JSON of the chunk committed last, from which the current group may still borrow.
    private var lent = JSONBytes()
    private var waiting = WaitingRoom()
    /// Resources that are written after those that wait; no other resource covers them.
    private var last = WaitingRoom()
    private var summaries: SummaryMapper?
    private var writtenDevices: [Bool] = []
    /// The owner that the export's first `Me` describes.
    private var owner: ExportOwner?
    private var report = RunReport()
    private(set) var recordCount: UInt64 = 0
    private var referenced = ReferencedFiles()
    /// Files next to the XML that its elements refer to, in the order of the elements.
    var files: [ReferencedFile] { referenced.files }

    init(options: ConversionOptions, table: MappingTable, registry: DeviceRegistry, output: any BundleOutput) {
        self.options = options
        self.registry = registry
        self.output = output
        let key = BundleKey(
            scheme: IdentityScheme.name,
            mappingVersion: table.fingerprint,
            options: options.mapping.fingerprint,
            subject: options.mapping.subject
        )
        if options.mapping.summarizes {
            report.sumsUTCDays = options.mapping.timeZone == nil
            summaries = SummaryMapper(table: table, options: options.mapping, registry: registry)
        }
        let framing: BundleBuilder.Framing = options.format == .bundles ? .transaction : .lines
        builder = BundleBuilder(limits: options.limits, key: key, framing: framing)
        deviceBuilder = BundleBuilder(limits: options.limits, key: key, framing: framing)
    }

    /// Commits one chunk.
    mutating func commit(_ slot: ChunkSlot) throws {
        let others = otherOwners(in: slot)
        keepFiles(of: slot)
        for fault in slot.faults { report.damage.add(fault) }
        for count in slot.counts { report.tally.add(count) }
        report.add(slot.elements)
        report.add(slot.files)
        report.add(slot.batch, converted: Self.convertedElements)
        recordCount += slot.batch.elementCounts[Int(ElementName.record.rawValue)]
        if let date = slot.batch.text(slot.batch.exportDate) {
            report.noteExportDate(date)
            if let seconds = report.exportSeconds { try output.note(exportDate: seconds) }
        }
        // All of them: another person's export is refused even if only a later `Me` shows it.
        for noted in slot.elements.owners { try output.note(noted.owner) }
        summaries?.add(slot.samples)
        builder.beginLoan()
        try unsafe slot.rows.withElements { rows in
            try unsafe slot.json.withBytes { bytes in
                var start = 0
                for other in others {
                    try unsafe commit(UnsafeBufferPointer(rebasing: rows[start..<other.lowerBound]), bytes)
                    start = other.upperBound
                }
                try unsafe commit(UnsafeBufferPointer(rebasing: rows[start...]), bytes)
            }
        }
        // Most groups that span two chunks end in the second and are then written without a copy.
        builder.keepEarlierLoans()
        swap(&slot.json, &lent)
    }

    /// Keeps which files are to be read once the XML is done.
    private mutating func keepFiles(of slot: ChunkSlot) {
        let left = slot.elements.files.filter { !referenced.keep($0) }
        guard !left.isEmpty else { return }
        for file in left { slot.addFault(.tooManyFiles, in: file.element.name, at: file.element.byteOffset) }
        slot.chunk.arrange(&slot.faults)
    }

    /// The rows of each `Me` that differs from the export's first, which is a fault.
    private mutating func otherOwners(in slot: ChunkSlot) -> [Range<Int>] {
        var others: [Range<Int>] = []
        for noted in slot.elements.owners {
            let first = owner ?? noted.owner
            owner = first
            guard noted.owner.digest != first.digest else { continue }
            slot.addFault(.otherOwner, in: .me, at: noted.byteOffset)
            others.append(noted.rows)
        }
        if !others.isEmpty { slot.chunk.arrange(&slot.faults) }
        return others
    }

    /// Commits rows whose bytes stay in place until the builder has kept them.
    private mutating func commit(
        _ rows: UnsafeBufferPointer<EncodedResource>,
        _ bytes: UnsafeRawBufferPointer
    ) throws {
        var index = 0
        while index < rows.count {
            let row = unsafe rows[index]
            index += 1
            switch row.role {
            case .covering: waiting.cover(row.id)
            case .waiting, .last:
                let range = Int(row.start)..<Int(row.start) + Int(row.count)
                let resource = unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
                let isKept = unsafe row.role == .last ? last.keep(row, resource) : waiting.keep(row, resource)
                if !isKept { try unsafe commit(row, bytes) }
            case .resource where row.followers > 0:
                let end = index + Int(row.followers)
                try unsafe commitUnit(UnsafeBufferPointer(rebasing: rows[(index - 1)..<end]), bytes)
                index = end
            case .resource: try unsafe commit(row, bytes)
            }
        }
    }

    private mutating func commit(
        _ row: EncodedResource,
        _ bytes: UnsafeRawBufferPointer
    ) throws {
        if options.mapping.form == .conditionalCreate {
            if !builder.isOutranked(row) { try makeRoomWithDevices(for: row) }
        } else if builder.mustClose(before: row) {
            try closeGroup()
        }
        unsafe add(row, bytes)
        if builder.isAtBoundary { try closeGroup() }
    }

    /// Commits resources that must be in one Bundle.
    private mutating func commitUnit(
        _ rows: UnsafeBufferPointer<EncodedResource>,
        _ bytes: UnsafeRawBufferPointer
    ) throws {
        if options.mapping.form == .conditionalCreate {
            try makeRoomWithDevices(forUnit: unsafe Array(rows))
        } else if builder.mustClose(beforeUnit: unsafe Array(rows)) {
            try closeGroup()
        }
        builder.beginUnit()
        for index in 0..<rows.count { unsafe add(rows[index], bytes) }
        builder.endUnit()
        if builder.isAtBoundary { try closeGroup() }
    }

    private mutating func add(_ row: EncodedResource, _ bytes: UnsafeRawBufferPointer) {
        let range = Int(row.start)..<Int(row.start) + Int(row.count)
        // The bytes stay in place until the next chunk is committed.
        unsafe builder.addBorrowed(row, UnsafeRawBufferPointer(rebasing: bytes[range]))
    }

    /// Writes the remaining resources and completes the output.
    ///
    /// - Parameter outcome: how the XML ended.
    /// - Returns: what was read, written and found wrong.
    /// - Throws: an error of the output, which can take no more.
    mutating func finish(_ outcome: ChunkRing.Outcome) throws -> RunReport {
        report.damage.noteEnd(outcome)
        try output.note(kinds: waiting.kinds)
        report.inPanels = waiting.coveredCount
        report.duplicates = waiting.twinCount + last.twinCount
        report.conflictingDuplicates = waiting.conflictingTwinCount + last.conflictingTwinCount
        report.writtenEarly = waiting.overflowCount + last.overflowCount
        var room = WaitingRoom(byteLimit: 0)
        swap(&room, &waiting)
        try write(&room)
        swap(&room, &last)
        try write(&room)
        try writeSummaries()
        if builder.count > 0 { try closeGroup() }
        report.duplicates += builder.duplicateCount
        report.conflictingDuplicates += builder.conflictingDuplicateCount
        report.entries = report.resources.values.reduce(0, +)
        try output.finish(exportDate: report.exportDate)
        return report
    }

    /// Writes what is left in a room: resources whose panel did not come, or those that are written last.
    private mutating func write(_ room: inout WaitingRoom) throws {
        try unsafe room.empty { rows, bytes in
            for row in rows {
                // Its panel may be among what was lost; next to that panel the value would be stored twice.
                guard !report.damage.mayLackPanels || !BloodPressure.isValue(row) else {
                    report.withoutPanel += 1
                    continue
                }
                try unsafe commit(row, bytes)
            }
            builder.keepBorrowedBytes()
        }
    }

    /// Writes the daily summaries, if they are wanted.
    ///
    /// If elements of the export were lost it writes none, because a total might be smaller than one written earlier
    /// for the same day.
    private mutating func writeSummaries() throws {
        guard summaries != nil else { return }
        guard !report.damage.hasLostElements else {
            report.leavesOutSummaries = true
            return
        }
        var json = JSONBytes(capacity: 1 << 16)
        var rows = RawArray<EncodedResource>(capacity: 1 << 10)
        summaries?.finish(exportDate: report.exportSeconds, into: &json, rows: &rows)
        try unsafe rows.withElements { rows in
            try unsafe json.withBytes { bytes in try unsafe commit(rows, bytes) }
        }
        builder.keepBorrowedBytes()
    }

    private mutating func closeGroup() throws {
        if options.mapping.form != .conditionalCreate { try writeNewDevices() }
        let count = builder.count
        let type = builder.type.name
        let carried = options.mapping.form == .conditionalCreate ? builder.devices.count : 0
        try builder.finish { bytes, key in
            try output.write(bytes, key: key, type: type, count: count)
        }
        note(type, count - carried)
        if carried > 0 { report.resources["Device", default: 0] += UInt64(carried) }
    }

    /// Puts the Devices that a row refers to into its Bundle, before the row.
    private mutating func makeRoomWithDevices(for row: EncodedResource) throws {
        let missing = missingDevices(of: row)
        let byteCount = missing.reduce(0) { $0 + $1.device.json.count }
        if builder.mustClose(before: row, carried: missing.count, carriedByteCount: byteCount) {
            try closeGroup()
        }
        // A twin that was replaced takes its Devices with it, whether or not the group was closed.
        add(missingDevices(of: row))
    }

    /// The same for resources that must be in one Bundle, without those that lose against their twins.
    private mutating func makeRoomWithDevices(forUnit unit: [EncodedResource]) throws {
        var missing = missingDevices(of: builder.staying(of: unit))
        let byteCount = missing.reduce(0) { $0 + $1.device.json.count }
        if builder.mustClose(beforeUnit: unit, carried: missing.count, carriedByteCount: byteCount) {
            try closeGroup()
            missing = devices(of: builder.staying(of: unit))
        }
        add(missing)
    }

    private mutating func add(_ missing: [(number: Int32, device: EncodedDevice)]) {
        for (number, device) in missing {
            unsafe device.json.withUnsafeBytes { unsafe builder.addCarried(number, device.row, $0) }
        }
    }

    private func missingDevices(of row: EncodedResource) -> [(number: Int32, device: EncodedDevice)] {
        // Called for every row; mostly its Devices are those of the row before.
        func isThere(_ number: Int32) -> Bool { number < 0 || builder.contains(registry.id(number)) }
        return isThere(row.device) && isThere(row.gateway) ? [] : missingDevices(of: [row])
    }

    private func missingDevices(of unit: [EncodedResource]) -> [(number: Int32, device: EncodedDevice)] {
        devices(of: unit).filter { !builder.contains($0.device.id) }
    }

    private func devices(of unit: [EncodedResource]) -> [(number: Int32, device: EncodedDevice)] {
        var known: Set<Int32> = []
        var devices: [(number: Int32, device: EncodedDevice)] = []
        for number in unit.flatMap({ [$0.device, $0.gateway] }) where number >= 0 && known.insert(number).inserted {
            devices.append((number, registry.device(number)))
        }
        return devices
    }

    /// Writes the Devices that the group refers to and that are not written yet.
    private mutating func writeNewDevices() throws {
        for number in builder.devices where !isWritten(number) {
            let device = registry.device(number)
            let row = device.row
            if deviceBuilder.mustClose(before: row) { try closeDevices() }
            unsafe device.json.withUnsafeBytes { unsafe deviceBuilder.add(row, $0) }
            writtenDevices[Int(number)] = true
            registry.release(number)
        }
        if deviceBuilder.count > 0 { try closeDevices() }
    }

    private mutating func closeDevices() throws {
        let count = deviceBuilder.count
        try deviceBuilder.finish { bytes, key in
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
