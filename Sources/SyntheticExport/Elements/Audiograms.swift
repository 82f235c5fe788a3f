/// Hearing tests as an app for headphones writes them: the quietest tone heard, for each ear and frequency.
struct Audiograms {
    let person: Person

    private static let occasions = Occasions(
        stream: "audiogram",
        period: 182,
        least: 1,
        since: Introduction.audiogram
    )
    /// The quietest tone that a person of forty hears at each frequency: hertz, and decibels of hearing level.
    private static let frequencies = [(250, 8), (500, 8), (1000, 7), (2000, 9), (4000, 14), (6000, 19), (8000, 21)]

    func write(_ days: DayRange, to writer: inout ElementWriter) {
        for (day, _) in Self.occasions.all(of: person, in: days) {
            var random = RandomSequence(seed: person.seed, stream: "audiogram", day: day)
            let start = person.zone.startOfDay(day) + random.within(36_000...39_600)
            let end = start + random.within(280...420)
            writer.bytes.append(" <Audiogram type=\"HKDataTypeIdentifierAudiogram")
            writer.source(Source.hearingTest.text(on: day, shape: writer.shape))
            writer.times(of: Sample(start: start, end: end, created: end + 4, value: .absent))
            writer.bytes.append("\">\n")
            writer.timeZoneEntry()
            for (hertz, decibels) in Self.frequencies {
                writer.bytes.append("  <SensitivityPoint frequencyValue=\"")
                writer.bytes.append(hertz)
                writer.bytes.append("\" frequencyUnit=\"Hz\" leftEarValue=\"")
                writer.bytes.append(random.near(decibels, spread: 5))
                writer.bytes.append("\" leftEarUnit=\"dBHL\" rightEarValue=\"")
                writer.bytes.append(random.near(decibels, spread: 5))
                writer.bytes.append("\" rightEarUnit=\"dBHL\"/>\n")
            }
            writer.bytes.append(" </Audiogram>\n")
        }
    }
}
