/// Meals from a food diary: a Correlation of the records that are also at top level.
struct FoodPanels {
    let person: Person

    private static let nutrients = SpotSeries.meals.filter { $0.stream != nil } + SpotSeries.nutrients

    func write(_ days: DayRange, to writer: inout ElementWriter) {
        for day in days where !writer.bytes.isStopped {
            let source = Source.kitchen.text(on: day, shape: writer.shape)
            let samples = Self.nutrients.map { $0.samples(on: day, of: person) }
            for meal in samples[0].indices {
                let eaten = zip(Self.nutrients, samples).map { ($0.type, $1[meal]) }
                write(eaten, from: source, to: &writer)
            }
        }
    }

    private func write(
        _ nutrients: [(type: RecordType, sample: Sample)],
        from source: SourceText,
        to writer: inout ElementWriter
    ) {
        let meal = nutrients[0].sample
        writer.bytes.append(" <Correlation type=\"HKCorrelationTypeIdentifierFood")
        writer.source(source)
        writer.times(of: meal)
        writer.bytes.append("\">\n")
        writer.write(meal.metadata)
        for (type, sample) in nutrients {
            writer.openRecord(sample, of: type, from: source, indent: "  ")
            writer.bytes.append(">\n")
            writer.isInCorrelation = true
            writer.write(sample.metadata)
            writer.isInCorrelation = false
            writer.bytes.append("  </Record>\n")
        }
        writer.bytes.append(" </Correlation>\n")
    }
}
