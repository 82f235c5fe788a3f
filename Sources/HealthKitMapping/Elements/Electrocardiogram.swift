internal import FHIRR4
internal import HealthExport
internal import OpenSSLCrypto

/// An electrocardiogram as one Observation, with the whole lead as one SampledData.
///
/// The samples are whole numbers and one factor, which together give what the file says to the last digit. Where each
/// code comes from is in docs/electrocardiograms.md.
struct ElectrocardiogramObservation {
    /// Apple's type, and what `--types` asks for.
    static let type = "HKElectrocardiogram"
    /// Its kind in the identity.
    static let kind = "Electrocardiogram"

    let context: MappingContext

    func map(_ electrocardiogram: Electrocardiogram) -> MappedElement {
        let (end, milliseconds) = Self.end(of: electrocardiogram)
        guard FHIRDateTime.range.contains(electrocardiogram.recorded), FHIRDateTime.range.contains(end) else {
            var mapped = MappedElement()
            mapped.faults = [.electrocardiogramHeader]
            return mapped
        }
        guard context.isWanted(electrocardiogram.recorded), context.wants([Self.type]) else { return MappedElement() }
        let classification = ElectrocardiogramClassification(text: electrocardiogram.classification)
        let draft = ObservationDraft(
            codings: [
                .mdc("131328", "MDC_ECG_ELEC_POTL"), .loinc("11524-6", "EKG study"),
                .apple(Self.type, "Electrocardiogram"),
            ],
            text: "Electrocardiogram"
        )
        draft.profiles = [ProfileURL.electrocardiogram]
        draft.categories = [ObservationDraft.category("procedure")]
        draft.effective = context.effective(
            electrocardiogram.recorded,
            end,
            endMilliseconds: milliseconds,
            zone: nil
        )
        draft.components = [
            Self.component(
                "Classification",
                "Classification",
                Self.concept(classification, text: electrocardiogram.classification)
            ),
            Self.component("Symptoms", "Symptoms", Self.concept(nil, text: electrocardiogram.symptoms)),
            Self.component("SamplingFrequency", "Sampling frequency", Self.samplingFrequency(electrocardiogram)),
            Self.component(
                "NumberOfVoltageMeasurements",
                "Number of voltage measurements",
                .init("valueQuantity", .quantity("\(electrocardiogram.samples.count)", "measurements", code: "1"))
            ),
            Self.lead(electrocardiogram),
        ]
        let frame = SampleFrame(
            device: Self.device(of: electrocardiogram),
            start: electrocardiogram.recorded,
            end: end,
            in: context
        )
        let resource = draft.resource(
            id: context.scheme.id(
                kind: Self.kind,
                type: Self.type,
                source: "",
                start: String(electrocardiogram.recorded),
                end: "",
                value: Self.identityValue(of: electrocardiogram)
            ),
            digest: context.scheme.digest(ofFields: Self.digestFields(of: electrocardiogram)),
            kind: Self.type,
            frame: frame,
            in: context
        )
        var mapped = MappedElement(resource)
        if classification == nil, !electrocardiogram.classification.isEmpty {
            mapped.unmapped.values.append(electrocardiogram.classification)
        }
        // A software version without a device has no place.
        let isVersionLost = electrocardiogram.device.isEmpty && !electrocardiogram.softwareVersion.isEmpty
        let lostCount = electrocardiogram.otherRowCount + (isVersionLost ? 1 : 0)
        mapped.unmapped.values += Array(repeating: "", count: lostCount)
        if !electrocardiogram.isInMicrovolts { mapped.unmapped.units.append(electrocardiogram.unit) }
        return mapped
    }

    /// When the last sample ends: the start and (samples / rate), rounded half-even to the millisecond.
    static func end(of electrocardiogram: Electrocardiogram) -> (seconds: Int64, milliseconds: Int) {
        var numerator = UInt128(electrocardiogram.samples.count) * 1000
        for _ in 0..<electrocardiogram.sampleRateDecimals { numerator *= 10 }
        let rate = UInt128(electrocardiogram.sampleRate)
        var (whole, rest) = numerator.quotientAndRemainder(dividingBy: rate)
        if rest * 2 > rate || (rest * 2 == rate && whole & 1 == 1) { whole += 1 }
        return (electrocardiogram.recorded + Int64(whole / 1000), Int(whole % 1000))
    }

    /// The SHA-256 of the samples in one form, whatever language and region they were written in.
    ///
    /// It is over `decimals` and the samples, in decimal and separated by spaces: `3 -265868 -199830`. `decimals` is
    /// the least number, 0 or more, with which every sample is a whole number.
    static func identityValue(of electrocardiogram: Electrocardiogram) -> String {
        var decimals = electrocardiogram.decimals
        var divisor: Int64 = 1
        while decimals > 0, electrocardiogram.samples.allSatisfy({ $0 % (divisor * 10) == 0 }) {
            decimals -= 1
            divisor *= 10
        }
        var text = String(decimals)
        for sample in electrocardiogram.samples { text += " \(sample / divisor)" }
        var hash = SHA256()
        hash.update(text)
        return hash.digest().hex
    }

    /// Everything that the bytes depend on, except what names the electrocardiogram.
    private static func digestFields(of electrocardiogram: Electrocardiogram) -> [String] {
        [
            kind, electrocardiogram.classification, electrocardiogram.symptoms,
            electrocardiogram.softwareVersion, electrocardiogram.device, rateText(electrocardiogram),
            leadText(electrocardiogram), electrocardiogram.isInMicrovolts ? "uV" : electrocardiogram.unit,
            String(electrocardiogram.decimals),
        ]
    }

    /// The device that recorded it, by its hardware or its name: the export says no more.
    private static func device(of electrocardiogram: Electrocardiogram) -> DeviceText {
        var device = DeviceText("")
        if electrocardiogram.isDeviceHardware {
            device.hardware = electrocardiogram.device
        } else {
            device.name = electrocardiogram.device
        }
        if !electrocardiogram.device.isEmpty { device.software = electrocardiogram.softwareVersion }
        return device
    }

    private static func rateText(_ electrocardiogram: Electrocardiogram) -> String {
        ExactDecimal(
            digits: UInt128(electrocardiogram.sampleRate),
            exponent: -electrocardiogram.sampleRateDecimals
        ).text
    }

    private static func leadText(_ electrocardiogram: Electrocardiogram) -> String {
        if electrocardiogram.isLeadI { return "Lead I" }
        return electrocardiogram.lead.isEmpty ? "Lead" : electrocardiogram.lead
    }

    private static func samplingFrequency(_ electrocardiogram: Electrocardiogram) -> JSONValue.Member {
        .init("valueQuantity", .quantity(rateText(electrocardiogram), "Hz", code: "Hz"))
    }

    private static func lead(_ electrocardiogram: Electrocardiogram) -> JSONValue {
        let period = ExactDecimal(digits: 1000, exponent: electrocardiogram.sampleRateDecimals)
            .divided(by: electrocardiogram.sampleRate)
            .roundedHalfEven(toSignificantDigits: 15).withoutTrailingZeros()
        var data = ""
        data.reserveCapacity(electrocardiogram.samples.count * 8)
        for sample in electrocardiogram.samples {
            if !data.isEmpty { data += " " }
            data += String(sample)
        }
        let factor = ExactDecimal(digits: 1, exponent: -electrocardiogram.decimals)
        let unit: JSONValue =
            electrocardiogram.isInMicrovolts
            ? .quantity("0", "\u{B5}V", code: "uV")
            : ["value": .number("0"), "unit": JSONValue(electrocardiogram.unit.isEmpty ? nil : electrocardiogram.unit)]
        let coding =
            electrocardiogram.isLeadI
            ? Coding.mdc("131329", "MDC_ECG_ELEC_POTL_I") : .mdc("131328", "MDC_ECG_ELEC_POTL")
        return ObservationDraft.component(
            [coding],
            text: leadText(electrocardiogram),
            .init(
                "valueSampledData",
                [
                    "origin": unit, "period": .number(period.text),
                    "factor": electrocardiogram.decimals == 0 ? nil : .number(factor.text),
                    "dimensions": .number("1"), "data": .string(data),
                ]
            )
        )
    }

    /// A component with Apple's code; nothing if it has no value.
    private static func component(_ name: String, _ display: String, _ value: JSONValue.Member) -> JSONValue {
        value.value.isAbsent ? nil : ObservationDraft.component([.apple("\(type).\(name)", display)], value)
    }

    private static func concept(_ classification: ElectrocardiogramClassification?, text: String) -> JSONValue.Member {
        .init(
            "valueCodeableConcept",
            .concept(classification.map { [$0.coding] } ?? [], text: text.isEmpty ? nil : text)
        )
    }
}

extension Coding {
    /// A coding of ISO/IEEE 11073-10101, the nomenclature of medical devices, by the URI that FHIR R4 gives it.
    ///
    /// Source: <https://hl7.org/fhir/R4/terminologies-systems.html>.
    fileprivate static func mdc(_ code: String, _ display: String) -> Coding {
        Coding(system: "urn:iso:std:iso:11073:10101", code: code, display: display)
    }
}
