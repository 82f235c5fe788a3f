internal import FHIRR4
internal import HealthExport

/// What a workout says about one quantity over its time: a sum, or the average, least and greatest value.
struct WorkoutStatistic: Sendable {
    static let heartRate = "HKQuantityTypeIdentifierHeartRate"
    static let activeEnergy = "HKQuantityTypeIdentifierActiveEnergyBurned"
    /// Not Apple's: the distance of old exports, if the activity doesn't show which one it is.
    static let distance = "totalDistance"

    /// Apple's quantity type, such as `HKQuantityTypeIdentifierStepCount`.
    var type: String
    var unit: String?
    var sum: String?
    var average: String?
    var minimum: String?
    var maximum: String?
    /// Its own time; `nil` if that is missing, as in iOS 16.0, or runs backwards.
    var start: Int64?
    var end: Int64?

    var period: (Int64, Int64)? { start.flatMap { start in end.map { (start, $0) } } }

    /// A member that is made from it.
    struct Member {
        /// What names it in the workout.
        var word: String
        var draft: ObservationDraft
        /// Which statistics it holds.
        var tags: [Coding]
    }

    /// The statistics of a workout or activity, including those in its attributes.
    ///
    /// Exports before iOS 16 have totals there; they become the same statistics.
    static func all(_ inner: [WorkoutStatistic], of element: HealthElement) -> [WorkoutStatistic] {
        var all = inner
        for total in totals(of: element) {
            let isSaid = inner.contains { one in
                one.sum != nil && (one.type.isExactly(total.type) || total.isDistance && one.isDistance)
            }
            if !isSaid { all.append(total) }
        }
        return inOrder(all)
    }

    /// Whether it says how far somebody went, by whatever means: an old total repeats that.
    private var isDistance: Bool {
        type.isExactly(Self.distance) || type.utf8.starts(with: "HKQuantityTypeIdentifierDistance".utf8)
    }

    /// Once each, by type and time.
    static func inOrder(_ statistics: [WorkoutStatistic]) -> [WorkoutStatistic] {
        let sorted = statistics.sorted { left, right in
            guard left.type.isExactly(right.type) else { return IdentityScheme.inByteOrder(left.type, right.type) }
            let (first, second) = (left.time, right.time)
            return first == second ? IdentityScheme.inByteOrder(left.order, right.order) : first < second
        }
        var unique: [WorkoutStatistic] = []
        for statistic in sorted where unique.last != statistic { unique.append(statistic) }
        return unique
    }

    /// Its time for sorting; one without comes first.
    private var time: (Int64, Int64) { (start ?? .min, end ?? .min) }

    /// Everything that it says in addition to its type and time.
    private var order: String {
        [sum, average, minimum, maximum, unit].map { $0 ?? "" }.joined(separator: IdentityScheme.separator)
    }

    /// What the table says about its type and its unit.
    struct Meaning {
        var type: TypeMapping?
        var unit: UnitMapping?
    }

    /// What its type and its unit mean, looked up once for everything that is made from it.
    func meaning(in table: MappingTable) -> Meaning {
        let type = table.type(type)
        return Meaning(type: type, unit: unit.flatMap { type?.unit($0) ?? table.unit($0) })
    }

    /// The members, in Apple's unit except for energy; none if it has no value.
    func members(_ meaning: Meaning, in context: MappingContext) -> [Member] {
        var members: [Member] = []
        if let sum { members.append(total(sum, meaning, in: context)) }
        let parts = [
            (average, Self.averageCode, "55425-3", "Heart rate unspecified time mean by Pedometer"),
            (maximum, Self.maximumCode, "55426-1", "Heart rate unspecified time maximum by Pedometer"),
            (minimum, Self.minimumCode, "96935-2", "Heart rate unspecified time minimum by Pedometer"),
        ]
        if type.isExactly(Self.heartRate) {
            // The guide's codes are for beats per minute.
            let isPerMinute = meaning.unit?.ucumCode == "/min"
            for (value, statistic, loinc, display) in parts {
                guard let value, let number = self.value(value, meaning, in: context) else { continue }
                let coding = Coding.loinc(loinc, display)
                let draft = ObservationDraft(
                    codings: (isPerMinute ? [coding] : []) + [apple(meaning)],
                    text: "Heart rate, \(statistic.code)"
                )
                draft.value = number
                draft.method = .concept([statistic])
                members.append(Member(word: statistic.code + " " + type, draft: draft, tags: [statistic]))
            }
            return members
        }
        // The form of R4's operation $stats: <https://hl7.org/fhir/R4/observation-operation-stats.html>.
        let draft = ObservationDraft(codings: [apple(meaning)], text: meaning.type?.display)
        var tags: [Coding] = []
        for (value, statistic, _, _) in parts {
            guard let value, let number = self.value(value, meaning, in: context) else { continue }
            draft.components.append(ObservationDraft.component([statistic], number))
            tags.append(statistic)
        }
        if !tags.isEmpty { members.append(Member(word: "statistics " + type, draft: draft, tags: tags)) }
        return members
    }

    private var numbers: [String] { [sum, average, minimum, maximum].compactMap(\.self) }

    /// Those of its values that are not numbers; a sum is written as text all the same.
    var unusableNumbers: [String] { numbers.filter { ExactDecimal($0) == nil } }

    /// Its type, for each of its numbers that is too large for a fraction.
    func suspectPercents(in context: MappingContext) -> [String] {
        numbers.filter { context.isSuspectPercent($0, unit: unit, type: type) }.map { _ in type }
    }

    /// A unit that the table doesn't know; an empty text if numbers that need a unit have none.
    func unknownUnit(_ meaning: Meaning) -> String? {
        if let unit = unit?.unlessBlank { return meaning.unit == nil ? unit : nil }
        let wantsUnit = MappingTally.wantsUnit(type) || type == Self.distance
        return wantsUnit && numbers.contains { ExactDecimal($0) != nil } ? "" : nil
    }

    /// Whether it is in a unit that fits no standard code of its type.
    func lacksCodes(_ meaning: Meaning) -> Bool {
        guard let type = meaning.type, let unit = meaning.unit else { return false }
        return type.losesCodes(in: unit) && numbers.contains { ExactDecimal($0) != nil }
    }

    private init(type: String, sum: String, unit: String?) {
        self.type = type
        self.sum = sum
        self.unit = unit
    }

    /// A statistic; `nil` without a type.
    init?(_ element: HealthElement) {
        guard let type = element["type"].flatMap(\.unlessBlank) else { return nil }
        self.type = type
        unit = element["unit"]
        sum = element["sum"].flatMap(\.unlessBlank)
        average = element["average"].flatMap(\.unlessBlank)
        minimum = element["minimum"].flatMap(\.unlessBlank)
        maximum = element["maximum"].flatMap(\.unlessBlank)
        if let first = element.fhirInstant("startDate"), let last = element.fhirInstant("endDate"), first <= last {
            start = first
            end = last
        }
    }

    /// A total, with the codes of a record of the type; for the energy of an exercise LOINC and the Physical Activity
    /// guide have a code of their own, in `kcal`.
    private func total(_ sum: String, _ meaning: Meaning, in context: MappingContext) -> Member {
        let isSuspect = context.isSuspectPercent(sum, unit: unit, type: type)
        var codings = meaning.type?.codings(ucumCode: isSuspect ? nil : meaning.unit?.ucumCode) ?? []
        // A total has neither a vital sign's code nor another one for the same.
        let loinc = codings.filter { $0.system == CodeSystem.loinc }
        if loinc.contains(where: { VitalSignsProfile.profile(loinc: $0.code) != nil }) {
            codings.removeAll { $0.system == CodeSystem.loinc }
        }
        var text = meaning.type?.display
        var number = value(sum, meaning, in: context)
        if type.isExactly(Self.activeEnergy) {
            let energy = kilocalories(sum)
            codings = energy == nil ? [] : [.loinc("55424-6", "Calories burned in unspecified time Pedometer")]
            number = energy ?? number
        }
        if type.isExactly(Self.distance) {
            codings = [.loinc("103208-5", "Distance traveled")]
            text = "Distance"
        } else {
            codings.append(apple(meaning))
        }
        let draft = ObservationDraft(codings: codings, text: text)
        let unit = ValueUnit.afterText(unit) { _ in meaning.unit?.display }
        draft.value = number ?? .init("valueString", .string(sum + unit))
        return Member(word: "sum " + type, draft: draft, tags: [Self.sumCode])
    }

    private func apple(_ meaning: Meaning) -> Coding { .apple(type, meaning.type?.display) }

    private func value(_ text: String, _ meaning: Meaning, in context: MappingContext) -> JSONValue.Member? {
        context.quantity(text, unit: unit, meaning: meaning.unit, type: type).map { .init("valueQuantity", $0) }
    }

    /// Energy in the one unit of LOINC 55424-6; 1 kcal is 4.184 kJ.
    private func kilocalories(_ text: String) -> JSONValue.Member? {
        guard let number = ExactDecimal(text) else { return nil }
        let converted: String
        switch unit {
        case "kcal", "Cal": converted = number.isShort ? text : number.shortText
        case "kJ": converted = number.divided(by: 4184).shifted(by: 3).digits(of: number).text
        case "J": converted = number.divided(by: 4184).digits(of: number).text
        case "cal": converted = number.shifted(by: -3).digits(of: number).text
        default: return nil
        }
        return .init("valueQuantity", .quantity(converted, "kcal", code: "kcal"))
    }

    private static let sumCode = code("sum")
    private static let averageCode = code("average")
    private static let maximumCode = code("maximum")
    private static let minimumCode = code("minimum")

    /// A code of HL7's statistics, which also tags what sums and averages raw samples.
    private static func code(_ code: String) -> Coding {
        Coding(
            system: "http://terminology.hl7.org/CodeSystem/observation-statistics",
            code: code,
            display: code.prefix(1).uppercased() + code.dropFirst()
        )
    }

    /// Totals of old exports, in which 0 means that there is none: a yoga class has `totalDistance="0"`.
    private static func totals(of element: HealthElement) -> [WorkoutStatistic] {
        let distance = distances[element["workoutActivityType"] ?? ""].map { "HKQuantityTypeIdentifierDistance" + $0 }
        return [
            ("totalDistance", distance ?? Self.distance),
            ("totalEnergyBurned", activeEnergy),
            ("totalSwimmingStrokeCount", "HKQuantityTypeIdentifierSwimmingStrokeCount"),
            ("totalFlightsClimbed", "HKQuantityTypeIdentifierFlightsClimbed"),
        ].compactMap { attribute, type in
            guard let total = element[attribute].flatMap(\.unlessBlank), ExactDecimal(total)?.digits != 0 else {
                return nil
            }
            return WorkoutStatistic(type: type, sum: total, unit: element[attribute + "Unit"])
        }
    }

    /// Which distance HealthKit sums for an activity.
    private static let distances = [
        "HKWorkoutActivityTypeWalking": "WalkingRunning", "HKWorkoutActivityTypeRunning": "WalkingRunning",
        "HKWorkoutActivityTypeHiking": "WalkingRunning", "HKWorkoutActivityTypeCycling": "Cycling",
        "HKWorkoutActivityTypeHandCycling": "Cycling", "HKWorkoutActivityTypeSwimming": "Swimming",
        "HKWorkoutActivityTypeWheelchairWalkPace": "Wheelchair",
        "HKWorkoutActivityTypeWheelchairRunPace": "Wheelchair",
        "HKWorkoutActivityTypeDownhillSkiing": "DownhillSnowSports",
        "HKWorkoutActivityTypeSnowboarding": "DownhillSnowSports",
    ]
}

/// Equal to another of the same bytes; an empty number is as good as none.
extension WorkoutStatistic: Hashable {
    static func == (left: WorkoutStatistic, right: WorkoutStatistic) -> Bool {
        left.type.isExactly(right.type) && left.time == right.time && left.order.isExactly(right.order)
            && (left.unit == nil) == (right.unit == nil)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ExactText(type))
        hasher.combine(time.0)
        hasher.combine(time.1)
        hasher.combine(ExactText(order))
    }
}
