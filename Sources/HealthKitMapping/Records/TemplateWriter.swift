internal import FHIRR4
internal import HealthExport
internal import OpenSSLCrypto

/// A template's names, kept apart from the hot table.
struct TemplateInfo: Sendable {
    var type: String
    /// Whether the table doesn't know the type, or has codes for it that do not fit this unit.
    var lacksCodes = false
    var unknownUnit: String?
    var lacksUnit = false
    var unknownValue: String?
    var isSuspectPercent = false
    /// The unit of its numbers; `nil` if the value is not a number.
    var valueUnit: ValueUnit?
}

/// Makes record templates: decides codes, units, profile, category and Devices.
struct TemplateWriter {
    let table: MappingTable
    let options: MappingOptions
    let scheme: IdentityScheme
    private let sources: SampleSources

    /// A writer for one worker.
    init(table: MappingTable, options: MappingOptions, scheme: IdentityScheme, registry: DeviceRegistry) {
        self.table = table
        self.options = options
        self.scheme = scheme
        sources = SampleSources(DeviceWriter(scheme: scheme, form: options.form), registry)
    }

    /// What the writer decided about a record's value.
    struct Meaning {
        var codings: [Coding] = []
        /// R4's own profile, for a vital sign.
        var vitalSign: String?
        var unit: UnitMapping?
        var conversion = ValueConversion.asWritten
    }

    /// Makes the template of `key`, and appends its pieces to `arena`.
    func make(_ key: RecordKey, arena: inout PieceArena) -> (RecordTemplate, TemplateInfo) {
        let mapping = table.type(key.type)
        let origin = sources.source(
            name: key.sourceName,
            version: key.sourceVersion,
            device: key.device,
            key.deviceMetadata
        )
        var info = TemplateInfo(type: key.type, lacksCodes: mapping == nil)
        let meaning = meaning(of: key, mapping, &info)
        let kind = SampleKind(type: key.type).rawValue
        var template = RecordTemplate(
            identityHead: scheme.head(kind: kind, type: key.type, source: origin.identity),
            unsourcedHead: scheme.head(kind: kind, type: key.type, source: ""),
            digestHead: digestHead(key, source: origin.name, device: origin.text)
        )
        putKind(of: key, meaning, &info, into: &template)
        template.metadataPlaces = metadataPlaces(of: key, mapping, meaning, origin)
        if options.summarizes { putSeries(of: key, source: origin.name, device: origin.text, into: &template) }
        putOpening(of: key, meaning, into: &template, &arena)
        putCode(of: key, mapping, meaning, into: &template, &arena)
        template.beforeValue = arena.piece { json in
            json.append(",\"performer\":[{\"reference\":\"\(options.subject)\"}]")
            writeValueOpening(key, mapping, &info, &json)
        }
        putRest(of: key, meaning, origin, into: &template, &arena)
        putIdentityValue(of: key, into: &template, &arena)
        template.sourceName = arena.piece { $0.append(origin.name) }
        return (template, info)
    }

    /// Sets what a record of this template is, and how its value is read.
    private func putKind(
        of key: RecordKey,
        _ meaning: Meaning,
        _ info: inout TemplateInfo,
        into template: inout RecordTemplate
    ) {
        template.kind = EncodedResource.kind(of: key.type)
        if BloodPressure.valueTypes.contains(where: { key.type.isExactly($0) }) { template.role = .waiting }
        template.isNutrient = key.type.utf8.starts(with: FoodPanel.nutrientPrefix.utf8)
        template.isWanted = options.wants(key.type)
        template.hasOwnID = options.form != .conditionalCreate
        template.hasTrailingID = options.form.hasRequest
        template.conversion = meaning.conversion
        template.takesFractions = key.unit == "%" && !key.isSuspectPercent && key.fixedValue == nil
        template.fractionCeiling = FractionCeiling.of(key.type)
        template.isSuspect = key.isSuspectPercent
        guard key.fixedValue == nil else { return }
        info.valueUnit = ValueUnit(
            appleUnit: key.unit,
            unit: meaning.unit,
            conversion: meaning.conversion,
            isSaturation: key.type.isExactly("HKQuantityTypeIdentifierOxygenSaturation"),
            fractionCeiling: template.fractionCeiling
        )
    }

    private func metadataPlaces(
        of key: RecordKey,
        _ mapping: TypeMapping?,
        _ meaning: Meaning,
        _ origin: SampleSource
    ) -> MetadataPlaces {
        var places: MetadataPlaces = meaning.vitalSign == nil ? .panel : .vitalSignsPanel
        if key.fixedValue == nil { places.insert(.number) }
        if mapping?.category == "laboratory" { places.remove(.laboratory) }
        if origin.hasUDI { places.remove(.udi) }
        return places
    }

    /// Writes what precedes the id, and from there to the identifier.
    private func putOpening(
        of key: RecordKey,
        _ meaning: Meaning,
        into template: inout RecordTemplate,
        _ arena: inout PieceArena
    ) {
        template.beforeID = arena.piece { options.form.writeBeforeID(.observation, to: &$0) }
        template.beforeIdentifier = arena.piece { json in
            options.form.writeAfterID(.observation, to: &json)
            json.append(",\"meta\":{\"profile\":[")
            if let vitalSign = meaning.vitalSign { json.append("\"\(vitalSign)\",") }
            json.append("\"\(ProfileURL.record(ofType: key.type))\"]}")
            json.append(",\"identifier\":[{\"system\":\"\(ResourceID.identifierSystem)\",\"value\":\"")
        }
    }

    /// Writes from the identifier to the time: status, category, code and subject.
    private func putCode(
        of key: RecordKey,
        _ mapping: TypeMapping?,
        _ meaning: Meaning,
        into template: inout RecordTemplate,
        _ arena: inout PieceArena
    ) {
        template.beforeEffective = arena.piece { json in
            json.append("\"}],\"status\":\"final\",\"category\":[")
            let category = mapping?.category ?? ObservationDraft.categoryOfUnknown(key.type)
            json.appendConcept([ObservationDraft.category(category)])
            if key.wasTakenInLab, category != "laboratory" {
                json.append(",")
                json.appendConcept([ObservationDraft.category("laboratory")])
            }
            json.append("],\"code\":")
            json.appendConcept(meaning.codings + [.apple(key.type, mapping?.display)], text: mapping?.display)
            json.append(",\"subject\":{\"reference\":\"\(options.subject)\"},")
        }
    }

    /// Writes what follows the value: unit, Devices, request.
    private func putRest(
        of key: RecordKey,
        _ meaning: Meaning,
        _ origin: SampleSource,
        into template: inout RecordTemplate,
        _ arena: inout PieceArena
    ) {
        template.device = origin.device?.number ?? -1
        template.gateway = origin.gateway?.number ?? -1
        var (deviceEnd, gatewayEnd) = (0, 0)
        template.afterValue = arena.piece { json in
            let start = json.count
            if key.fixedValue == nil { writeUnit(key, meaning, &json) }
            if let device = origin.device {
                json.append(",\"device\":{\"reference\":\"")
                options.form.writeReference("Device", device.id, to: &json)
                json.append("\"}")
            }
            deviceEnd = json.count - start
            gatewayEnd = deviceEnd
            if let gateway = origin.gateway {
                json.append(
                    ",\"extension\":[{\"url\":\"http://hl7.org/fhir/StructureDefinition/observation-gatewayDevice\","
                        + "\"valueReference\":{\"reference\":\""
                )
                options.form.writeReference("Device", gateway.id, to: &json)
                json.append("\"}}")
                gatewayEnd = json.count - start
                json.append("]")
            }
            options.form.writeBeforeLastID(.observation, to: &json)
        }
        template.deviceEnd = UInt32(deviceEnd)
        template.gatewayEnd = UInt32(gatewayEnd)
        template.end = arena.piece { options.form.writeAfterLastID(to: &$0) }
    }

    /// Sets how the value enters the identity.
    private func putIdentityValue(
        of key: RecordKey,
        into template: inout RecordTemplate,
        _ arena: inout PieceArena
    ) {
        if let fixed = key.fixedValue {
            template.valueIsFixed = true
            template.fixedIdentityValue = arena.piece { json in
                switch fixed {
                case .category(let value): json.append(CategoryNumbers.identityText(of: value))
                case .text(let value): json.append(value ?? "")
                }
            }
        } else if let unit = key.unit, !unit.isEmpty {
            if let rule = CanonicalUnit.rule(for: unit) {
                template.canonicalUnit = rule
                template.isCanonical = rule.changesNothing
            } else {
                template.identitySuffix = arena.piece { $0.append(" \(unit)") }
            }
        }
    }

    /// Sets how records of this template enter a daily summary, if they do.
    private func putSeries(
        of key: RecordKey,
        source: String,
        device: DeviceText,
        into template: inout RecordTemplate
    ) {
        let index = SummarySeries.index(of: key.type)
        guard index >= 0, !key.isSuspectPercent else { return }
        let series = SummarySeries.all[Int(index)]
        switch key.fixedValue {
        case .category(let value?):
            // A value of another enumeration may have the same number.
            guard table.type(key.type)?.value(value) != nil else { return }
            let number = UInt64(CategoryNumbers.identityText(of: value))
            guard let number, SummarySeries.sleepStages.contains(where: { $0.number == number }) else { return }
            template.seriesStage = number
        case nil:
            guard let unit = key.unit, CanonicalUnit.rule(for: unit) != nil, let mapping = table.type(key.type),
                let code = mapping.unit(unit)?.ucumCode, mapping.measures(inUCUM: code)
            else { return }
        default: return
        }
        template.series = index
        template.seriesDivisor = series.divisor
        template.seriesSource = SourceRank.number(
            hardware: device.hardware,
            // Two apps on one phone may both have counted.
            source: device.hardware.isEmpty ? source : device.hardware + IdentityScheme.separator + source
        )
    }

    private func digestHead(_ key: RecordKey, source: String, device: DeviceText) -> SHA256Midstate {
        let fields =
            [IdentityScheme.name, key.type, key.unit ?? "", source, key.sourceVersion] + device.described
        return scheme.hash.head(paddedWithZeros: Array(fields.joined(separator: IdentityScheme.separator).utf8))
    }

    /// Codes, unit and profile of a record.
    private func meaning(of key: RecordKey, _ mapping: TypeMapping?, _ info: inout TemplateInfo) -> Meaning {
        var meaning = Meaning()
        if key.isSuspectPercent {
            // 9,700 % would be a lie and 97 % a guess: it stays as the app wrote it, without a UCUM code.
            info.isSuspectPercent = true
        } else if key.fixedValue == nil, let unit = key.unit?.unlessBlank {
            meaning.unit = mapping?.unit(unit) ?? table.unit(unit)
            if meaning.unit == nil { info.unknownUnit = unit }
            // Apple's `%` is a fraction of one in every record (0.97 for 97 %).
            if unit == "%" { meaning.conversion = .shifted(by: 2) }
        } else if key.fixedValue == nil {
            info.lacksUnit = MappingTally.wantsUnit(key.type)
        }
        guard let mapping else { return meaning }
        if let unit = meaning.unit, mapping.losesCodes(in: unit) { info.lacksCodes = true }
        meaning.codings = mapping.codings(ucumCode: meaning.unit?.ucumCode)
        for coding in meaning.codings where coding.system == CodeSystem.loinc {
            guard let profile = VitalSignsProfile.profile(loinc: coding.code) else { continue }
            if let unit = meaning.unit, profile.allowedUnits.contains(unit.ucumCode) {
                meaning.vitalSign = profile.url
            } else if let unit = meaning.unit, let converted = profile.conversions[unit.ucumCode] {
                meaning.vitalSign = profile.url
                meaning.unit = converted.unit
                meaning.conversion = converted.conversion
            } else {
                // Without an allowed unit the resource must not carry the profile's code.
                meaning.codings.removeAll { $0.system == CodeSystem.loinc }
            }
            break
        }
        return meaning
    }
}
