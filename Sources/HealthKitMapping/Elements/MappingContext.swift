internal import FHIRR4
internal import HealthExport
internal import OpenSSLCrypto

/// What the mappers of elements share: the table, the options, the naming, the Devices.
///
/// Pure but for the registry, in which each new Device is put once.
struct MappingContext: Sendable {
    let table: MappingTable
    let options: MappingOptions
    let scheme: IdentityScheme
    let registry: DeviceRegistry
    /// The day of the export, such as `2024-07-01`; `nil` where the export does not say.
    var exportDay: String?

    init(table: MappingTable, options: MappingOptions, registry: DeviceRegistry) {
        self.table = table
        self.options = options
        self.registry = registry
        scheme = IdentityScheme(subject: options.subject, key: options.identityKey)
    }

    /// A reference to a resource of this run.
    func reference(_ type: ResourceType, _ id: ResourceID) -> JSONValue {
        ["reference": .string(options.form.reference(type: type.name, id: id))]
    }

    /// A reference to the patient.
    var subject: JSONValue { ["reference": .string(options.subject)] }

    /// Whether `--since` and `--until` let a sample in that starts at this instant.
    func isWanted(_ start: Int64) -> Bool { options.isWanted(start) }

    /// Whether they let a day in: it begins at midnight in the zone that times are written in, as their own dates do.
    func isWanted(day: String) -> Bool {
        guard options.since != nil || options.until != nil else { return true }
        return CalendarDay.start(of: day, in: options.timeZone).map { isWanted($0) } ?? false
    }

    /// Whether `--since` and `--until` let all samples of a time in.
    func isWhole(_ time: Range<Int64>) -> Bool {
        if let since = options.since, time.lowerBound < since { return false }
        if let until = options.until, time.upperBound > until { return false }
        return true
    }

    /// What a sample's metadata adds, the keys left out that its mapper has read itself.
    func metadata(
        of frame: SampleFrame,
        except keys: Set<String> = [],
        places: MetadataPlaces = .panel,
        unit: ValueUnit? = nil
    ) -> MetadataElements {
        let entries = MetadataMapper.distinct(frame.metadata.filter { !keys.contains($0.key) })
        let mapper = MetadataMapper(table: table, keepsRest: options.keepsMetadata)
        return mapper.map(entries, places: places, unit: unit, hasZone: Self.hasZone(frame.metadata))
    }

    /// Whether the `HKTimeZone` among these entries, if there is one, is a zone.
    static func hasZone(_ metadata: [(key: String, value: String)]) -> Bool {
        SampleFrame.value(of: "HKTimeZone", in: metadata).map { ZoneOffsets(name: $0) != nil } ?? true
    }

    /// Whether `--types` asks for one of these.
    func wants(_ types: [String]) -> Bool { options.types.map { !$0.isDisjoint(with: types) } ?? true }

    /// Whether a number in Apple's `%` is above 1.5, so that it can hardly be a fraction of one.
    func isSuspectPercent(_ text: String, unit: String?) -> Bool {
        unit == "%" && ExactDecimal(text)?.isAbove(ValueUnit.suspectPercent) == true
    }

    /// A number with its unit as a FHIR `Quantity`, by the rules of records: UCUM where the unit is
    /// known, Apple's fractions in percent unless they are suspect, at most 18 digits.
    ///
    /// - Parameters:
    ///   - text: the number as Apple wrote it.
    ///   - unit: Apple's unit, such as `km`.
    ///   - type: the quantity type, which gives some units a meaning of their own.
    ///   - comparator: `<=` or `>=` for a value that was clamped.
    /// - Returns: the Quantity, or `nil` where `text` is no decimal.
    func quantity(_ text: String?, unit: String?, type: String? = nil, comparator: String? = nil) -> JSONValue? {
        guard let text, let value = ExactDecimal(text) else { return nil }
        let isSuspect = isSuspectPercent(text, unit: unit)
        let mapped =
            isSuspect ? nil : unit.flatMap { unit in type.flatMap { table.type($0)?.unit(unit) } ?? table.unit(unit) }
        let conversion: ValueConversion = unit == "%" && !isSuspect ? .shifted(by: 2) : .asWritten
        return [
            "value": .number(conversion.text(of: value, asWritten: text)), "comparator": JSONValue(comparator),
            "unit": JSONValue(mapped?.display ?? unit.flatMap(\.unlessBlank)),
            "system": mapped == nil ? nil : "http://unitsofmeasure.org", "code": JSONValue(mapped?.ucumCode),
        ]
    }

    /// `effectiveDateTime` or `effectivePeriod`, in UTC or in a real zone, with the zone's name beside each time.
    ///
    /// - Parameters:
    ///   - start: in seconds since 1970.
    ///   - end: the same.
    ///   - endMilliseconds: what the end has beside its seconds, 0 to 999.
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
        var zone = zone(name)
        return time("effectiveDateTime", start, in: &zone)
    }

    /// A `Period`, its times written as those of `effective`.
    func period(_ start: Int64, _ end: Int64, endMilliseconds: Int = 0, zone name: String?) -> JSONValue {
        var zone = zone(name)
        let milliseconds = FHIRDateTime.milliseconds(start, end, endMilliseconds)
        var members = time("start", start, milliseconds: milliseconds.start, in: &zone)
        // A period without an end goes on.
        if end != ExportDate.distantFuture {
            members += time("end", end, milliseconds: milliseconds.end, in: &zone)
        }
        return .object(members)
    }

    /// The zone of this name, or else the run's; `nil` for UTC.
    func zone(_ name: String?) -> ZoneOffsets? {
        name.flatMap { ZoneOffsets(name: $0) } ?? options.timeZone.flatMap { ZoneOffsets(name: $0) }
    }

    /// One time under a key of its own, as `effective` writes it.
    func time(_ key: String, _ seconds: Int64, zone name: String?) -> [JSONValue.Member] {
        var zone = zone(name)
        return time(key, seconds, in: &zone)
    }

    private func time(
        _ key: String,
        _ seconds: Int64,
        milliseconds: Int? = nil,
        in zone: inout ZoneOffsets?
    ) -> [JSONValue.Member] {
        func text(offsetMinutes: Int?) -> JSONValue {
            .string(FHIRDateTime.text(seconds, milliseconds: milliseconds, offsetMinutes: offsetMinutes))
        }
        guard let minutes = zone?.minutes(at: seconds), let name = zone?.name else {
            return [.init(key, text(offsetMinutes: nil))]
        }
        return [
            .init(key, text(offsetMinutes: minutes)),
            .init(
                "_" + key,
                [
                    "extension": [
                        ["url": "http://hl7.org/fhir/StructureDefinition/tz-code", "valueCode": .string(name)]
                    ]
                ]
            ),
        ]
    }
}

extension FHIRDateTime {
    /// What the times of a period have behind their seconds, `nil` for nothing: the end what it lasts beyond whole
    /// seconds, the start `.000` where the two are in one second, since not every validator compares texts of two
    /// precisions (R4's invariant per-1).
    static func milliseconds(_ start: Int64, _ end: Int64, _ endMilliseconds: Int) -> (start: Int?, end: Int?) {
        endMilliseconds == 0 ? (nil, nil) : (start == end ? 0 : nil, endMilliseconds)
    }

    /// The instant as text, to the millisecond where it has any: `2024-03-31T00:59:59.250Z`.
    static func text(_ seconds: Int64, milliseconds: Int?, offsetMinutes: Int?) -> String {
        let text = text(seconds, offsetMinutes: offsetMinutes)
        guard let milliseconds else { return text }
        // Behind `2024-03-31T00:59:59`.
        return "\(text.prefix(19)).\(String(1000 + milliseconds).dropFirst())\(text.dropFirst(19))"
    }
}

extension Coding {
    /// The coding as JSON.
    var json: JSONValue { ["system": .string(system), "code": .string(code), "display": JSONValue(display)] }

    /// A coding of Apple's types: `http://developer.apple.com/documentation/healthkit`.
    static func apple(_ code: String, _ display: String? = nil) -> Coding {
        Coding(system: TemplateWriter.appleSystem, code: FHIRText.code(code), display: display)
    }

    /// A LOINC coding.
    static func loinc(_ code: String, _ display: String) -> Coding {
        Coding(system: "http://loinc.org", code: code, display: display)
    }
}

extension JSONValue {
    /// A `CodeableConcept`.
    static func concept(_ codings: [Coding], text: String? = nil) -> JSONValue {
        ["coding": .list(codings.map(\.json)), "text": JSONValue(text)]
    }

    /// A `Quantity` in one UCUM unit, of at most 18 digits; `nil` where `text` is no decimal.
    static func quantity(_ text: String, unit: String, code: String) -> JSONValue? {
        guard let value = ExactDecimal(text) else { return nil }
        return [
            "value": .number(value.isShort ? text : value.shortText), "unit": .string(unit),
            "system": "http://unitsofmeasure.org", "code": .string(code),
        ]
    }

    /// A `CodeableConcept` that says why a value is not there, such as `unknown`.
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
