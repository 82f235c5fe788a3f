internal import FHIRR4
internal import HealthExport

/// A hearing test as one Observation with a component for each ear and frequency.
///
///     <Audiogram type="HKDataTypeIdentifierAudiogram" …>
///      <SensitivityPoint frequencyValue="1000" frequencyUnit="Hz" leftEarValue="10" leftEarUnit="dBHL" …/>
///
/// A value at the end of what the test could play was clamped there and has a comparator
/// (docs/decisions/0011-audiograms.md).
struct Audiogram {
    static let type = "HKDataTypeIdentifierAudiogram"

    let context: MappingContext

    /// An ear, by the word that its attributes begin with.
    private enum Ear: String, CaseIterable {
        case left, right
    }

    /// What one ear heard at one frequency.
    private struct Threshold {
        var ear: Ear
        /// In hertz, such as `1000`.
        var frequency: String
        var value: String
        var unit: String?
        /// `<=` or `>=` if the value was clamped, and the bound.
        var clamped: (comparator: String, bound: String)?
        var isMasked: Bool?
        /// Attributes from which nothing else is made.
        var rest: [MetadataPair]

        /// By ear, then from low to high.
        var order: String {
            let digits = frequency.prefix { $0 != "." }
            let words = [
                ear.rawValue, String(repeating: "0", count: max(9 - digits.utf8.count, 0)) + frequency, value,
                unit ?? "", clamped.map { $0.comparator + $0.bound } ?? "", isMasked.map { $0 ? "1" : "0" } ?? "",
            ]
            // The separator puts `1000` and `15` before `1000.1` and `5`, and keeps them apart.
            return (words + rest.flatMap { [$0.key, $0.value] }).joined(separator: IdentityScheme.separator)
        }

        /// Its part of the audiogram's identity: `left.1000=10`.
        var identityValue: String {
            "\(ear.rawValue).\(frequency)=" + CorrelationChild.identityValue(type: "", unit: unit, value: value)
        }
    }

    func map(_ element: HealthElement) -> MappedElement {
        guard let frame = SampleFrame(element, in: context) else { return .unusable }
        guard context.isWanted(frame.start), context.wants([element.name.text]) else { return MappedElement() }
        var mapped = MappedElement()
        // By ear and frequency, since their order in the file does not change the digest.
        let thresholds = element.children(.sensitivityPoint).flatMap { self.thresholds(of: $0, &mapped) }
            .sorted { IdentityScheme.inByteOrder($0.order, $1.order) }
        // Nor does a repetition.
        let distinct = thresholds.enumerated().filter { place, threshold in
            place == 0 || !thresholds[place - 1].order.isExactly(threshold.order)
        }.map(\.element)
        let components = distinct.flatMap { self.components(of: $0, &mapped) }
        guard !components.isEmpty else {
            mapped.unmapped.elements.append(element.name)
            return mapped
        }
        let draft = ObservationDraft(
            codings: [
                .loinc("89015-2", "Pure tone air conduction threshold audiometry panel"),
                .apple(Self.type, "Audiogram"),
            ],
            text: "Audiogram"
        )
        draft.profiles = [ProfileURL.audiogram]
        draft.categories = [ObservationDraft.category("procedure")]
        draft.effective = context.effective(frame.start, frame.end, zone: frame["HKTimeZone"])
        draft.components = components
        draft.add(context.metadata(of: frame))
        let value = IdentityScheme.joined(thresholds.map(\.identityValue)) + frame.externalUUIDSuffix
        let resource = draft.resource(
            id: context.scheme.id(kind: "Audiogram", type: Self.type, frame: frame, value: value),
            digest: context.digest(of: element, frame.start, frame.end, zone: frame["HKTimeZone"]),
            kind: Self.type,
            frame: frame,
            in: context
        )
        mapped.units = [.init(drafts: [resource])]
        if frame.endsBeforeStart { mapped.faults.append(.endBeforeStart) }
        return mapped
    }

    /// Both ears at one frequency; nothing if the frequency is not known.
    private func thresholds(of point: HealthElement, _ mapped: inout MappedElement) -> [Threshold] {
        guard let number = point["frequencyValue"].flatMap({ ExactDecimal($0) }) else {
            mapped.unmapped.values.append(point["frequencyValue"] ?? "")
            return []
        }
        let powers = ["Hz": 0, "kHz": 3]
        guard let unit = point["frequencyUnit"], let power = powers[unit] else {
            mapped.unmapped.units.append(point["frequencyUnit"] ?? "")
            return []
        }
        let frequency = number.shifted(by: power).withoutTrailingZeros().shortText
        return Ear.allCases.compactMap { ear in
            threshold(of: ear, at: frequency, point, &mapped)
        }
    }

    private func threshold(
        of ear: Ear,
        at frequency: String,
        _ point: HealthElement,
        _ mapped: inout MappedElement
    ) -> Threshold? {
        let prefix = ear.rawValue + "Ear"
        let (lower, upper) = (point[prefix + "ClampingRangeLowerBound"], point[prefix + "ClampingRangeUpperBound"])
        let mask = point[prefix + "Masked"]
        guard let value = point[prefix + "Value"] else {
            if [point[prefix + "Unit"], lower, upper, mask].contains(where: { $0 != nil }) {
                mapped.unmapped.values.append("")
            }
            return nil
        }
        let clamped = Self.clamped(value, from: lower, to: upper)
        let isMasked = mask.flatMap { Self.flags[$0] }
        let isBeyond = clamped.map { !Self.areEqual($0.bound, value) } ?? false
        let rest = [
            ("Value", isBeyond ? value : nil), ("ClampingRangeLowerBound", clamped?.comparator == "<=" ? nil : lower),
            ("ClampingRangeUpperBound", clamped?.comparator == ">=" ? nil : upper),
            ("Masked", isMasked == nil ? mask : nil),
        ]
        return Threshold(
            ear: ear,
            frequency: frequency,
            value: value,
            unit: point[prefix + "Unit"],
            clamped: clamped,
            isMasked: isMasked,
            rest: rest.compactMap { name, text in
                text?.unlessBlank.map { MetadataPair(key: prefix + name, value: $0) }
            }
        )
    }

    private static let flags = ["1": true, "true": true, "YES": true, "0": false, "false": false, "NO": false]

    /// The bound that a value reaches or passes, and the comparator for it.
    private static func clamped(
        _ value: String,
        from lower: String?,
        to upper: String?
    ) -> (comparator: String, bound: String)? {
        guard let number = ExactDecimal(value) else { return nil }
        if let lower, let bound = ExactDecimal(lower), !number.exceeds(bound) { return ("<=", lower) }
        if let upper, let bound = ExactDecimal(upper), !bound.exceeds(number) { return (">=", upper) }
        return nil
    }

    private static func areEqual(_ text: String, _ other: String) -> Bool {
        guard let number = ExactDecimal(text), let other = ExactDecimal(other) else { return false }
        return !number.exceeds(other) && !other.exceeds(number)
    }

    private func components(of threshold: Threshold, _ mapped: inout MappedElement) -> [JSONValue] {
        let ear = threshold.ear.rawValue
        let number = threshold.clamped?.bound ?? threshold.value
        if context.isSuspectPercent(number, unit: threshold.unit) { mapped.unmapped.suspectPercents.append(Self.type) }
        guard
            let quantity = context.quantity(
                number,
                unit: threshold.unit,
                comparator: threshold.clamped?.comparator
            )
        else {
            mapped.unmapped.values.append(threshold.value)
            return []
        }
        let isKnown = threshold.unit.flatMap { context.table.unit($0) } != nil
        if !isKnown { mapped.unmapped.units.append(threshold.unit ?? "") }
        let text = "Hearing threshold, \(ear) ear, \(threshold.frequency) Hz"
        let code = Self.codes[threshold.frequency].map { threshold.ear == .left ? $0.left : $0.right }
        let standard = code.map {
            [Coding.loinc($0, "Hearing threshold Ear - \(ear) --\(threshold.frequency) Hz")]
        }
        let own = "HKAudiogramSensitivityPoint.\(ear)Ear"
        var components = [
            ObservationDraft.component(
                (standard ?? []) + [.apple("\(own)Sensitivity.\(threshold.frequency)Hz", text)],
                text: text,
                .init("valueQuantity", quantity),
                extensions: threshold.rest.flatMap { context.metadataMapper.spare($0.key, $0.value) }
            )
        ]
        if let isMasked = threshold.isMasked {
            let text = "Tested with masking, \(ear) ear, \(threshold.frequency) Hz"
            components.append(
                ObservationDraft.component(
                    [.apple("\(own)Masked.\(threshold.frequency)Hz", text)],
                    text: text,
                    .init("valueBoolean", .bool(isMasked))
                )
            )
        }
        return components
    }

    /// LOINC has no code for 125, 250, 750, 1500, 12000 or 16000 Hz.
    private static let codes: [String: (left: String, right: String)] = [
        "500": ("89024-4", "89025-1"), "1000": ("89016-0", "89017-8"), "2000": ("89018-6", "89019-4"),
        "3000": ("89020-2", "89021-0"), "4000": ("89022-8", "89023-6"), "6000": ("89026-9", "89027-7"),
        "8000": ("89028-5", "89029-3"),
    ]
}

extension ExactDecimal {
    /// Whether the number is above `other`; both may have either sign.
    fileprivate func exceeds(_ other: ExactDecimal) -> Bool {
        var negated = other
        negated.isNegative.toggle()
        let difference = adding(negated)
        return !difference.isNegative && difference.digits > 0
    }
}
