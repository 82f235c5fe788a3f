internal import FHIRR4
internal import HealthExport
internal import Synchronization

/// What the mappers of elements share: the table, the options, the naming, the Devices.
///
/// Pure except for the registry, into which each new Device is put once, and for the sources and zones that it
/// remembers. One serves one worker.
final class MappingContext: Sendable {
    let table: MappingTable
    let options: MappingOptions
    let scheme: ElementIdentity
    let registry: DeviceRegistry
    let metadataMapper: MetadataMapper
    private let sources: SampleSources
    private let zones = Mutex(KeptValues<ZoneOffsets?>())

    init(table: MappingTable, options: MappingOptions, registry: DeviceRegistry) {
        self.table = table
        self.options = options
        self.registry = registry
        let scheme = IdentityScheme(subject: options.subject, key: options.identityKey)
        self.scheme = ElementIdentity(scheme)
        metadataMapper = MetadataMapper(table: table, keepsRest: options.keepsMetadata)
        sources = SampleSources(DeviceWriter(scheme: scheme, form: options.form), registry)
    }

    /// Who wrote an element and what measured it; `metadata` is what its own metadata says about the device.
    func source(of element: HealthElement, _ metadata: DeviceMetadata) -> SampleSource {
        sources.source(of: element, metadata)
    }

    /// What a device text alone says about a source.
    func source(measuring device: DeviceText) -> SampleSource { sources.source(measuring: device) }

    /// A reference to a resource of this run.
    func reference(_ type: ResourceType, _ id: ResourceID) -> JSONValue {
        ["reference": .string(options.form.reference(type: type.name, id: id))]
    }

    /// Appends the same.
    func writeReference(_ type: ResourceType, _ id: ResourceID, to json: inout JSONBytes) {
        json.append(literal: "{\"reference\":\"")
        options.form.writeReference(type.name, id, to: &json)
        json.append(literal: "\"}")
    }

    /// A reference to the patient.
    var subject: JSONValue { ["reference": .string(subjectReference)] }

    /// `Patient/ID`.
    var subjectReference: String { scheme.scheme.subject }

    /// Whether `--since` and `--until` include a sample that starts at this instant.
    func isWanted(_ start: Int64) -> Bool { options.isWanted(start) }

    /// Whether they include a day: it begins at midnight in the zone that times are written in, as their own dates do.
    func isWanted(day: String) -> Bool {
        guard options.since != nil || options.until != nil else { return true }
        return CalendarDay.start(of: day, in: options.timeZone).map { isWanted($0) } ?? false
    }

    /// Whether `--since` and `--until` include all samples of a stretch of time.
    func isWhole(_ time: Range<Int64>) -> Bool {
        if let since = options.since, time.lowerBound < since { return false }
        if let until = options.until, time.upperBound > until { return false }
        return true
    }

    /// What a sample's metadata adds, except for keys that its mapper has read itself.
    ///
    /// The `unread` keys have no place in this resource, though they have one in others.
    func metadata(
        of frame: SampleFrame,
        except keys: Set<String> = [],
        unread: Set<String> = [],
        places: MetadataPlaces = .panel,
        unit: ValueUnit? = nil
    ) -> MetadataElements {
        guard !frame.metadata.isEmpty else { return MetadataElements() }
        let rest = keys.isEmpty ? frame.metadata : frame.metadata.filter { !keys.contains($0.key) }
        return metadataMapper.map(
            MetadataMapper.distinct(rest),
            places: places.subtracting(frame.takenPlaces),
            unit: unit,
            hasZone: hasZone(frame.metadata)
        ) { key, _ in !unread.contains(key) }
    }

    /// Whether the `HKTimeZone` among these entries is a zone; `true` if there is none.
    func hasZone(_ metadata: [(key: String, value: String)]) -> Bool {
        SampleFrame.value(of: "HKTimeZone", in: metadata).map { withZone($0) { $0 != nil } } ?? true
    }

    /// Whether `--types` asks for one of these.
    func wants(_ types: [String]) -> Bool { types.contains { options.wants($0) } }

    /// Whether a number in Apple's `%` is too large to be a fraction of one.
    func isSuspectPercent(_ text: String, unit: String?, type: String? = nil) -> Bool {
        unit == "%" && ExactDecimal(text)?.isAbove(FractionCeiling.of(type)) == true
    }

    /// A number with its unit as a FHIR `Quantity`, by the rules of records: UCUM where the unit is
    /// known, Apple's fractions in percent unless they are suspect, at most 18 digits.
    ///
    /// - Parameters:
    ///   - text: the number as Apple wrote it.
    ///   - unit: Apple's unit, such as `km`.
    ///   - type: the quantity type, which gives some units a meaning of their own.
    ///   - comparator: `<=` or `>=` for a value that was clamped.
    /// - Returns: the Quantity, or `nil` if `text` is not a decimal.
    func quantity(_ text: String?, unit: String?, type: String? = nil, comparator: String? = nil) -> JSONValue? {
        let meaning = unit.flatMap { unit in type.flatMap { table.type($0)?.unit(unit) } ?? table.unit(unit) }
        return quantity(text, unit: unit, meaning: meaning, type: type, comparator: comparator)
    }

    /// The same if it is known what the unit means for the type.
    func quantity(
        _ text: String?,
        unit: String?,
        meaning: UnitMapping?,
        type: String?,
        comparator: String? = nil
    ) -> JSONValue? {
        guard let text, let value = ExactDecimal(text) else { return nil }
        let isSuspect = isSuspectPercent(text, unit: unit, type: type)
        let mapped = isSuspect ? nil : meaning
        let conversion: ValueConversion = unit == "%" && !isSuspect ? .shifted(by: 2) : .asWritten
        return .quantity(
            conversion.text(of: value, asWritten: text),
            comparator: comparator,
            mapped?.display ?? unit.flatMap(\.unlessBlank),
            code: mapped?.ucumCode
        )
    }

    /// `effectiveDateTime` or `effectivePeriod`, in UTC or in a real zone, with the zone's name next to each time.
    ///
    /// - Parameters:
    ///   - start: in seconds since 1970.
    ///   - end: the same.
    ///   - endMilliseconds: what the end has in addition to its seconds, 0 to 999.
    ///   - name: the sample's own zone; `nil` takes that of the options.
    /// - Returns: one element.
    func effective(
        _ start: Int64,
        _ end: Int64,
        endMilliseconds: Int = 0,
        zone name: String?
    ) -> [JSONValue.Member] {
        guard start == end, endMilliseconds == 0 else {
            return [
                .init("effectivePeriod", period(start, end, endMilliseconds: endMilliseconds, zone: name))
            ]
        }
        return time("effectiveDateTime", start, zone: name)
    }

    /// A `Period`, with its times written as in `effective`.
    func period(_ start: Int64, _ end: Int64, endMilliseconds: Int = 0, zone name: String?) -> JSONValue {
        let milliseconds = FHIRDateTime.milliseconds(start, end, endMilliseconds)
        var members = time("start", start, milliseconds: milliseconds.start, zone: name)
        // A period that has not ended has no end.
        if end != ExportDate.distantFuture {
            members += time("end", end, milliseconds: milliseconds.end, zone: name)
        }
        return .object(members)
    }

    /// The offset at an instant of the zone of this name, or else of the run's, and the zone's name; `nil` for UTC.
    func offset(at seconds: Int64, zone name: String?) -> (minutes: Int, zone: String)? {
        func offset(_ zone: inout ZoneOffsets?) -> (minutes: Int, zone: String)?? {
            guard let name = zone?.name else { return nil }
            return .some(zone?.minutes(at: seconds).map { ($0, name) })
        }
        if let name, let known = withZone(name, offset) { return known }
        return options.timeZone.flatMap { withZone($0, offset) } ?? nil
    }

    /// What a digest has of the offsets at two times in the zone that an element names.
    ///
    /// What it says of its times depends on the zone's rules. The run's own zone is an option, which no digest has.
    func offsets(at start: Int64, _ end: Int64, zone name: String?) -> String? {
        name.flatMap { name in
            withZone(name) { zone in RecordZones.text(zone?.minutes(at: start), zone?.minutes(at: end)) }
        }
    }

    /// The digest of an element, and of the offsets of its times if it names a zone.
    func digest(of element: HealthElement, _ start: Int64, _ end: Int64, zone name: String?) -> UInt64 {
        guard let offsets = offsets(at: start, end, zone: name) else { return scheme.digest(of: element) }
        return scheme.digest(of: element, with: Array(offsets.utf8))
    }

    /// Lends the zone of a name, `nil` if there is none.
    private func withZone<Result: Sendable>(_ name: String, _ body: (inout ZoneOffsets?) -> Result) -> Result {
        zones.withLock { $0.withValue(of: name, orMake: { ZoneOffsets(name: name) }, body) }
    }

    /// One time under its own key, as `effective` writes it.
    func time(_ key: String, _ seconds: Int64, milliseconds: Int? = nil, zone name: String?) -> [JSONValue.Member] {
        func text(offsetMinutes: Int?) -> JSONValue {
            .string(FHIRDateTime.text(seconds, milliseconds: milliseconds, offsetMinutes: offsetMinutes))
        }
        guard let (minutes, name) = offset(at: seconds, zone: name) else {
            return [.init(key, text(offsetMinutes: nil))]
        }
        return [.init(key, text(offsetMinutes: minutes)), Self.zone(name, of: key)]
    }

    /// A day under its own key, with the zone in which it begins and ends, which a date alone does not show.
    func day(_ key: String, _ date: String) -> [JSONValue.Member] {
        [.init(key, .string(date)), Self.zone(options.timeZone ?? "Etc/UTC", of: key)]
    }

    private static func zone(_ name: String, of key: String) -> JSONValue.Member {
        let url = "http://hl7.org/fhir/StructureDefinition/tz-code"
        return .init("_" + key, ["extension": [["url": .string(url), "valueCode": .string(name)]]])
    }
}

extension FHIRDateTime {
    /// The milliseconds with which the times of a period are written, `nil` for none: the end has what it lasts beyond
    /// whole seconds, the start `.000` if both are in one second, since not every validator compares times of different
    /// precision (R4's invariant per-1).
    static func milliseconds(_ start: Int64, _ end: Int64, _ endMilliseconds: Int) -> (start: Int?, end: Int?) {
        endMilliseconds == 0 ? (nil, nil) : (start == end ? 0 : nil, endMilliseconds)
    }

    /// The instant as text, with milliseconds if there are any: `2024-03-31T00:59:59.250Z`.
    static func text(_ seconds: Int64, milliseconds: Int?, offsetMinutes: Int?) -> String {
        let text = text(seconds, offsetMinutes: offsetMinutes)
        guard let milliseconds else { return text }
        // After `2024-03-31T00:59:59`.
        return "\(text.prefix(19)).\(String(1000 + milliseconds).dropFirst())\(text.dropFirst(19))"
    }
}

extension Coding {
    /// A coding of Apple's types: `http://developer.apple.com/documentation/healthkit`.
    static func apple(_ code: String, _ display: String? = nil) -> Coding {
        Coding(system: TypeCatalog.system, code: FHIRText.code(code), display: display)
    }

    /// A LOINC coding.
    static func loinc(_ code: String, _ display: String) -> Coding {
        Coding(system: CodeSystem.loinc, code: code, display: display)
    }
}

extension JSONValue {
    /// An `Attachment` that holds its content.
    static func attachment(_ content: [UInt8], contentType: String, title: String? = nil) -> JSONValue {
        [
            "contentType": .string(contentType), "data": .base64(content), "size": .number(String(content.count)),
            "title": JSONValue(title),
        ]
    }

    /// A `Quantity` whose code, if it has one, is UCUM's.
    static func quantity(
        _ number: String,
        comparator: String? = nil,
        _ unit: String?,
        code: String?
    ) -> JSONValue {
        .object([
            .init("value", .number(number)), .init("comparator", JSONValue(comparator)), .init("unit", JSONValue(unit)),
            .init("system", JSONValue(code.map { _ in CodeSystem.ucum })), .init("code", JSONValue(code)),
        ])
    }

    /// A `Quantity` in one UCUM unit, of at most 18 digits; `nil` if `text` is not a decimal.
    static func quantity(_ text: String, unit: String, code: String) -> JSONValue? {
        guard let value = ExactDecimal(text) else { return nil }
        return .quantity(ValueConversion.asWritten.text(of: value, asWritten: text), unit, code: code)
    }

    /// A `CodeableConcept` that says why a value is absent, such as `unknown`.
    static func dataAbsent(_ code: String, _ display: String) -> JSONValue {
        .concept([
            Coding(
                system: "http://terminology.hl7.org/CodeSystem/data-absent-reason",
                code: code,
                display: display
            )
        ])
    }
}
