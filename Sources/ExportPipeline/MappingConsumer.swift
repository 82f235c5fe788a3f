internal import FHIRR4
internal import HealthExport
internal import HealthKitMapping

/// Maps a chunk's records on its worker's thread.
final class MappingConsumer: ChunkConsumer {
    private var mapper: RecordMapper
    private var elements: ElementMapper

    init(table: MappingTable, options: MappingOptions, registry: DeviceRegistry) {
        mapper = RecordMapper(table: table, options: options, registry: registry)
        elements = ElementMapper(table: table, options: options, registry: registry)
    }

    func consume(_ slot: ChunkSlot) {
        elements.exportDay = slot.exportDay
        var faults: [(Malformation.Kind, UInt64)] = []
        var next = 0
        func records(to end: Int, in element: HealthElement? = nil) {
            guard end > next else { return }
            mapper.map(
                slot.batch,
                next..<end,
                nestedRole: element.flatMap { elements.roleOfRecords(in: $0) },
                nutrientsAlone: element?.name == .correlation,
                isAddedUp: element?.name == .workout,
                of: slot.chunk.bytes,
                into: &slot.json,
                rows: &slot.rows
            ) { faults.append(($0, $1)) }
            next = end
        }
        // Both are in the order of the file: an element comes after the records in it.
        for index in 0..<slot.batch.trees.count where !slot.batch.trees[index].isBeatList {
            let tree = slot.batch.trees[index]
            let element = slot.batch.element(tree)
            records(to: Int(tree.firstRecord))
            let firstRow = slot.rows.count
            records(to: Int(tree.recordCount), in: element)
            let tally = elements.map(element, into: &slot.json, rows: &slot.rows) {
                slot.addFault($0, in: element.name, at: element.byteOffset)
            }
            slot.elements.add(tally)
            if elements.joinsRecords(in: element) { join(&slot.rows, from: firstRow) }
        }
        records(to: slot.batch.records.count)
        slot.counts = mapper.takeCounts()
        slot.elements.addLeftOut(.metadataEntry, mapper.takeLeftOutPlaces())
        slot.elements.add(mapper.takeUnmappedMetadata())
        slot.elements.addUnknownValues(mapper.takeUnreadableBeats())
        mapper.takeSamples(into: &slot.samples)
        for (kind, byte) in faults { slot.addFault(kind, in: .record, at: byte) }
    }
}

/// Makes one unit of the Observations from row `first` on; resources after them refer to them by name.
private func join(_ rows: inout RawArray<EncodedResource>, from first: Int) {
    unsafe rows.withMutableElements { rows in
        var end = first
        while unsafe end < rows.count && rows[end].type == .observation { end += 1 }
        for index in first..<end { unsafe rows[index].followers = UInt32(end - 1 - index) }
    }
}
