/// Writes the elements of an export, with attributes in Apple's order and one space of indentation per level.
struct ElementWriter: ~Copyable {
    var bytes: ByteWriter
    let shape: SyntheticExport.Shape
    let zone: HomeZone
    private let seed: UInt64
    /// Whether the record that is being written is inside a `Correlation`.
    var isInCorrelation = false
    /// The bytes of the records whose number depends on the density, without the heart rate.
    var densityDependentByteCount: UInt64 = 0
    private var dates: DateText
    private var pointers: RandomSequence

    init(for options: SyntheticExport.Options, drain: @escaping (RawSpan) -> Bool) {
        bytes = ByteWriter(drain: drain)
        shape = options.shape
        zone = options.zone
        seed = options.seed
        dates = DateText(offsetMinutes: options.utcOffsetMinutes)
        // Memory addresses differ from export to export, so the last day is part of their seed.
        pointers = RandomSequence(seed: options.seed, stream: "pointers", day: options.endDate.daysSince1970)
    }

    // MARK: Records

    /// Writes one `Record` and, if the shape has any, its metadata.
    mutating func record(_ sample: Sample, of type: RecordType, from source: SourceText) {
        openRecord(sample, of: type, from: source, indent: " ")
        var metadata = sample.metadata
        switch shape {
        case .apple, .full: break
        case .plain: metadata = .none
        case .app:
            var random = RandomSequence(seed: seed, stream: type.identifier, day: sample.start)
            metadata = .synchronized(identifier: random.next(), modified: sample.created)
        }
        if case .none = metadata { return closeEmpty() }
        bytes.append(">\n")
        write(metadata)
        bytes.append(" </Record>\n")
    }

    /// Writes the start tag of a `Record`, without the `>` or `/>` at its end.
    mutating func openRecord(_ sample: Sample, of type: RecordType, from source: SourceText, indent: StaticString) {
        bytes.append(indent)
        bytes.append("<Record type=\"")
        bytes.append(type.identifier)
        self.source(source)
        if let unit = type.unit {
            bytes.append("\" unit=\"")
            bytes.append(unit)
        }
        times(of: sample)
        switch sample.value {
        case .number(let number):
            bytes.append("\" value=\"")
            bytes.append(number.sixDigits)
        case .name(let name):
            bytes.append("\" value=\"")
            bytes.append(name)
        case .absent: break
        }
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func closeEmpty() { bytes.append("/>\n") }

    // MARK: Attributes shared by Record, Correlation and Workout

    /// Writes `sourceName`, `sourceVersion` and `device`, without the last closing quote.
    mutating func source(_ source: SourceText) {
        bytes.append("\" sourceName=\"")
        sourceValues(source)
    }

    /// Writes what follows `sourceName="`, for an element whose first attribute that is.
    mutating func sourceValues(_ source: SourceText) {
        bytes.append(source.name)
        bytes.append("\" sourceVersion=\"")
        bytes.append(source.version)
        guard shape.isApples, let device = source.device else { return }
        bytes.append("\" device=\"&lt;&lt;HKDevice: 0x28")
        bytes.appendHexadecimal(pointers.next(), width: 6)
        bytes.append("0&gt;")
        bytes.append(device)
        bytes.append(source.version)
        bytes.append("&gt;")
    }

    /// Writes `creationDate`, `startDate` and `endDate`, without the last closing quote.
    mutating func times(of sample: Sample) {
        bytes.append("\" creationDate=\"")
        date(sample.created)
        bytes.append("\" startDate=\"")
        date(sample.start)
        bytes.append("\" endDate=\"")
        date(sample.end)
    }

    /// Writes an instant, given in seconds since 1970, as `2024-06-30 21:04:09 -0700`.
    mutating func date(_ instant: Int) { dates.append(instant, to: &bytes) }

    /// Writes a day, given in days since 1970, as `2024-06-30`.
    mutating func day(_ daysSince1970: Int) { dates.appendDay(daysSince1970, to: &bytes) }
}

/// A record's `type` and `unit`.
struct RecordType {
    let identifier: StaticString
    let unit: StaticString?

    init(_ identifier: StaticString, unit: StaticString? = nil) {
        self.identifier = identifier
        self.unit = unit
    }
}

/// One measurement; the times are in seconds since 1970.
struct Sample {
    enum Value {
        case number(FixedPoint)
        case name(StaticString)
        /// Neither value nor unit, as Apple writes a high heart rate event.
        case absent
    }

    let start: Int
    let end: Int
    let created: Int
    let value: Value
    var metadata: Metadata = .none
}
