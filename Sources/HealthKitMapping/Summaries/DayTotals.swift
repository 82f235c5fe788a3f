internal import FHIRR4

/// The days' values of one series: amounts by day, and by stage for sleep.
struct DayTotals {
    /// The result for a day.
    struct Day: Equatable {
        /// The total or mean; for sleep, all stages of being asleep.
        var value = ExactDecimal(digits: 0, exponent: 0)
        /// Seconds in each stage of sleep, by its raw number.
        var stages: [UInt64: Int64] = [:]
        /// Whether any stage other than in bed and awake was measured.
        var hasSleep: Bool { stages.keys.contains { $0 != 0 && $0 != 2 } }
    }

    /// By the day's number from 1970-01-01.
    private(set) var days: [Int64: Day] = [:]
    /// Days that are left out, since too many samples run at once.
    private var crowded: Set<Int64> = []

    /// Adds up the samples of one series.
    init(_ samples: [SummarySample], _ series: SummarySeries, zone: String?) {
        let ordered = Self.ordered(samples)
        switch series.rule {
        case .sum: addAmounts(ordered, SummaryDays(zone: zone))
        case .mean: addMeans(ordered, SummaryDays(zone: zone))
        case .sleep:
            // From noon to noon: a night belongs to the day on which it ends.
            let nights = SummaryDays(zone: zone, shift: 43200)
            addStages(ordered.filter { $0.digits == 0 }, nights)
            addStages(ordered.filter { $0.digits != 0 }, nights)
        }
        for day in crowded { days[day] = nil }
        for (day, total) in days {
            days[day]?.value = Self.rounded(total.value, decimals: series.decimals)
        }
    }

    /// Calls `body` for each stretch, and notes the days on which too many samples run at once to say anything.
    private mutating func walk(
        _ samples: [SummarySample],
        _ calendar: inout SummaryDays,
        _ body: (inout SummaryDays, SampleOverlap.Stretch) -> Void
    ) {
        let crowds = SampleOverlap.crowds(samples)
        SampleOverlap.walk(samples, without: crowds) { body(&calendar, $0) }
        for crowd in crowds {
            // Where clocks go back over midnight, the later instant may be on the earlier day.
            let (first, last) = (calendar.day(of: crowd.lowerBound), calendar.day(of: crowd.upperBound - 1))
            crowded.formUnion(min(first, last)...max(first, last))
        }
    }

    /// Of twins the one that is written; all in the order of time.
    private static func ordered(_ samples: [SummarySample]) -> [SummarySample] {
        let sorted = samples.sorted { ($0.id, $0.rank, $0.digest) < ($1.id, $1.rank, $1.digest) }
        let written = sorted.indices.filter { $0 + 1 == sorted.count || sorted[$0 + 1].id != sorted[$0].id }
        return written.map { sorted[$0] }
            .sorted { ($0.start, $0.end, $0.source, $0.id) < ($1.start, $1.end, $1.source, $1.id) }
    }

    private mutating func addAmounts(_ samples: [SummarySample], _ calendar: SummaryDays) {
        var calendar = calendar
        var days: [Int64: Day] = [:]
        walk(samples, &calendar) { calendar, stretch in
            var start = stretch.start
            repeat {
                let day = calendar.day(of: start)
                let end = min(stretch.end, max(calendar.end(of: day), start + 1))
                for sample in stretch.samples {
                    let length = UInt64(sample.end - sample.start)
                    var part = sample.value
                    if length > 0 {
                        part.digits *= UInt128(end - start)
                        part = part.divided(by: length)
                    }
                    days[day, default: Day()].value = Self.sum(days[day]?.value, part)
                }
                start = end
            } while start < stretch.end
        }
        self.days = days
    }

    private mutating func addMeans(_ samples: [SummarySample], _ calendar: SummaryDays) {
        var calendar = calendar
        let byDay = Dictionary(grouping: samples) { calendar.day(of: $0.start) }
        for (day, all) in byDay {
            let best = all.map(\.source).min()
            let counting = all.filter { $0.source == best }
            let sum = counting.reduce(ExactDecimal(digits: 0, exponent: 0)) { Self.sum($0, $1.value) }
            days[day] = Day(value: sum.divided(by: UInt64(counting.count)))
        }
    }

    private mutating func addStages(_ samples: [SummarySample], _ calendar: SummaryDays) {
        var calendar = calendar
        var days = days
        walk(samples, &calendar) { calendar, stretch in
            // Of one source's stages the one that began last counts: it is the most specific.
            guard stretch.end > stretch.start,
                let stage = stretch.samples.max(by: { ($0.start, $0.digits) < ($1.start, $1.digits) })?.digits
            else { return }
            var start = stretch.start
            repeat {
                let day = calendar.day(of: start)
                let end = min(stretch.end, max(calendar.end(of: day), start + 1))
                days[day, default: Day()].stages[stage, default: 0] += end - start
                start = end
            } while start < stretch.end
        }
        for (day, total) in days {
            let asleep = total.stages.filter { $0.key != 0 && $0.key != 2 }.values.reduce(0, +)
            days[day]?.value = Self.minutes(asleep)
        }
        self.days = days
    }

    /// Seconds as minutes.
    static func minutes(_ seconds: Int64) -> ExactDecimal {
        rounded(ExactDecimal(digits: UInt128(seconds), exponent: 0).divided(by: 60), decimals: 2)
    }

    private static func sum(_ left: ExactDecimal?, _ right: ExactDecimal) -> ExactDecimal {
        // Twenty digits are exact to a billionth of any day's last decimal.
        (left ?? ExactDecimal(digits: 0, exponent: 0)).adding(right.cut(toSignificantDigits: 20))
            .cut(toSignificantDigits: 24)
    }

    private static func rounded(_ value: ExactDecimal, decimals: Int) -> ExactDecimal {
        value.roundedHalfEven(toDecimals: decimals).withoutTrailingZeros()
    }
}
