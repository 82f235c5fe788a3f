import SyntheticExport
import Testing

/// What a clinician would look at first.
struct PlausibilityTests {
    private func values(of type: String) throws -> [Double] {
        try GeneratedText.week.get().records(ofQuantity: type).compactMap { $0.attribute("value").flatMap(Double.init) }
    }

    struct Bounds: CustomTestStringConvertible {
        let type: String
        let range: ClosedRange<Double>
        var testDescription: String { "\(type) \(range)" }
    }

    @Test(arguments: [
        Bounds(type: "HeartRate", range: 38...185),
        Bounds(type: "OxygenSaturation", range: 0.9...1),
        Bounds(type: "RespiratoryRate", range: 9...24),
        Bounds(type: "BodyMass", range: 140...175),
        Bounds(type: "BloodPressureSystolic", range: 95...145),
        Bounds(type: "BloodPressureDiastolic", range: 50...95),
        Bounds(type: "BloodGlucose", range: 65...180),
        Bounds(type: "WalkingAsymmetryPercentage", range: 0...0.2),
        Bounds(type: "EnvironmentalAudioExposure", range: 35...95),
        Bounds(type: "HeartRateVariabilitySDNN", range: 12...110),
        Bounds(type: "AppleSleepingWristTemperature", range: 94...100),
    ])
    func `values stay within a healthy adult's range`(_ bounds: Bounds) throws {
        let values = try values(of: bounds.type)
        #expect(!values.isEmpty)
        #expect(values.allSatisfy(bounds.range.contains))
    }

    @Test func `the heart beats slower at night than in the afternoon`() throws {
        let records = try GeneratedText.week.get().records(ofQuantity: "HeartRate")
        func mean(hour: String) -> Double {
            let values = records.filter { $0.attribute("startDate")?.dropFirst(11).prefix(2) == hour[...] }
                .compactMap { $0.attribute("value").flatMap(Double.init) }
            return values.reduce(0, +) / Double(values.count)
        }
        #expect(mean(hour: "03") + 10 < mean(hour: "15"))
    }

    @Test func `the energy ring is the sum of the day's records within 1 percent`() throws {
        let text = try GeneratedText(.init(extent: .days(1)))
        let ring = try #require(
            text.elements("ActivitySummary").first?.attribute("activeEnergyBurned").flatMap(Double.init)
        )
        // A repeated record, as real exports have them, counts once.
        let records = Set(
            text.records(ofQuantity: "ActiveEnergyBurned").map { [$0.attribute("startDate"), $0.attribute("value")] }
        )
        let sum = records.compactMap { $0[1].flatMap(Double.init) }.reduce(0, +)
        #expect(abs(sum - ring) < ring / 100)
    }

    @Test func `a type's records are nearly, but not quite, in the order of their creation`() throws {
        let created = try GeneratedText.week.get().records(ofQuantity: "HeartRate")
            .compactMap { $0.attribute("creationDate") }
        let inversions = zip(created, created.dropFirst()).count { $0 > $1 }
        #expect((created.count / 100...created.count * 6 / 100).contains(inversions))
    }

    @Test func `no sample ends before it starts, or is later than the export`() throws {
        for record in try GeneratedText.week.get().elements("Record") {
            let dates = ["startDate", "endDate", "creationDate"].compactMap { record.attribute($0) }
            #expect(dates[0] <= dates[1])
            #expect(dates.allSatisfy { $0 < "2024-07-01 08:12:31" })
        }
    }

    @Test func `phone and watch both record steps`() throws {
        let sources = try GeneratedText.week.get().records(ofQuantity: "StepCount").compactMap {
            $0.attribute("sourceName")
        }
        #expect(Set(sources).count == 2)
    }

    @Test(arguments: [("2022-09-11", false), ("2022-09-13", true)])
    func `sleep has stages from iOS 16 on`(_ date: String, _ hasStages: Bool) throws {
        let text = try GeneratedText(.init(extent: .days(7), endDate: CalendarDate(parsing: date)))
        let values = text.elements("Record").filter { $0.contains("SleepAnalysis") }
            .compactMap { $0.attribute("value") }
        #expect(values.contains { $0.hasSuffix("AsleepREM") } == hasStages)
        #expect(values.contains { $0.hasSuffix("AsleepUnspecified") })
    }

    @Test func `an odd seed gives blood glucose in mmol per litre, an even one in mg per decilitre`() throws {
        let odd = try GeneratedText(.init(extent: .days(1), seed: 1)).records(ofQuantity: "BloodGlucose")
        #expect(odd.first?.attribute("unit") == "mmol&lt;180.1558800000541&gt;/L")
        // 70 to 135 mg/dL.
        let values = odd.compactMap { $0.attribute("value").flatMap(Double.init) }
        #expect(values.allSatisfy { (3.9...7.5).contains($0) })
        let even = try GeneratedText.week.get().records(ofQuantity: "BloodGlucose")
        #expect(even.first?.attribute("unit") == "mg/dL")
    }
}
