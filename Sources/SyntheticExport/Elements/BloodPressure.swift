/// Blood pressure from a cuff's app: two records at top level, and both again inside a Correlation.
struct BloodPressure {
    let person: Person

    private static let systolic = RecordType("HKQuantityTypeIdentifierBloodPressureSystolic", unit: "mmHg")
    private static let diastolic = RecordType("HKQuantityTypeIdentifierBloodPressureDiastolic", unit: "mmHg")

    /// One measurement: both values at the same instant.
    private struct Reading {
        let systolic: Sample
        let diastolic: Sample
    }

    func writeSystolic(_ days: DayRange, to writer: inout ElementWriter) {
        forEachReading(days, writer: &writer) { reading, source, writer in
            writer.record(reading.systolic, of: Self.systolic, from: source)
        }
    }

    func writeDiastolic(_ days: DayRange, to writer: inout ElementWriter) {
        forEachReading(days, writer: &writer) { reading, source, writer in
            writer.record(reading.diastolic, of: Self.diastolic, from: source)
        }
    }

    /// Writes the panels, which only Apple's shapes have.
    func writeCorrelations(_ days: DayRange, to writer: inout ElementWriter) {
        guard writer.shape.isApples else { return }
        forEachReading(days, writer: &writer) { reading, source, writer in
            writer.bytes.append(" <Correlation type=\"HKCorrelationTypeIdentifierBloodPressure")
            writer.source(source)
            writer.times(of: reading.systolic)
            writer.bytes.append("\">\n")
            writer.entry("HKWasUserEntered", 0)
            writer.openRecord(reading.systolic, of: Self.systolic, from: source, indent: "  ")
            writer.closeEmpty()
            writer.openRecord(reading.diastolic, of: Self.diastolic, from: source, indent: "  ")
            writer.closeEmpty()
            writer.bytes.append(" </Correlation>\n")
        }
    }

    /// Calls `body` with each reading: every second day, before breakfast and in the evening.
    private func forEachReading(
        _ days: DayRange,
        writer: inout ElementWriter,
        body: (Reading, SourceText, inout ElementWriter) -> Void
    ) {
        for day in days where day.isMultiple(of: 2) && !writer.bytes.isStopped {
            let source = Source.cuff.text(on: day, shape: writer.shape)
            let startOfDay = person.zone.startOfDay(day)
            var random = RandomSequence(seed: person.seed, stream: "blood pressure", day: day)
            for minute in [random.near(425, spread: 20), random.near(1235, spread: 45)] {
                let time = startOfDay + minute * 60 + random.below(60)
                let systolic = random.near(minute < 720 ? 117 : 122, spread: 11)
                let diastolic = random.near(systolic * 63 / 100, spread: 5)
                func sample(_ value: Int) -> Sample {
                    Sample(start: time, end: time, created: time + 41, value: .number(FixedPoint(value)))
                }
                body(Reading(systolic: sample(systolic), diastolic: sample(diastolic)), source, &writer)
            }
        }
    }
}
