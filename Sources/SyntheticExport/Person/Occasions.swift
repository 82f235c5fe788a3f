/// Something that happens once in a number of days, such as a visit to the clinic.
///
/// An export also holds occasions from before its first day, so that even a single day has some: a phone keeps what it
/// once received. Their days do not depend on the export. So exports that overlap share them, and an export that covers
/// all days of another has all of its occasions.
struct Occasions {
    /// The name of the random sequence that the first day is drawn from.
    let stream: StaticString
    /// Days from one to the next.
    let period: Int
    /// How many an export of a single day has, on that day and before it.
    let least: Int
    /// The first day on which it can happen, in days since 1970.
    let since: Int

    /// The occasions in an export of `days`, in order: the day of each, and its number, the same in every export.
    func all(of person: Person, in days: DayRange) -> [(day: Int, number: Int)] {
        guard let (first, last) = days.ends else { return [] }
        let start = max(since, first + 1 - period * least)
        guard start <= last else { return [] }
        let phase = RandomSequence.once(seed: person.seed, stream: stream, below: period)
        return (start...last).filter { ($0 + phase).isMultiple(of: period) }.map { ($0, ($0 + phase) / period) }
    }
}

extension DayRange {
    /// The first and the last day; `nil` if there are no days.
    var ends: (first: Int, last: Int)? {
        reduce(nil) { ends, day in (ends?.first ?? day, day) }
    }
}

extension RandomSequence {
    /// A number from 0 to `bound` - 1 that never changes for a person.
    static func once(seed: UInt64, stream: StaticString, below bound: Int) -> Int {
        var random = RandomSequence(seed: seed, stream: stream, day: 0)
        return random.below(bound)
    }
}
