public import FHIRR4
public import HealthExport
internal import OpenSSLCrypto

/// Turns records into FHIR R4 Observations: JSON bytes, and a row with id and digest for each.
///
/// Pure: the same batch and options give the same bytes, whatever came before. One mapper
/// serves one worker. About 300 ns a record; nothing is allocated for a record whose type,
/// unit, source and device were seen before.
public struct RecordMapper: ~Copyable, @unchecked Sendable {  // owns its caches and scratch alone; moves whole
    let writer: TemplateWriter
    /// Plain or keyed.
    let hash: KeyedSHA256
    var key = JSONBytes(capacity: 4096)
    var cache = TemplateCache()
    /// What is being hashed for one record.
    var tail = JSONBytes(capacity: 4096)
    var dates = FHIRDateTimeWriter()
    var zones: RecordZones
    /// What daily summaries need, since it was taken last.
    private var samples = RawArray<SummarySample>(capacity: 16)
    let metadataMapper: MetadataMapper
    var metadataCache = MetadataCache()
    /// Places of the entries of the record at hand, in the order of their bytes.
    var entryOrder = RawArray<UInt32>(capacity: 16)
    /// Metadata that tell a place and were left out, since it was taken last.
    var leftOutPlaces: UInt64 = 0
    /// Those of the record at hand, if it has any.
    var beats = HeartBeats()
    /// Templates that the batch at hand has used.
    private var touched: [Int] = []
    private var startDates = ExportDateReader()
    private var endDates = ExportDateReader()
    /// The template of the record before, where its value is no part of it; -1 for none.
    var lastTemplate = -1
    /// Records of the batch at hand that were written the long way.
    var written = WrittenRecords()
    private var counts: [TemplateCount] = []

    /// A mapper for one run.
    ///
    /// - Parameters:
    ///   - table: codes, units, values.
    ///   - options: whose data, in which form.
    ///   - registry: where Devices are collected, shared by all mappers of the run.
    public init(table: MappingTable, options: MappingOptions, registry: DeviceRegistry) {
        let scheme = IdentityScheme(subject: options.subject, key: options.identityKey)
        writer = TemplateWriter(table: table, options: options, scheme: scheme, registry: registry)
        hash = scheme.hash
        metadataMapper = MetadataMapper(table: table, keepsRest: options.keepsMetadata)
        zones = RecordZones(own: options.timeZone)
    }

    /// Maps records of `batch`.
    ///
    /// - Parameters:
    ///   - batch: complete records.
    ///   - range: which of them; `nil` for all.
    ///   - nestedRole: how records inside an element are written; `nil` where they are only counted.
    ///   - nutrientsAlone: whether only nutrients among them are, as in food.
    ///   - text: the chunk that the batch was read from, for records that point into it.
    ///   - json: the resources are appended.
    ///   - rows: a row for each is appended.
    ///   - fault: called with the record's byte offset for each that is damaged.
    public mutating func map(
        _ batch: borrowing ElementBatch,
        _ range: Range<Int>? = nil,
        nestedRole: EncodedResource.Role? = nil,
        nutrientsAlone: Bool = false,
        of text: borrowing RawArray<UInt8>,
        into json: inout JSONBytes,
        rows: inout RawArray<EncodedResource>,
        fault: (Malformation.Kind, UInt64) -> Void
    ) {
        lastTemplate = -1
        written.removeAll()
        unsafe batch.bytes.withElements { bytes in
            unsafe text.withElements { raw in
                unsafe batch.records.withElements { records in
                    unsafe batch.metadata.withElements { metadata in
                        for index in range ?? records.indices {
                            let record = unsafe records[index]
                            // A batch without bytes has records without attributes only.
                            guard let base = record.isRaw ? raw.baseAddress : bytes.baseAddress else { continue }
                            let range = Int(record.firstMetadata)..<Int(record.firstMetadata + record.metadataCount)
                            let entries = unsafe UnsafeBufferPointer(rebasing: metadata[range])
                            if record.sharesFieldsWithLast, record.hasInstants, lastTemplate >= 0, nestedRole == nil,
                                unsafe mapRepeated(record, base, entries, metadata, &json, &rows)
                            {
                                continue
                            }
                            if let kind = unsafe map(
                                record,
                                base,
                                entries,
                                batch,
                                nestedRole,
                                nutrientsAlone,
                                &json,
                                &rows
                            ) {
                                fault(kind, record.byteOffset)
                            }
                        }
                    }
                }
            }
        }
    }

    /// What was counted since it was asked last.
    public mutating func takeCounts() -> [TemplateCount] {
        settle()
        defer { counts.removeAll() }
        return counts
    }

    /// Moves what daily summaries need of the records mapped to the end of `all`.
    public mutating func takeSamples(into all: inout RawArray<SummarySample>) {
        guard samples.count > 0 else { return }
        unsafe samples.withElements { elements in
            guard let base = elements.baseAddress else { return }
            unsafe all.append(copyOf: base, count: elements.count)
        }
        samples.removeAll()
    }

    /// Moves what templates have counted to `counts`.
    mutating func settle() {
        for number in touched {
            let template = cache.templates[number]
            counts.append(TemplateCount(template, info: cache.infos[Int(template.info)]))
            cache.resetCounts(number)
        }
        touched.removeAll(keepingCapacity: true)
    }

    /// Maps one record with these of its entries.
    mutating func map(
        _ record: RecordElement,
        _ bytes: UnsafePointer<UInt8>,
        _ entries: UnsafeBufferPointer<MetadataElement>,
        _ batch: borrowing ElementBatch,
        _ nestedRole: EncodedResource.Role?,
        _ nutrientsAlone: Bool,
        _ json: inout JSONBytes,
        _ rows: inout RawArray<EncodedResource>
    ) -> Malformation.Kind? {
        let (type, source) = unsafe (bytes.bytes(of: record.type), bytes.bytes(of: record.sourceName))
        guard unsafe RecordRequirement.isMet(type: type, sourceName: source, isRaw: record.isRaw) else {
            return unsafe leaveOut(type)
        }
        let metadata = unsafe entries.isEmpty ? RecordMetadata() : RecordMetadata(entries, bytes)
        if metadata.hasPlace, !writer.options.includesRoutes {
            return unsafe mapWithoutPlaces(
                record,
                bytes,
                entries,
                batch,
                nestedRole,
                nutrientsAlone,
                &json,
                &rows
            )
        }
        let value = unsafe ExactDecimal(bytes.bytes(of: record.value))
        let isCategory = unsafe SampleKind.isCategory(type)
        let isFixed = isCategory || value == nil
        let number = unsafe templateNumber(record, bytes, metadata, value, isFixed: isFixed, isCategory: isCategory)
        let (start, end) = unsafe instants(of: record, bytes)
        let isOwn = unsafe isFixed || metadata.changesTemplate || cache.pointer(number).pointee.isSuspect
        lastTemplate = isOwn ? -1 : number
        // Templates stay where they are until the next one is made.
        let template = unsafe cache.pointer(number)
        if unsafe template.pointee.records == 0 { touched.append(number) }
        unsafe template.pointee.records &+= 1
        if record.isNested, unsafe nestedRole == nil || (nutrientsAlone && !template.pointee.isNutrient) {
            return nil
        }
        guard let start, let end, FHIRDateTime.range.contains(start), FHIRDateTime.range.contains(end) else {
            return .unusableRecord
        }
        // Those of a workout are part of it, and go where it goes.
        let isPart = record.isNested && !nutrientsAlone
        let isWritten = unsafe isPart || (template.pointee.isWanted && writer.options.isWanted(start))
        if !isWritten { unsafe template.pointee.filtered &+= 1 }
        // A part of its time may belong to a day that --since lets in.
        let reachesIn = writer.options.since.map { start < $0 && $0 < end } ?? false
        guard unsafe isWritten || (template.pointee.series >= 0 && template.pointee.isWanted && reachesIn)
        else { return nil }

        let hasBeats = record.beatList >= 0
        if hasBeats { beats.read(batch.trees[Int(record.beatList)], in: batch, start: start) }
        if !entries.isEmpty { unsafe orderEntries(entries, bytes) }
        let (id, digest) = unsafe identity(
            template,
            start,
            end,
            value,
            bytes.bytes(of: record.value),
            metadata,
            entries,
            hasBeats: hasBeats,
            bytes
        )
        if unsafe template.pointee.series >= 0 { unsafe addSample(template, id, digest, metadata, start, end, value) }
        guard isWritten else { return nil }
        unsafe template.pointee.written &+= 1
        let added = unsafe metadataJSON(
            metadata,
            entries,
            bytes,
            of: template
        )
        let place = json.count
        let places = unsafe write(
            template,
            id,
            start,
            max(start, end),
            value,
            bytes.bytes(of: record.value),
            metadata,
            added,
            hasBeats,
            bytes,
            &json
        )
        var row = unsafe EncodedResource(
            id: id,
            digest: digest,
            rank: metadata.syncVersion,
            kind: template.pointee.kind,
            start: UInt32(truncatingIfNeeded: place),
            count: UInt32(truncatingIfNeeded: json.count - place),
            device: template.pointee.device,
            gateway: template.pointee.gateway
        )
        row.role = unsafe nestedRole ?? template.pointee.role
        rows.append(row)
        if lastTemplate >= 0, !hasBeats, nestedRole == nil {
            unsafe remember(record, entries, metadata, bytes, json: place..<json.count, places)
        }
        // Those inside a food panel wait for this one.
        if unsafe nestedRole == nil && template.pointee.isNutrient { rows.append(.covering(id)) }
        return end < start ? .endBeforeStart : nil
    }

    /// Counts a record that says too little to be one.
    private mutating func leaveOut(_ type: UnsafeRawBufferPointer) -> Malformation.Kind {
        let info = unsafe TemplateInfo(type: String(decoding: type, as: UTF8.self))
        counts.append(TemplateCount(info: info, records: 1, written: 0, filtered: 0))
        lastTemplate = -1
        return .unusableRecord
    }

    /// The template of a record: mostly that of the one before.
    @inline(__always)
    private mutating func templateNumber(
        _ record: RecordElement,
        _ bytes: UnsafePointer<UInt8>,
        _ metadata: RecordMetadata,
        _ value: ExactDecimal?,
        isFixed: Bool,
        isCategory: Bool
    ) -> Int {
        var number = record.sharesFieldsWithLast && !isFixed && !metadata.changesTemplate ? lastTemplate : -1
        if number < 0 {
            number = unsafe template(of: record, metadata, isFixed: isFixed, isCategory: isCategory, bytes)
        }
        guard let value, unsafe cache.pointer(number).pointee.takesFractions, value.isAbove(ValueUnit.suspectPercent)
        else { return number }
        return unsafe template(
            of: record,
            metadata,
            isFixed: isFixed,
            isCategory: isCategory,
            isSuspect: true,
            bytes
        )
    }

    /// When a record starts and ends, in seconds since 1970; `nil` for what is no date.
    @inline(__always)
    private mutating func instants(
        of record: RecordElement,
        _ bytes: UnsafePointer<UInt8>
    ) -> (start: Int64?, end: Int64?) {
        if record.hasInstants { return (record.start, record.end) }
        return unsafe (
            record.startDate.isPresent ? startDates.seconds(bytes.bytes(of: record.startDate)) : nil,
            record.endDate.isPresent ? endDates.seconds(bytes.bytes(of: record.endDate)) : nil
        )
    }

    /// Keeps what a daily summary needs of a record.
    private mutating func addSample(
        _ template: UnsafePointer<RecordTemplate>,
        _ id: ResourceID,
        _ digest: UInt64,
        _ metadata: RecordMetadata,
        _ start: Int64,
        _ end: Int64,
        _ value: ExactDecimal?
    ) {
        guard end - start <= SummarySample.maximumSeconds else { return }
        var number = unsafe ExactDecimal(digits: UInt128(template.pointee.seriesStage), exponent: 0)
        if unsafe !template.pointee.valueIsFixed {
            // Nobody takes fewer than no steps.
            guard let value, !value.isNegative else { return }
            number = unsafe template.pointee.canonicalUnit.exact(value, over: template.pointee.seriesDivisor)
        }
        unsafe samples.append(
            SummarySample(
                series: template.pointee.series,
                exponent: Int16(clamping: number.exponent),
                start: start,
                end: max(start, end),
                digits: UInt64(truncatingIfNeeded: number.digits),
                source: template.pointee.seriesSource,
                id: id.low,
                rank: metadata.syncVersion,
                digest: digest
            )
        )
    }
}
