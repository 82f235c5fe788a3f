import HealthExport
import HealthKitMapping
import Testing

/// An element that says that it ends before it starts is damaged; what it holds is all the same written.
struct BackwardsElementTests {
    private static let start = "2024-06-01 08:00:00 +0100"
    private static let end = "2024-06-01 07:59:59 +0100"

    private static func value(_ type: String, _ value: String, _ unit: String) -> HealthElement {
        element(
            .record,
            [
                "type": "HKQuantityTypeIdentifier" + type, "value": value, "unit": unit, "startDate": start,
                "endDate": start,
            ]
        )
    }

    private static let elements = [
        element(
            .correlation,
            ["type": "HKCorrelationTypeIdentifierBloodPressure", "startDate": start, "endDate": end],
            [value("BloodPressureSystolic", "120", "mmHg")]
        ),
        element(
            .correlation,
            ["type": "HKCorrelationTypeIdentifierFood", "startDate": start, "endDate": end],
            [value("DietaryProtein", "9", "g")]
        ),
        element(
            .audiogram,
            ["startDate": start, "endDate": end],
            [
                element(
                    .sensitivityPoint,
                    ["frequencyValue": "500", "frequencyUnit": "Hz", "leftEarValue": "15", "leftEarUnit": "dBHL"]
                )
            ]
        ),
        element(
            .workout,
            ["workoutActivityType": "HKWorkoutActivityTypeYoga", "startDate": start, "endDate": end]
        ),
    ]

    @Test(arguments: elements) func `an element that ends before it starts is reported, and has only its start`(
        _ element: HealthElement
    ) throws {
        let mapped = try mapElement(element)
        #expect(mapped.faults == [.endBeforeStart])
        // A row that covers a waiting record has no JSON.
        let written = mapped.json.filter { !$0.isEmpty }
        #expect(!written.isEmpty)
        for json in written { #expect(json.contains("\"effectiveDateTime\":\"2024-06-01T07:00:00Z\"")) }
    }
}
