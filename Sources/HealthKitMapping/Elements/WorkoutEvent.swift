internal import FHIRR4
internal import HealthExport

/// Something that happened in a workout: a pause, a lap, a segment, a marker.
struct WorkoutEvent: Sendable {
    /// Apple's name, such as `HKWorkoutEventTypeLap`.
    var type: String
    /// Seconds since 1970.
    var start: Int64
    /// How long it took; 0 for a moment.
    var milliseconds: Int64
    /// What is wrong with its duration.
    var unusableDuration = UnusableDuration()
    /// Each pair once, in the order of their bytes.
    var metadata: [MetadataPair]

    /// Once each, in the order of time: an activity repeats its workout's events, and a marker itself.
    static func inOrder(_ events: [WorkoutEvent]) -> [WorkoutEvent] {
        var unique: [WorkoutEvent] = []
        let sorted = events.sorted { left, right in
            guard (left.start, left.milliseconds) == (right.start, right.milliseconds) else {
                return (left.start, left.milliseconds) < (right.start, right.milliseconds)
            }
            return left.type.isExactly(right.type)
                ? IdentityScheme.inByteOrder(left.order, right.order)
                : IdentityScheme.inByteOrder(left.type, right.type)
        }
        for event in sorted where unique.last != event { unique.append(event) }
        return unique
    }

    /// An event; `nil` without a type or a usable date.
    init?(_ element: HealthElement) {
        guard let type = element["type"].flatMap(\.unlessBlank), let start = element.fhirInstant("date")
        else { return nil }
        self.type = type
        self.start = start
        if let text = element["duration"] {
            let duration = WorkoutDuration(text, unit: element["durationUnit"])
            milliseconds = duration?.milliseconds ?? 0
            // Beyond the last year that FHIR can hold there is no end.
            if !FHIRDateTime.range.contains(start + milliseconds / 1000) {
                milliseconds = 0
                unusableDuration.isNumber = false
            }
            if duration == nil {
                let unit = element["durationUnit"].flatMap(\.unlessBlank)
                unusableDuration.isNumber = unit != nil && ExactDecimal(text)?.isNegative == false
                unusableDuration.unit = unit.flatMap { WorkoutDuration.units.contains($0) ? nil : $0 }
            }
        } else {
            milliseconds = 0
        }
        metadata = MetadataPair.all(of: element)
    }

    /// Everything that distinguishes it from others of its type and time, so that equal ones are neighbours.
    private var order: String {
        let pairs = metadata.map { $0.key + "=" + $0.value } + [unusableDuration.isAny ? "1" : "0"]
        return pairs.joined(separator: IdentityScheme.separator)
    }

    /// What names it in addition to its time.
    var words: [String] { ["event", type, String(milliseconds)] }

    /// The second in which it ends.
    var end: Int64 { start + milliseconds / 1000 }

    /// Its time as a component's value.
    func value(in context: MappingContext, zone: String?) -> JSONValue.Member {
        /// `2024-06-16T08:10:00.250Z`; the panel's own time names the zone.
        func text(_ seconds: Int64, _ milliseconds: Int?) -> JSONValue {
            let minutes = context.offset(at: seconds, zone: zone)?.minutes
            return .string(FHIRDateTime.text(seconds, milliseconds: milliseconds, offsetMinutes: minutes))
        }
        guard milliseconds > 0 else { return .init("valueDateTime", text(start, nil)) }
        let parts = FHIRDateTime.milliseconds(start, end, Int(milliseconds % 1000))
        return .init(
            "valuePeriod",
            ["start": text(start, parts.start), "end": text(end, parts.end)]
        )
    }
}

/// What is wrong with an event's duration.
struct UnusableDuration: Sendable {
    /// Whether it is a usable number, 0 or more, with a unit; `true` if there is no duration.
    var isNumber = true
    /// A unit that is not one of time.
    var unit: String?

    /// Whether anything is wrong.
    var isAny: Bool { !isNumber || unit != nil }
}

/// Events are equal if the same is written of them, and all of both or not all of either.
extension WorkoutEvent: Hashable {
    static func == (left: WorkoutEvent, right: WorkoutEvent) -> Bool {
        left.type.isExactly(right.type) && left.start == right.start && left.milliseconds == right.milliseconds
            && left.metadata == right.metadata && left.unusableDuration.isAny == right.unusableDuration.isAny
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(type))
        hasher.combine(start)
        hasher.combine(milliseconds)
        hasher.combine(metadata)
    }
}

/// A `duration` with its `durationUnit`, in decimal.
struct WorkoutDuration: Sendable {
    private let number: ExactDecimal
    private let text: String
    private let unit: String

    /// The units that are read.
    static let units: Set<String> = ["s", "min", "hr"]

    /// Reads `31.5` and `min`; `nil` for anything but a number, 0 or more, in `s`, `min` or `hr`.
    init?(_ text: String, unit: String?) {
        guard let number = ExactDecimal(text), !number.isNegative, let unit, Self.units.contains(unit) else {
            return nil
        }
        self.number = number
        self.text = text
        self.unit = unit
    }

    /// In minutes; as written, if that is its unit.
    var minutes: String {
        switch unit {
        case "s": number.divided(by: 60).digits(of: number).text
        case "hr": number.multiplied(by: ExactDecimal(digits: 60, exponent: 0)).digits(of: number).text
        default: ValueConversion.asWritten.text(of: number, asWritten: text)
        }
    }

    /// In milliseconds, rounded half-even; at most a century.
    var milliseconds: Int64 {
        let factor: UInt128 = unit == "s" ? 1000 : unit == "min" ? 60_000 : 3_600_000
        let exact = number.multiplied(by: ExactDecimal(digits: factor, exponent: 0))
        guard ExactDecimal(digits: 3_155_760_000_000, exponent: 0).isAbove(exact) else { return 3_155_760_000_000 }
        var (digits, rest) = (exact.digits, exact.exponent)
        while rest > 0, digits > 0 {
            digits *= 10
            rest -= 1
        }
        guard rest < 0 else { return Int64(clamping: digits) }
        guard rest > -38 else { return 0 }
        let power = (0..<(-rest)).reduce(UInt128(1)) { power, _ in power * 10 }
        let (whole, part) = digits.quotientAndRemainder(dividingBy: power)
        let isUp = part > power / 2 || (part == power / 2 && whole & 1 == 1)
        return Int64(clamping: isUp ? whole + 1 : whole)
    }
}
