/// Days since 1970; the step is 1, except when days are sampled to measure their size.
typealias DayRange = StrideTo<Int>

/// What follows the prolog, in order: quantities by type, categories by type, panels, workouts, rings, rare elements.
struct ExportBody {
    let person: Person
    let days: DayRange
    let density: Density
    let heartRateBudget: HeartRate.Budget?

    func write(to writer: inout ElementWriter) {
        writeBeforeHeartRate(to: &writer)
        writeHeartRate(to: &writer)
        writeAfterHeartRate(to: &writer)
    }

    func writeBeforeHeartRate(to writer: inout ElementWriter) {
        let bloodPressure = BloodPressure(person: person)
        write(SpotSeries.body, to: &writer)
        write([SpotSeries.bloodGlucose(seed: person.seed)], to: &writer)
        bloodPressure.writeSystolic(days, to: &writer)
        bloodPressure.writeDiastolic(days, to: &writer)
        write([SlotSeries.steps, .distance, .basalEnergy, .activeEnergy], to: &writer)
        write(SpotSeries.flights, to: &writer)
        write(SpotSeries.meals, to: &writer)
        write([SlotSeries.exerciseTime], to: &writer)
        write(SpotSeries.fitness, to: &writer)
        write(SpotSeries.sound, to: &writer)
        write(SpotSeries.gait, to: &writer)
        write([SlotSeries.standTime, .physicalEffort], to: &writer)
        write(SpotSeries.daylightAndWrist, to: &writer)
        HeartRateVariability(person: person).write(days, to: &writer)
        if writer.shape == .full { writeRareQuantities(to: &writer) }
    }

    func writeHeartRate(to writer: inout ElementWriter) {
        HeartRate(person: person, density: density, budget: heartRateBudget).write(days, to: &writer)
    }

    func writeAfterHeartRate(to writer: inout ElementWriter) {
        write([SpotSeries.sleepGoal], to: &writer)
        Sleep(person: person).write(days, to: &writer)
        StandHours(person: person).write(days, to: &writer)
        write(SpotSeries.events, to: &writer)
        let isFull = writer.shape == .full
        if isFull { writeRareCategories(to: &writer) }
        BloodPressure(person: person).writeCorrelations(days, to: &writer)
        if isFull { FoodPanels(person: person).write(days, to: &writer) }
        Workouts(person: person).write(days, to: &writer)
        if isFull { Triathlons(person: person).write(days, to: &writer) }
        ActivitySummaries(person: person).write(days, to: &writer)
        if isFull { writeRareElements(to: &writer) }
    }

    // MARK: What the shape `full` has in addition

    private func writeRareQuantities(to writer: inout ElementWriter) {
        write(SpotSeries.nutrients, to: &writer)
        write(SpotSeries.measurements, to: &writer)
        CycleSeries.temperature.write(days, of: person, to: &writer)
        for series in WorkoutSeries.runs + WorkoutSeries.rides { series.write(days, of: person, to: &writer) }
    }

    private func writeRareCategories(to writer: inout ElementWriter) {
        write(SpotSeries.symptoms, to: &writer)
        write(SpotSeries.notifications, to: &writer)
        IrregularRhythm(person: person).write(days, to: &writer)
        for series in CycleSeries.categories { series.write(days, of: person, to: &writer) }
    }

    private func writeRareElements(to writer: inout ElementWriter) {
        for record in ClinicalRecord.all(of: person, in: days) { record.write(to: &writer) }
        Audiograms(person: person).write(days, to: &writer)
        VisionPrescriptions(person: person).write(days, to: &writer)
    }

    private func write(_ table: [SpotSeries], to writer: inout ElementWriter) {
        for series in table { series.write(days, of: person, to: &writer) }
    }

    private func write(_ table: [SlotSeries], to writer: inout ElementWriter) {
        for series in table { series.write(days, of: person, density: density, to: &writer) }
    }
}
