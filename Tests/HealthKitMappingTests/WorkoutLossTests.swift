import FHIRR4
import HealthExport
import HealthKitMapping
import Testing

/// What can't be written of a workout is kept as text or counted: docs/workouts.md, "Left out, and counted".
struct WorkoutLossTests {
    private static let start = "2024-06-01 08:00:00 +0100"
    private static let end = "2024-06-01 08:30:00 +0100"
    private static let steps = "HKQuantityTypeIdentifierStepCount"

    @Test func `a heart rate in another unit than its code allows is counted`() throws {
        let type = "HKQuantityTypeIdentifierHeartRate"
        let rate = element(.workoutStatistics, ["type": type, "average": "1.5", "unit": "count/s"])
        let mapped = try mapElement(workout("Hiking", children: [rate]))
        #expect(mapped.tally.unmapped.types == [type: 1])
    }

    // MARK: Metadata

    @Test func `a workout in a laboratory also has that category`() throws {
        let mapped = try mapElement(workout(children: [metadata("HKWasTakenInLab", "1")]))
        let categories = "\"code\":\"PhysicalActivity\",\"display\":\"Physical Activity\"}]},{\"coding\":[{\"system\":"
        let laboratory =
            "\"http://terminology.hl7.org/CodeSystem/observation-category\",\"code\":\"laboratory\","
            + "\"display\":\"Laboratory\"}]}],\"code\""
        #expect(try mapped.first("PAPanel").contains(categories + laboratory))
        #expect(mapped.json.filter { $0.contains("\"laboratory\"") }.count == 1)
        let without = try mapElement(workout(children: [metadata("HKWasTakenInLab", "0")]))
        #expect(!without.json.joined().contains("laboratory"))
        #expect(without.ids == mapped.ids)
    }

    @Test(arguments: ["Lower", "Upper"])
    func `a clamping entry is kept if there is no number that it could qualify`(_ bound: String) throws {
        let key = "HKMetadataKeyQuantityClampedTo\(bound)Bound"
        let wanted =
            "\"extension\":[{\"url\":\"key\",\"valueString\":\"\(key)\"},{\"url\":\"value\",\"valueBoolean\":true}]"
        let clamped = metadata(key, "1")
        #expect(try mapElement(workout(children: [clamped])).first("PAPanel").contains(wanted))
        let nutrient = element(
            .record,
            [
                "type": "HKQuantityTypeIdentifierDietaryWater", "value": "1", "unit": "L", "startDate": Self.start,
                "endDate": Self.start,
            ]
        )
        let systolic = element(
            .record,
            [
                "type": "HKQuantityTypeIdentifierBloodPressureSystolic", "value": "120", "unit": "mmHg",
                "startDate": Self.start, "endDate": Self.start,
            ]
        )
        for panel in [
            element(
                .correlation,
                ["type": "HKCorrelationTypeIdentifierFood", "startDate": Self.start, "endDate": Self.end],
                [nutrient, clamped]
            ),
            element(
                .correlation,
                ["type": "HKCorrelationTypeIdentifierBloodPressure", "startDate": Self.start, "endDate": Self.end],
                [systolic, clamped]
            ),
        ] {
            #expect(try mapElement(panel).json.joined().contains(wanted))
        }
        #expect(
            try mapOne(category("Headache", "HKCategoryValueSeverityMild", metadata: [(key, "1")])).json.contains(
                wanted
            )
        )
    }

    @Test(arguments: [
        ("HKWasTakenInLab", "1", "\"valueBoolean\":true"),
        ("HKMetadataKeyQuantityClampedToLowerBound", "1", "\"valueBoolean\":true"),
        ("HKReferenceRangeLowerLimit", "1 m", "\"valueQuantity\":{\"value\":1,\"unit\":\"m\""),
        ("HKHeartRateSensorLocation", "2", "\"valueCodeableConcept\":"),
        ("HKVO2MaxTestType", "1", "\"valueCodeableConcept\":"),
        ("HKIndoorWorkout", "1", "\"valueBoolean\":true"),
    ])
    func `a prescription keeps as extensions what only an Observation has a place for`(
        _ key: String,
        _ value: String,
        _ member: String
    ) throws {
        let prescription = element(
            .visionPrescription,
            ["type": "HKVisionPrescriptionTypeGlasses", "dateIssued": Self.start],
            [element(.rightEye, ["sphere": "-1.25", "sphereUnit": "D"]), metadata(key, value)]
        )
        let mapped = try mapElement(prescription)
        let wanted = "{\"url\":\"key\",\"valueString\":\"\(key)\"},{\"url\":\"value\",\(member)"
        #expect(try mapped.first("VisionPrescription").contains(wanted))
        var options = MappingOptions(patientID: "p1", form: .resource)
        options.keepsMetadata = false
        #expect(try !mapElement(prescription, options: options).json.joined().contains(key))
    }

    @Test func `of two prescriptions with one identifier the greater version counts`() throws {
        let lens = element(.rightEye, ["sphere": "1", "sphereUnit": "D"])
        let ranks = try ["2", "10"].map { version in
            let prescription = element(
                .visionPrescription,
                ["type": "HKVisionPrescriptionTypeGlasses", "dateIssued": Self.start],
                [lens, metadata("HKMetadataKeySyncIdentifier", "a"), metadata("HKMetadataKeySyncVersion", version)]
            )
            return try mapElement(prescription).rows.map(\.rank)
        }
        #expect(ranks == [[2], [10]])
    }

    @Test func `a workout's UDI that differs from the device text's becomes an extension`() throws {
        let udi = metadata("HKUDIDeviceIdentifier", "4567")
        let said =
            "{\"url\":\"key\",\"valueString\":\"HKUDIDeviceIdentifier\"},"
            + "{\"url\":\"value\",\"valueString\":\"4567\"}"
        for (field, isKept) in [("UDIDeviceIdentifier", true), ("localIdentifier", false)] {
            let device = "<<HKDevice: 0x1>, name:Meter, model:M1, \(field):0123>"
            let panel = try mapElement(workout("Running", [("device", device)], children: [udi])).first("PAPanel")
            #expect(panel.contains(said) == isKept)
        }
    }

    // MARK: Percentages

    /// Apple's `%` is a fraction of one; nobody knows what an app meant by `97`.
    @Test(arguments: [
        ("average", "0.97", "97", true), ("average", "1.005", "100.5", true), ("average", "97", "97", false),
        ("maximum", "1.006", "1.006", false), ("minimum", "12", "12", false), ("sum", "2e3", "2e3", false),
        ("sum", "0.5", "50", true), ("average", "97.1234567890123456789", "97.1234567890123457", false),
    ])
    func `a statistic too large for a fraction is written as it is, without a code, and counted`(
        _ attribute: String,
        _ number: String,
        _ value: String,
        _ isFraction: Bool
    ) throws {
        let type = "HKQuantityTypeIdentifierOxygenSaturation"
        let statistic = HealthElement(
            .workoutStatistics,
            [.init("type", type), .init(attribute, number), .init("unit", "%")]
        )
        let mapped = try mapElement(workout(children: [statistic]))
        let code = isFraction ? ",\"system\":\"http://unitsofmeasure.org\",\"code\":\"%\"}" : "}"
        let member = try mapped.first(type)
        #expect(member.contains("\"valueQuantity\":{\"value\":\(value),\"unit\":\"%\"\(code)"))
        #expect(mapped.tally.unmapped.suspectPercents == (isFraction ? [:] : [type: 1]))
        #expect(mapped.tally.unmapped.units == [:] && mapped.tally.unmapped.values == [:])
    }

    @Test func `a ring and a hearing threshold in % follow the same rule`() throws {
        let ring = element(
            .activitySummary,
            [
                "dateComponents": "2024-06-01", "activeEnergyBurned": "97", "activeEnergyBurnedGoal": "0.5",
                "activeEnergyBurnedUnit": "%",
            ]
        )
        let point = element(
            .sensitivityPoint,
            ["frequencyValue": "500", "frequencyUnit": "Hz", "leftEarValue": "15", "leftEarUnit": "%"]
        )
        let audiogram = element(.audiogram, ["startDate": Self.start, "endDate": Self.end], [point])
        for (element, value, type) in [
            (ring, "97", "HKActivitySummary"), (audiogram, "15", "HKDataTypeIdentifierAudiogram"),
        ] {
            let mapped = try mapElement(element)
            #expect(mapped.json.joined().contains("\"valueQuantity\":{\"value\":\(value),\"unit\":\"%\"}"))
            #expect(mapped.tally.unmapped.suspectPercents == [type: 1])
        }
    }

    // MARK: Dates and numbers

    @Test(arguments: [
        ["date": "1.6.2024 08:10", "type": "HKWorkoutEventTypePause"], ["type": "HKWorkoutEventTypePause"],
        ["date": start],
    ])
    func `an event without a usable date or type is counted as left out`(_ attributes: [String: String]) throws {
        let event = HealthElement(.workoutEvent, attributes.map { .init($0.key, $0.value) })
        let mapped = try mapElement(workout(children: [event]))
        #expect(mapped.tally.unmapped.elements == ["WorkoutEvent": 1])
        #expect(mapped.ids == (try mapElement(workout()).ids))
        let activity = element(.workoutActivity, ["startDate": Self.start, "endDate": Self.end], [event, event])
        #expect(try mapElement(workout(children: [event, activity])).tally.unmapped.elements == ["WorkoutEvent": 3])
    }

    @Test(arguments: [
        (["sum": "1,234"], ["other": 1], [:]), (["average": "1,234", "minimum": "2"], ["other": 1], [:]),
        (["average": "1,234", "minimum": "x"], ["other": 2], ["WorkoutStatistics": 1]),
        ([:], [:], ["WorkoutStatistics": 1]),
    ])
    func `an unusable number in a statistic is counted, and a statistic without any number too`(
        _ numbers: [String: String],
        _ values: [String: UInt64],
        _ leftOut: [String: UInt64]
    ) throws {
        for type in [Self.steps, "HKQuantityTypeIdentifierHeartRate"] {
            var statistics = element(
                .workoutStatistics,
                ["type": type, "startDate": Self.start, "endDate": Self.end, "unit": "count"]
            )
            statistics.attributes += numbers.map { .init($0.key, $0.value) }
            let mapped = try mapElement(workout(children: [statistics]))
            #expect(mapped.tally.unmapped.values == values)
            #expect(mapped.tally.unmapped.elements == leftOut)
        }
    }

    @Test func `a statistic without a type is counted as left out`() throws {
        let mapped = try mapElement(workout(children: [element(.workoutStatistics, ["sum": "12"])]))
        #expect(mapped.tally.unmapped.elements == ["WorkoutStatistics": 1])
    }

    @Test(arguments: [
        ("today", end, 2, 1), (start, "2024-02-30 08:00:00 +0100", 2, 1), ("x", "y", 2, 2), (end, start, 2, 1),
        (start, "", 1, 0), ("", "", 0, 0), (start, end, 0, 0), (start, start, 0, 0),
    ])
    func `unusable dates of statistics and activities are counted`(
        _ first: String,
        _ last: String,
        _ ofStatistic: UInt64,
        _ ofActivity: UInt64
    ) throws {
        let inside = element(.workoutStatistics, ["type": Self.steps, "sum": "9", "unit": "count"])
        for (name, count) in [(ElementName.workoutStatistics, ofStatistic), (.workoutActivity, ofActivity)] {
            let part = element(
                name,
                ["type": Self.steps, "sum": "12", "unit": "count", "startDate": first, "endDate": last],
                name == .workoutActivity ? [inside] : []
            )
            let mapped = try mapElement(workout(children: [part]))
            #expect(mapped.tally.unmapped.values == (count > 0 ? ["other": count] : [:]), "\(name)")
            #expect(mapped.tally.unmapped.elements.isEmpty)
        }
    }
}
