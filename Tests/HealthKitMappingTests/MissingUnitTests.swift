import HealthExport
import HealthKitMapping
import Testing

/// A quantity without a unit is written as a bare number, and counted as `none`.
struct MissingUnitTests {
    private static let elements = [
        element(.activitySummary, ["dateComponents": "2024-06-01", "activeEnergyBurned": "612"]),
        workout("Rowing", [("totalDistance", "3")]), workout("Running", [("duration", "30")]),
        workout(children: [element(.workoutStatistics, ["type": "HKQuantityTypeIdentifierStepCount", "sum": "3"])]),
        element(
            .audiogram,
            [
                "type": "HKDataTypeIdentifierAudiogram", "startDate": "2024-06-01 08:00:00 +0100",
                "endDate": "2024-06-01 08:00:00 +0100",
            ],
            [element(.sensitivityPoint, ["frequencyValue": "1000", "frequencyUnit": "Hz", "leftEarValue": "10"])]
        ),
    ]

    @Test(arguments: elements) func `a number that lacks its unit is counted as none`(
        _ element: HealthElement
    ) throws {
        #expect(try mapElement(element).tally.unmapped.units == [MappingTally.noUnit: 1])
    }

    @Test func `a unit of white space counts as none`() throws {
        let mapped = try mapElement(workout("Rowing", [("totalDistance", "3"), ("totalDistanceUnit", " ")]))
        #expect(mapped.tally.unmapped.units == [MappingTally.noUnit: 1])
    }

    @Test func `a blood pressure without a value is left out and counted`() throws {
        let attributes: KeyValuePairs = [
            "type": "HKCorrelationTypeIdentifierBloodPressure", "startDate": "2024-06-01 08:00:00 +0100",
            "endDate": "2024-06-01 08:00:00 +0100",
        ]
        let mapped = try mapElement(element(.correlation, attributes))
        #expect(mapped.json.isEmpty && mapped.tally.unmapped.elements == ["Correlation": 1])
    }

    @Test func `an unusable date, and a goal without a result, are counted`() throws {
        let glasses = element(
            .visionPrescription,
            [
                "type": "HKVisionPrescriptionTypeGlasses", "dateIssued": "2024-06-16 14:00:00 +0100",
                "expirationDate": "2025-06-16",
            ],
            [element(.rightEye, ["sphere": "1", "sphereUnit": "D", "axis": "1e20", "axisUnit": "deg"])]
        )
        let mapped = try mapElement(glasses)
        #expect(mapped.tally.unmapped.values == ["other": 2])
        #expect(!mapped.json[0].contains("axis"))
        let ring = element(
            .activitySummary,
            ["dateComponents": "2024-06-01", "appleMoveTime": "30", "appleExerciseTimeGoal": "30"]
        )
        #expect(try mapElement(ring).tally.unmapped.values == ["other": 1])
    }
}
