/// Notifications of an irregular rhythm, some hours before an electrocardiogram finds atrial fibrillation.
struct IrregularRhythm {
    let person: Person

    private static let type = RecordType("HKCategoryTypeIdentifierIrregularHeartRhythmEvent")

    func write(_ days: DayRange, to writer: inout ElementWriter) {
        guard let (first, last) = days.ends else { return }
        for day in Electrocardiogram.daysOfFibrillation(of: person, in: days) where (first...last).contains(day) {
            var random = RandomSequence(seed: person.seed, stream: Self.type.identifier, day: day)
            let start = person.zone.startOfDay(day) + random.within(50_000...56_000)
            let end = start + random.within(3000...7000)
            let sample = Sample(
                start: start,
                end: end,
                created: end + 5,
                value: .name("HKCategoryValueNotApplicable"),
                metadata: .timeZone
            )
            writer.record(sample, of: Self.type, from: Source.watch.text(on: day, shape: writer.shape))
        }
    }
}
