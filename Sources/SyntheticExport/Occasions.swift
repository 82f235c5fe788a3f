/// What happens once in a number of days, such as a visit to the clinic.
///
/// An export reaches back before its first day for these, so that a single day too has a few of them: a phone keeps
/// what it once got. Which days they are does not depend on the export. So exports that overlap share them, and an
/// export that covers all days of another has all of the other's.
struct Occasions {
    /// What the first day is drawn for.
    let stream: StaticString
    /// Days from one to the next.
    let period: Int
    /// How many a single day has, itself and the days before it.
    let least: Int
    /// The first day on which it can happen, in days since 1970.
    let since: Int

    /// The days in an export of `days`, in order, each with its number, which is the same in every export.
    func all(of person: Person, in days: DayRange) -> [(day: Int, number: Int)] {
        guard let (first, last) = days.ends else { return [] }
        let start = max(since, first + 1 - period * least)
        guard start <= last else { return [] }
        let phase = RandomSequence.once(seed: person.seed, stream: stream, below: period)
        return (start...last).filter { ($0 + phase).isMultiple(of: period) }.map { ($0, ($0 + phase) / period) }
    }
}

extension DayRange {
    /// The first and the last day; `nil` where there is none.
    var ends: (first: Int, last: Int)? {
        reduce(nil) { ends, day in (ends?.first ?? day, day) }
    }
}

extension RandomSequence {
    /// One number from 0 to `bound` - 1 that belongs to a person for life.
    static func once(seed: UInt64, stream: StaticString, below bound: Int) -> Int {
        var random = RandomSequence(seed: seed, stream: stream, day: 0)
        return random.below(bound)
    }
}
