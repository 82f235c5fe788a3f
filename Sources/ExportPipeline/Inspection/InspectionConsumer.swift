internal import FHIRR4
internal import HealthExport
internal import HealthKitMapping

/// Counts a chunk's records on its worker's thread.
///
/// Allocates nothing for a record whose type, unit and source were seen before.
final class InspectionConsumer: ChunkConsumer {
    /// The records with one name in the current chunk.
    private struct Count: BitwiseCopyable {
        var records: UInt64 = 0
        var written: UInt64 = 0
        var first = Int64.max
        var last = Int64.min
    }

    /// The most bytes that are read of a type, unit or source; Apple's longest has 60.
    private static let maximumNameByteCount = 256

    private let table: MappingTable
    private var interned = InternedBytes()
    private var names: [InspectedName] = []
    private var counts = RawArray<Count>(capacity: 64)
    /// Names that occur in the current chunk.
    private var touched: [Int] = []
    private var months = MonthCounter()
    private var key = JSONBytes()
    private var rows: [InspectionTally.Row] = []

    init(table: MappingTable) { self.table = table }

    func consume(_ slot: ChunkSlot) {
        var faults: [(Malformation.Kind, UInt64)] = []
        unsafe slot.batch.bytes.withElements { bytes in
            unsafe slot.chunk.bytes.withElements { raw in
                unsafe slot.batch.records.withElements { records in
                    // The previous record's name, if its value is not part of it.
                    var last = -1
                    for index in 0..<records.count {
                        let record = unsafe records[index]
                        // A batch without bytes only has records without attributes.
                        guard let base = record.isRaw ? raw.baseAddress : bytes.baseAddress else { continue }
                        if let kind = unsafe count(record, base, &last) { faults.append((kind, record.byteOffset)) }
                    }
                }
            }
        }
        settle()
        slot.inspection = InspectionTally(rows: rows, months: months.take())
        rows.removeAll(keepingCapacity: true)
        for (kind, byte) in faults { slot.addFault(kind, in: .record, at: byte) }
    }

    /// Counts one record and returns what is wrong with it, as the mapper would.
    private func count(_ record: RecordElement, _ bytes: UnsafePointer<UInt8>, _ last: inout Int) -> Malformation.Kind?
    {
        let isCategory = unsafe SampleKind.isCategory(bytes.bytes(of: record.type))
        let isFixed = unsafe isCategory || ExactDecimal(bytes.bytes(of: record.value)) == nil
        var number = record.sharesFieldsWithLast && !isFixed ? last : -1
        if number < 0 { number = unsafe self.number(of: record, isFixed: isFixed, isCategory: isCategory, bytes) }
        last = isFixed ? -1 : number

        let start = unsafe record.startDate.isPresent ? ExportDate.seconds(bytes.bytes(of: record.startDate)) : nil
        let end = unsafe record.endDate.isPresent ? ExportDate.seconds(bytes.bytes(of: record.endDate)) : nil
        if let start, FHIRDateTime.range.contains(start) { months.count(start) }
        unsafe counts.withMutableElements { all in
            if unsafe all[number].records == 0 { touched.append(number) }
            unsafe all[number].records &+= 1
            guard let start, FHIRDateTime.range.contains(start) else { return }
            unsafe all[number].first = unsafe min(all[number].first, start)
            unsafe all[number].last = unsafe max(all[number].last, start)
        }
        let (type, source) = unsafe (bytes.bytes(of: record.type), bytes.bytes(of: record.sourceName))
        guard unsafe RecordRequirement.isMet(type: type, sourceName: source, isRaw: record.isRaw) else {
            return .unusableRecord
        }
        if record.isNested { return nil }
        guard let start, let end, FHIRDateTime.range.contains(start), FHIRDateTime.range.contains(end) else {
            return .unusableRecord
        }
        unsafe counts.withMutableElements { unsafe $0[number].written &+= 1 }
        return end < start ? .endBeforeStart : nil
    }

    /// Moves the counts to `rows`.
    private func settle() {
        for number in touched {
            let count = counts[number]
            rows.append(
                InspectionTally.Row(
                    name: names[number],
                    records: count.records,
                    written: count.written,
                    starts: count.first <= count.last ? count.first...count.last : nil
                )
            )
            counts[number] = Count()
        }
        touched.removeAll(keepingCapacity: true)
    }

    /// The number of the record's name, which is added if it is new.
    private func number(
        of record: RecordElement,
        isFixed: Bool,
        isCategory: Bool,
        _ bytes: UnsafePointer<UInt8>
    ) -> Int {
        key.removeAll()
        unsafe addToKey(record.type, bytes)
        unsafe addToKey(record.unit, bytes)
        unsafe addToKey(record.sourceName, bytes)
        key.append(record.isRaw ? 1 : 0)
        if isFixed { unsafe addToKey(record.value, bytes) }
        if let known = unsafe key.withBytes({ unsafe interned.number(of: $0) }) { return known }
        if interned.isFull {
            settle()
            interned.removeAll()
            names.removeAll()
            counts.removeAll()
        }
        unsafe names.append(name(of: record, isFixed: isFixed, isCategory: isCategory, bytes))
        counts.append(Count())
        return unsafe key.withBytes { unsafe interned.insert($0) }
    }

    private func addToKey(_ range: AttributeRange, _ bytes: UnsafePointer<UInt8>) {
        if range.isPresent { unsafe key.append(clipped(range, bytes)) }
        key.append(range.isPresent ? 0x1F : 0x1E)
    }

    /// The attribute's first bytes, cut between two characters.
    private func clipped(_ range: AttributeRange, _ bytes: UnsafePointer<UInt8>) -> UnsafeRawBufferPointer {
        let all = unsafe bytes.bytes(of: range)
        var count = all.count
        if count > Self.maximumNameByteCount {
            count = Self.maximumNameByteCount
            while count > 0, unsafe all[count] & 0xC0 == 0x80 { count -= 1 }
        }
        return unsafe UnsafeRawBufferPointer(rebasing: all.prefix(count))
    }

    private func name(
        of record: RecordElement,
        isFixed: Bool,
        isCategory: Bool,
        _ bytes: UnsafePointer<UInt8>
    ) -> InspectedName {
        func text(_ range: AttributeRange) -> String? {
            guard range.isPresent else { return nil }
            let text = unsafe String(decoding: clipped(range, bytes), as: UTF8.self)
            return record.isRaw ? PredefinedEntities.resolved(text) : text
        }
        let type = text(record.type) ?? ""
        let unit = text(record.unit)
        let mapping = table.type(type)
        var name = InspectedName(
            type: type,
            unit: unit.map(UnitTable.withoutMolarMass),
            source: text(record.sourceName) ?? "",
            lacksCodes: mapping == nil
        )
        guard isFixed else {
            guard let unit = unit?.unlessBlank else {
                name.isKnownUnit = !MappingTally.wantsUnit(type)
                return name
            }
            let meaning = mapping?.unit(unit) ?? table.unit(unit)
            name.isKnownUnit = meaning != nil
            name.lacksCodes = meaning.flatMap { mapping?.losesCodes(in: $0) } ?? name.lacksCodes
            return name
        }
        let value = text(record.value)
        guard isCategory else {
            name.unknownValue = MappingTally.reportable(value ?? "")
            return name
        }
        // Whether an unknown type has values is not known.
        let said = value ?? ""
        if mapping?.value(said) == nil, mapping != nil || !said.isEmpty {
            name.unknownValue = MappingTally.reportable(said)
        }
        return name
    }
}
