import HealthExport
import HealthKitMapping
import Testing

/// Keys depend on what is in an element and not on its order in the file, so the order must not change a byte.
struct FileOrderTests {
    /// Swift considers the two units equal; other languages do not.
    @Test func `texts of a workout are equal only if their bytes are`() throws {
        let units = ["\u{E9}", "e\u{301}"]
        let statistics = units.map {
            element(.workoutStatistics, ["type": "HKQuantityTypeIdentifierStepCount", "sum": "3", "unit": $0])
        }
        let types = units.map { element(.workoutEvent, ["type": $0, "date": "2024-06-01 08:00:00 +0100"]) }
        let mapped = try mapElement(workout(children: statistics + types))
        #expect(mapped.ids.count == 4 && Set(mapped.ids).count == 4)
        #expect(try mapElement(workout(children: (statistics + types).reversed())).json == mapped.json)
        for unit in units { #expect(mapped.json.joined().utf8.contains(unit.utf8)) }
    }

    @Test func `a repeated point or eye counts once, and clamping bounds are ordered`() throws {
        let time = "2024-06-01 08:00:00 +0100"
        let point = { (bound: String) in
            element(
                .sensitivityPoint,
                [
                    "frequencyValue": "1000", "frequencyUnit": "Hz", "leftEarValue": "-8", "leftEarUnit": "dBHL",
                    "leftEarClampingRangeLowerBound": bound,
                ]
            )
        }
        let test = { (points: [HealthElement]) in
            try mapElement(
                element(
                    .audiogram,
                    ["type": "HKDataTypeIdentifierAudiogram", "sourceName": "A", "startDate": time, "endDate": time],
                    points
                )
            )
        }
        #expect(try test([point("0"), point("0")]).json == test([point("0")]).json)
        #expect(try test([point("0"), point("-5")]).json == test([point("-5"), point("0")]).json)
        let eye = element(.rightEye, ["sphere": "1", "sphereUnit": "D"])
        let glasses = { (eyes: [HealthElement]) in
            try mapElement(
                element(
                    .visionPrescription,
                    ["type": "HKVisionPrescriptionTypeGlasses", "dateIssued": time],
                    eyes
                )
            )
        }
        #expect(try glasses([eye, eye]).json == glasses([eye]).json)
        let food = { (records: [HealthElement]) in
            try mapElement(
                element(
                    .correlation,
                    ["type": "HKCorrelationTypeIdentifierFood", "sourceName": "A", "startDate": time, "endDate": time],
                    records
                )
            )
        }
        let record = { (date: String) in
            element(
                .record,
                [
                    "type": "HKQuantityTypeIdentifierDietaryProtein", "sourceName": "A", "unit": "g", "value": "5",
                    "startDate": date, "endDate": date,
                ]
            )
        }
        #expect(try food([record(time), record(time)]).json == food([record(time)]).json)
        // Two that agree only in type and value are two.
        #expect(try food([record(time), record(Self.later)]).json != food([record(time)]).json)
    }

    /// Phones have written the right eye's `nearPD` for both eyes, and the type in two forms.
    @Test func `a prescription's id depends neither on nearPD nor on the form of its type`() throws {
        func id(_ type: String, nearPD: String) throws -> String? {
            let eyes: KeyValuePairs = ["sphere": "1", "sphereUnit": "D", "nearPD": nearPD, "nearPDUnit": "mm"]
            let prescription = element(
                .visionPrescription,
                ["type": type, "dateIssued": "2024-06-01 08:00:00 +0100"],
                [element(.rightEye, ["sphere": "2", "sphereUnit": "D"]), element(.leftEye, eyes)]
            )
            let json = try #require(try mapElement(prescription).json.first)
            return json.firstMatch(of: /"id":"(h[0-9a-f]{32})"/).map { String($0.1) }
        }
        let first = try #require(try id("glasses", nearPD: "30.5"))
        #expect(try id("HKVisionPrescriptionTypeGlasses", nearPD: "31") == first)
        #expect(try id("contacts", nearPD: "30.5") != first)
    }

    private static let start = "2024-06-01 08:00:00 +0100"
    private static let later = "2024-06-01 08:05:00 +0100"

    private static func activity(_ attributes: KeyValuePairs<String, String>) -> HealthElement {
        element(.workoutActivity, attributes)
    }

    private static func lap(_ key: String, _ value: String) -> HealthElement {
        element(.workoutEvent, ["type": "HKWorkoutEventTypeLap", "date": start], [metadata(key, value)])
    }

    private static let parts: [[HealthElement]] = [
        [activity(["startDate": start, "duration": "1"]), activity(["startDate": start, "duration": "2"])],
        [lap("A", "1"), lap("B", "1"), lap("A", "1")], [lap("\u{E9}", "1"), lap("e\u{301}", "1")],
    ]

    @Test(arguments: parts) func `the order of a workout's parts does not change the bytes`(
        _ children: [HealthElement]
    ) throws {
        let mapped = try mapElement(workout(children: children))
        #expect(try mapElement(workout(children: children.reversed())).json == mapped.json)
        #expect(Set(mapped.ids).count == mapped.ids.count)
    }

    @Test func `a repeated activity counts once`() throws {
        let twice = Self.activity(["startDate": Self.start, "endDate": Self.later, "duration": "5"])
        let other = Self.activity(["startDate": Self.later, "duration": "6"])
        #expect(
            try mapElement(workout(children: [twice, other, twice])).json
                == mapElement(workout(children: [twice, other])).json
        )
    }

    @Test func `activities that differ only in their ends have different ids`() throws {
        let backwards = Self.activity(["startDate": Self.later, "endDate": Self.start])
        let moment = Self.activity(["startDate": Self.later, "endDate": Self.later])
        let ids = try mapElement(workout(children: [backwards, moment])).ids
        #expect(Set(ids).count == ids.count)
    }

    @Test func `the right eye comes before the left one`() throws {
        let eyes = [
            element(.leftEye, ["sphere": "1", "sphereUnit": "D"]),
            element(.rightEye, ["sphere": "2", "sphereUnit": "D"]),
        ]
        let json = try [eyes, eyes.reversed()].map { eyes in
            try mapElement(
                element(
                    .visionPrescription,
                    ["type": "HKVisionPrescriptionTypeGlasses", "dateIssued": Self.start],
                    eyes
                )
            ).json
        }
        #expect(json[0] == json[1])
        #expect(json[0][0].contains("\"eye\":\"right\",\"sphere\":2},{"))
    }

    @Test func `the order of points that differ only in masking changes nothing`() throws {
        let points = ["0", "1"].map {
            element(
                .sensitivityPoint,
                [
                    "frequencyValue": "1000", "frequencyUnit": "Hz", "leftEarValue": "10", "leftEarUnit": "dBHL",
                    "leftEarMasked": $0,
                ]
            )
        }
        let attributes: KeyValuePairs = [
            "type": "HKDataTypeIdentifierAudiogram", "startDate": Self.start, "endDate": Self.start,
        ]
        let mapped = try mapElement(element(.audiogram, attributes, points))
        #expect(try mapElement(element(.audiogram, attributes, points.reversed())).json == mapped.json)
    }
}
