internal import FHIRR4
internal import HealthExport

/// Metadata of a workout, or of an event in it, as components.
///
/// Apple's key is the code; of another app's key only the text is given, since it is no code of Apple's.
struct WorkoutMetadata: Sendable {
    /// A key and its value.
    struct Entry: Sendable, Equatable {
        var key: String
        var value: String
    }

    /// Keys that speak elsewhere: in times, in ids, in the choice between versions.
    static let usedKeys: Set<String> = [
        "HKTimeZone", "HKMetadataKeySyncIdentifier", "HKMetadataKeySyncVersion",
    ]

    let context: MappingContext

    /// The entries of an element, each pair once, in the order of the bytes: their own order says nothing.
    static func entries(of element: HealthElement) -> [Entry] {
        inOrder(SampleFrame.metadata(of: element).map { Entry(key: $0.key, value: $0.value) })
    }

    /// Each pair once, in the order of the bytes.
    static func inOrder(_ entries: [Entry]) -> [Entry] {
        var unique: [Entry] = []
        for entry in entries where !unique.contains(entry) { unique.append(entry) }
        return unique.sorted { left, right in
            left.key == right.key
                ? IdentityScheme.inByteOrder(left.value, right.value) : IdentityScheme.inByteOrder(left.key, right.key)
        }
    }

    /// A component of one entry; `nil` where nothing is in it.
    func component(_ entry: Entry, _ unknownUnits: inout [String]) -> JSONValue? {
        guard !FHIRText.isBlank(entry.key), !FHIRText.isBlank(entry.value) else { return nil }
        let isApples = entry.key.hasPrefix("HK") || entry.key.hasPrefix("_HK")
        return ObservationDraft.component(
            isApples ? [.apple(entry.key)] : [],
            text: isApples ? Self.words(entry.key) : entry.key,
            value(entry, isApples: isApples, &unknownUnits)
        )
    }

    private func value(_ entry: Entry, isApples: Bool, _ unknownUnits: inout [String]) -> JSONValue.Member {
        let text = JSONValue.Member("valueString", .string(entry.value))
        if let enumeration = Self.enumerations[entry.key] {
            guard let meaning = context.table.value(number: entry.value, of: enumeration) else { return text }
            return .init("valueCodeableConcept", .concept(meaning.codings, text: meaning.text))
        }
        if Self.truths.contains(entry.key), entry.value == "1" || entry.value == "0" {
            return .init("valueBoolean", .bool(entry.value == "1"))
        }
        guard let space = entry.value.firstIndex(of: " ") else {
            guard Self.numbers.contains(entry.key), let number = context.quantity(entry.value, unit: nil) else {
                return text
            }
            return .init("valueQuantity", number)
        }
        let number = String(entry.value[..<space])
        let unit = String(entry.value[entry.value.index(after: space)...])
        guard let decimal = ExactDecimal(number) else { return text }
        if unit == "%" { return percent(entry, decimal, number) }
        guard isApples || context.table.unit(unit) != nil else { return text }
        if context.table.unit(unit) == nil { unknownUnits.append(unit) }
        return context.quantity(number, unit: unit).map { .init("valueQuantity", $0) } ?? text
    }

    /// Unlike a record's, a metadata value in percent is no fraction; recent exports even write
    /// humidity times 100, `7700 %` for 77 %.
    private func percent(_ entry: Entry, _ decimal: ExactDecimal, _ text: String) -> JSONValue.Member {
        let number = decimal.isShort ? text : decimal.shortText
        guard entry.key == "HKWeatherHumidity" else {
            // What other keys mean by it is not known: no UCUM code.
            return .init("valueQuantity", ["value": .number(number), "unit": "%"])
        }
        let isScaled = decimal.isAbove(ExactDecimal(digits: 100, exponent: 0))
        let humidity = isScaled ? decimal.shifted(by: -2).twelveDigits : number
        return .init("valueQuantity", .quantity(humidity, "%", code: "%"))
    }

    /// `Average METs` for `HKAverageMETs`.
    private static func words(_ key: String) -> String {
        var rest = Substring(key)
        for prefix in ["_HKPrivateMetadataKey", "_HKPrivate", "HKMetadataKey", "_HK", "HK"] where rest.hasPrefix(prefix)
        {
            rest.removeFirst(prefix.count)
            break
        }
        var words = ""
        var last: Character = " "
        for character in rest {
            if character.isUppercase, last.isLowercase { words.append(" ") }
            words.append(character)
            last = character
        }
        return FHIRText.isBlank(words) ? key : words
    }

    /// Keys whose value is the raw number of an enumeration.
    private static let enumerations = [
        "HKSwimmingLocationType": "hkworkoutswimminglocationtype",
        "HKSwimmingStrokeStyle": "hkswimmingstrokestyle",
        "HKWeatherCondition": "hkweathercondition",
    ]

    /// Keys whose value is yes or no.
    private static let truths: Set<String> = [
        "HKIndoorWorkout", "HKWasUserEntered", "HKCoachedWorkout", "HKGroupFitness",
        "HKMetadataKeyAppleFitnessPlusSession", "HKMetadataKeyAppleDeviceCalibrated",
    ]

    /// Keys whose value is a number without a unit.
    private static let numbers: Set<String> = ["HKSWOLFScore"]
}
