import ExportPipeline
import HealthKitMapping
import TestSupport
import Testing

/// Numbers in a unit of another kind than their type's, as no phone writes them: they are written as they are, with the
/// meaning of their unit, and are added to nothing.
struct UnitKindTests {
    @Test(arguments: [
        ("StepCount", "km"), ("BodyMass", "km"), ("BodyFatPercentage", "kg"), ("ForcedVitalCapacity", "kg"),
        ("HeartRateVariabilitySDNN", "count"), ("BloodPressureSystolic", "kg"), ("Height", "mg"), ("BloodGlucose", "L"),
    ])
    func `a unit of another kind rules out standard codes, and is counted`(_ type: String, _ unit: String) throws {
        let type = "HKQuantityTypeIdentifier" + type
        let run = try Run(of: record(type, value: "20", unit: unit))
        #expect(run.report.tally.unmapped.types == [type: 1])
        #expect(run.text.contains("\"\(type)\""))
        #expect(!run.text.contains("http://loinc.org") && !run.text.contains("http://snomed.info"))
    }

    @Test(arguments: [
        ("BodyMass", "oz"), ("DistanceCycling", "in"), ("DietaryWater", "pt_imp"), ("BodyTemperature", "K"),
        ("ActiveEnergyBurned", "cal"), ("BloodGlucose", "mmol&lt;180.1558800000541&gt;/L"), ("StepCount", "count"),
    ])
    func `standard codes stay with every unit of their kind`(_ type: String, _ unit: String) throws {
        let run = try Run(of: record("HKQuantityTypeIdentifier" + type, value: "20", unit: unit))
        #expect(run.report.tally.unmapped.types == [:])
        #expect(run.text.contains("loinc.org") || run.text.contains("snomed.info"))
    }

    @Test func `a day's sum leaves out numbers of another kind`() throws {
        func hour(_ type: String, _ hour: Int, _ value: String, _ unit: String? = nil) -> String {
            record(
                type,
                value: value,
                unit: unit,
                start: "2024-06-15 0\(hour):00:00 +0000",
                end: "2024-06-15 0\(hour + 1):00:00 +0000"
            )
        }
        let (steps, sleep) = ("HKQuantityTypeIdentifierStepCount", "HKCategoryTypeIdentifierSleepAnalysis")
        let run = try Run(
            of: hour(steps, 1, "100", "km") + hour(steps, 3, "20", "count")
                + hour(sleep, 1, "HKCategoryValueSeverityModerate") + hour(sleep, 2, "HKCategoryValueNotApplicable")
                + hour(sleep, 3, "HKCategoryValueSleepAnalysisAsleepCore") + hour(sleep, 5, "4"),
            options: .sample.with { $0.mapping.summarizes = true }
        )
        #expect(
            try SummaryTests.summaries(run) == [
                "2024-06-15 Steps per day 20 final",
                "2024-06-15 Sleep of the night 120 final, asleep, core 60, asleep, deep 60",
            ]
        )
    }
}
