package import FHIRR4
package import HealthExport
internal import OpenSSLCrypto

/// Turns records into FHIR R4 Observations: JSON bytes, and for each a row with its id and digest.
///
/// Pure: the same batch and options give the same bytes, whatever came before. One mapper serves one worker. About 300
/// ns a record; nothing is allocated for a record whose type, unit, source and device were seen before.
package struct RecordMapper: ~Copyable, @unchecked Sendable {  // sole owner of its caches; moves as a whole
    let writer: TemplateWriter
    /// Plain or keyed.
    let hash: KeyedSHA256
    var digests = RecentDigests()
    var key = JSONBytes(capacity: 4096)
    var cache = TemplateCache()
    /// What is being hashed for one record.
    var tail = JSONBytes(capacity: 4096)
    var dates = FHIRDateTimeWriter()
    var zones: RecordZones
    /// What daily summaries need, since this was last taken.
    private var samples = RawArray<SummarySample>(capacity: 16)
    let metadataMapper: MetadataMapper
    var metadataCache = MetadataCache()
    /// Places of the current record's entries, in the order of their bytes.
    var entryOrder = RawArray<UInt32>(capacity: 16)
    /// How many metadata entries that show a place were left out since this was last taken.
    var leftOutPlaces: UInt64 = 0
    var unmappedMetadata = UnmappedCounts()
    /// The beats of the current record, if it has any.
    var beats = HeartBeats()
    /// Templates that the current batch has used.
    private var touched: [Int] = []
    private var startDates = ExportDateReader()
    private var endDates = ExportDateReader()
    /// The template of the record before, if its value is not part of it; -1 for none.
    var lastTemplate = -1
    /// Records of the current batch that were written in full.
    var written = WrittenRecords()
    /// Numbers for the one metadata entry that such a record may have, by its bytes in the digest.
    var metadataNumbers = InternedBytes(limit: 1 << 10)
    private var counts: [TemplateCount] = []

    /// A mapper for one run.
    ///
    /// - Parameters:
    ///   - table: codes, units, values.
    ///   - options: whose data, in which form.
    ///   - registry: collects the Devices; shared by all mappers of the run.
    package init(table: MappingTable, options: MappingOptions, registry: DeviceRegistry) {
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
    ///   - nestedRole: how records inside an element are written; `nil` if they are only counted.
    ///   - nutrientsAlone: whether only the nutrients among them are written, as in food.
    ///   - isAddedUp: whether records that are only counted add to daily summaries, as those of a workout that is left
    ///     out.
    ///   - text: the chunk that the batch was read from, for records that point into it.
    ///   - json: the resources are appended.
    ///   - rows: a row for each is appended.
    ///   - fault: called with the record's byte offset for each that is damaged.
    package mutating func map(
        _ batch: borrowing ElementBatch,
        _ range: Range<Int>? = nil,
        nestedRole: EncodedResource.Role? = nil,
        nutrientsAlone: Bool = false,
        isAddedUp: Bool = false,
        of text: borrowing RawArray<UInt8>,
        into json: inout JSONBytes,
        rows: inout RawArray<EncodedResource>,
        fault: (Malformation.Kind, UInt64) -> Void
    ) {
        lastTemplate = -1
        written.removeAll()
        if metadataNumbers.isFull {
            metadataNumbers.removeAll()
            digests.removeAll()
        }
        let nesting = Nesting(role: nestedRole, nutrientsAlone: nutrientsAlone, isAddedUp: isAddedUp)
        unsafe batch.bytes.withElements { bytes in
            unsafe text.withElements { raw in
                unsafe batch.records.withElements { records in
                    unsafe batch.metadata.withElements { metadata in
                        for index in range?.clamped(to: records.indices) ?? records.indices {
                            let record = unsafe records[index]
                            // A batch without bytes has only records without attributes.
                            guard let base = record.isRaw ? raw.baseAddress : bytes.baseAddress else { continue }
                            let range = Int(record.firstMetadata)..<Int(record.firstMetadata + record.metadataCount)
                            let entries = unsafe UnsafeBufferPointer(rebasing: metadata[range])
                            if record.sharesFieldsWithLast, record.hasInstants, lastTemplate >= 0, nestedRole == nil,
                                unsafe mapRepeated(record, base, entries, metadata, &json, &rows)
                            {
                                continue
                            }
                            let input = unsafe RecordInput(record, base, entries)
                            if let kind = map(input, batch, nesting, &json, &rows) {
                                fault(kind, record.byteOffset)
                            }
                        }
                    }
                }
            }
        }
    }

    /// What was counted since the last call.
    package mutating func takeCounts() -> [TemplateCount] {
        settle()
        defer { counts.removeAll() }
        return counts
    }

    /// Moves what daily summaries need of the records mapped to the end of `all`.
    package mutating func takeSamples(into all: inout RawArray<SummarySample>) {
        guard samples.count > 0 else { return }
        unsafe samples.withElements { elements in
            guard let base = elements.baseAddress else { return }
            unsafe all.append(copyOf: base, count: elements.count)
        }
        samples.removeAll()
    }

    /// Moves the templates' counts to `counts`.
    mutating func settle() {
        for number in touched {
            let template = cache.templates[number]
            counts.append(TemplateCount(template, info: cache.infos[Int(template.info)]))
            cache.resetCounts(number)
        }
        touched.removeAll(keepingCapacity: true)
    }

    /// Maps one record.
    mutating func map(
        _ input: RecordInput,
        _ batch: borrowing ElementBatch,
        _ nesting: Nesting,
        _ json: inout JSONBytes,
        _ rows: inout RawArray<EncodedResource>
    ) -> Malformation.Kind? {
        let record = input.record
        let source = unsafe input.bytes.bytes(of: record.sourceName)
        guard unsafe RecordRequirement.isMet(type: input.type, sourceName: source, isRaw: record.isRaw) else {
            return unsafe leaveOut(input.type)
        }
        if input.metadata.hasPlace, !writer.options.includesRoutes {
            return mapWithoutPlaces(input, batch, nesting, &json, &rows)
        }
        let value = unsafe ExactDecimal(input.value)
        let template = unsafe template(for: input, value)
        let isLeftOut =
            unsafe record.isNested && (nesting.role == nil || (nesting.nutrientsAlone && !template.pointee.isNutrient))
        if isLeftOut, unsafe !nesting.isAddedUp || template.pointee.series < 0 { return nil }
        guard let (start, end) = instants(of: input) else { return isLeftOut ? nil : .unusableRecord }
        // Records of a workout are part of it, and are written if it is.
        let isPart = record.isNested && !nesting.nutrientsAlone && !isLeftOut
        let isInTime = writer.options.isWanted(start)
        let isWritten = unsafe isPart || (!isLeftOut && template.pointee.isWanted && isInTime)
        if !isWritten, !isLeftOut { unsafe template.pointee.filtered &+= 1 }
        // Part of its time may be on a day that `--since` includes.
        let reachesIn = writer.options.since.map { start < $0 && $0 < end } ?? false
        // A type that is not wanted gets no summary: what workouts hold of it is not all of a day's.
        let isInDays = isPart || isInTime || reachesIn
        let isAddedUp = unsafe template.pointee.series >= 0 && template.pointee.isWanted && isInDays
        guard isWritten || isAddedUp else { return nil }

        let resolved = unsafe ResolvedRecord(template: template, value: value, start: start, end: end)
        if input.hasBeats { beats.read(batch.trees[Int(record.beatList)], in: batch, start: start) }
        if unsafe !input.entries.isEmpty { unsafe orderEntries(input.entries, input.bytes) }
        let identity = identity(input, resolved)
        if isAddedUp { addSample(input, resolved, identity) }
        if isWritten { emit(input, resolved, identity, nesting, &json, &rows) }
        return end < start && !isLeftOut ? .endBeforeStart : nil
    }

    /// Writes a record and its row.
    private mutating func emit(
        _ input: RecordInput,
        _ resolved: ResolvedRecord,
        _ identity: (id: ResourceID, digest: UInt64),
        _ nesting: Nesting,
        _ json: inout JSONBytes,
        _ rows: inout RawArray<EncodedResource>
    ) {
        let template = unsafe resolved.template
        unsafe template.pointee.written &+= 1
        let added = unsafe metadataJSON(of: input, template)
        let place = json.count
        let places = write(input, resolved, identity.id, added, &json)
        var row = unsafe EncodedResource(
            id: identity.id,
            digest: identity.digest,
            rank: input.metadata.syncVersion,
            kind: template.pointee.kind,
            start: UInt32(truncatingIfNeeded: place),
            count: UInt32(truncatingIfNeeded: json.count - place),
            device: template.pointee.device,
            gateway: template.pointee.gateway
        )
        row.role = unsafe nesting.role ?? template.pointee.role
        rows.append(row)
        if lastTemplate >= 0, !input.hasBeats, nesting.role == nil, !added.hasUnmapped {
            remember(input, json: place..<json.count, places)
        }
        // The same sample inside a food panel waits for this one.
        if unsafe nesting.role == nil && template.pointee.isNutrient { rows.append(.covering(identity.id)) }
    }

    /// Counts a record that says too little to be used.
    private mutating func leaveOut(_ type: UnsafeRawBufferPointer) -> Malformation.Kind {
        let info = unsafe TemplateInfo(type: String(decoding: type, as: UTF8.self))
        counts.append(TemplateCount(info: info, records: 1, written: 0, filtered: 0))
        lastTemplate = -1
        return .unusableRecord
    }

    /// The template of a record, mostly that of the one before; counts the record in it.
    @inline(__always)
    private mutating func template(
        for input: RecordInput,
        _ value: ExactDecimal?
    ) -> UnsafeMutablePointer<RecordTemplate> {
        let isCategory = unsafe SampleKind.isCategory(input.type)
        let isFixed = isCategory || value == nil
        let isOwn = isFixed || input.metadata.changesTemplate
        var number = input.record.sharesFieldsWithLast && !isOwn ? lastTemplate : -1
        if number < 0 { number = templateNumber(of: input, isFixed: isFixed, isCategory: isCategory) }
        if let value, unsafe cache.pointer(number).pointee.isExceeded(by: value) {
            number = templateNumber(of: input, isFixed: isFixed, isCategory: isCategory, isSuspect: true)
        }
        let template = unsafe cache.pointer(number)
        lastTemplate = unsafe isOwn || template.pointee.isSuspect ? -1 : number
        if unsafe template.pointee.records == 0 { touched.append(number) }
        unsafe template.pointee.records &+= 1
        return unsafe template
    }

    /// When a record starts and ends, in seconds since 1970; `nil` if either is not a date that FHIR can hold.
    @inline(__always)
    private mutating func instants(of input: RecordInput) -> (start: Int64, end: Int64)? {
        let record = input.record
        var (start, end): (Int64?, Int64?) = (record.start, record.end)
        if !record.hasInstants {
            start =
                unsafe record.startDate.isPresent ? startDates.seconds(input.bytes.bytes(of: record.startDate)) : nil
            end = unsafe record.endDate.isPresent ? endDates.seconds(input.bytes.bytes(of: record.endDate)) : nil
        }
        guard let start, let end, FHIRDateTime.range.contains(start), FHIRDateTime.range.contains(end) else {
            return nil
        }
        return (start, end)
    }

    /// Keeps what a daily summary needs of a record.
    private mutating func addSample(
        _ input: RecordInput,
        _ resolved: ResolvedRecord,
        _ identity: (id: ResourceID, digest: UInt64)
    ) {
        let template = unsafe resolved.template
        guard resolved.end - resolved.start <= SummarySample.maximumSeconds else { return }
        var number = unsafe ExactDecimal(digits: UInt128(template.pointee.seriesStage), exponent: 0)
        if unsafe !template.pointee.valueIsFixed {
            // A negative amount, such as of steps, means nothing.
            guard let value = resolved.value, !value.isNegative else { return }
            number = unsafe template.pointee.canonicalUnit.exact(value, over: template.pointee.seriesDivisor)
        }
        unsafe samples.append(
            SummarySample(
                series: template.pointee.series,
                exponent: Int16(clamping: number.exponent),
                start: resolved.start,
                end: resolved.writtenEnd,
                digits: UInt64(truncatingIfNeeded: number.digits),
                source: template.pointee.seriesSource,
                id: identity.id.low,
                rank: input.metadata.syncVersion,
                digest: identity.digest
            )
        )
    }
}
