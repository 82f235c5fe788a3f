import FHIRR4
import HealthExport
import HealthKitMapping
import Testing

/// docs/workouts.md.
struct `Workouts` {
    static let start = "2024-06-01 08:00:00 +0100"
    static let end = "2024-06-01 08:30:00 +0100"

    @Test func `a workout is a panel after its members, with one unit and one group`() throws {
        let mapped = try mapElement(workout("Running", [("duration", "29.5"), ("durationUnit", "min")]))
        let frame = { (id: String, profile: String) in
            "{\"resourceType\":\"Observation\",\"id\":\"\(id)\",\"meta\":{\"profile\":[\"urn:uuid:\(profile)\"]},"
                + "\"identifier\":[{\"system\":"
                + "\"urn:uuid:5c4f3f8e-6d0a-5b56-9d0b-5f8f6e4d7a10\",\"value\":\"\(id)\"}],\"status\":\"final\","
                + "\"category\":[{\"coding\":[{\"system\":\"http://terminology.hl7.org/CodeSystem/observation-category\","
                + "\"code\":\"activity\",\"display\":\"Activity\"}]},{\"coding\":[{\"system\":"
                + "\"http://hl7.org/fhir/us/physical-activity/CodeSystem/pa-temporary-codes\","
                + "\"code\":\"PhysicalActivity\",\"display\":\"Physical Activity\"}]}],"
        }
        let time =
            "\"subject\":{\"reference\":\"Patient/p1\"},\"effectivePeriod\":{\"start\":\"2024-06-01T07:00:00Z\","
            + "\"end\":\"2024-06-01T07:30:00Z\"},\"performer\":[{\"reference\":\"Patient/p1\"}]"
        let end =
            ",\"extension\":[{\"url\":\"http://hl7.org/fhir/StructureDefinition/observation-gatewayDevice\","
            + "\"valueReference\":{\"reference\":\"Device/GATEWAY\"}}]}"
        let ids = mapped.ids
        try #require(ids.count == 3)
        let json = mapped.json.map {
            $0.replacing(/Device\/h[0-9a-f]{32}/, with: "Device/GATEWAY")
        }
        #expect(
            json == [
                frame(ids[0], "b818fa07-d501-5725-9d6b-3dfbc1f47850")
                    + "\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"73985-4\","
                    + "\"display\":\"Exercise activity\"}],\"text\":\"Activity\"}," + time
                    + ",\"valueCodeableConcept\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"LA11836-6\","
                    + "\"display\":\"Running\"},{\"system\":"
                    + "\"https://developer.apple.com/documentation/healthkit/hkworkoutactivitytype\","
                    + "\"code\":\"37\",\"display\":\"Running\"}],\"text\":\"Running\"}" + end,
                frame(ids[1], "b818fa07-d501-5725-9d6b-3dfbc1f47850")
                    + "\"code\":{\"coding\":[{\"system\":\"http://loinc.org\",\"code\":\"55411-3\","
                    + "\"display\":\"Exercise duration\"}],\"text\":\"Duration\"}," + time
                    + ",\"valueQuantity\":{\"value\":29.5,\"unit\":\"min\",\"system\":\"http://unitsofmeasure.org\","
                    + "\"code\":\"min\"}" + end,
                frame(ids[2], "d88a05e7-ecf5-5ba3-b000-120e2e931f52") + "\"code\":{\"coding\":[{\"system\":"
                    + "\"http://hl7.org/fhir/us/physical-activity/CodeSystem/pa-temporary-codes\",\"code\":\"PAPanel\","
                    + "\"display\":\"Physical Activity Panel\"},{\"system\":"
                    + "\"http://developer.apple.com/documentation/healthkit\",\"code\":\"HKWorkoutTypeIdentifier\"}],"
                    + "\"text\":\"Workout\"}," + time + ",\"hasMember\":[{\"reference\":\"Observation/\(ids[0])\"},"
                    + "{\"reference\":\"Observation/\(ids[1])\"}]" + end,
            ]
        )
        #expect(mapped.rows.map(\.followers) == [2, 1, 0])
        #expect(Set(mapped.rows.map(\.kind)).count == 1 && Set(mapped.rows.map(\.digest)).count == 1)
    }

    // MARK: Numbers

    @Test(arguments: [
        ("1770", "s", "{\"value\":29.5,\"unit\":\"min\""), ("0.5", "hr", "{\"value\":30,\"unit\":\"min\""),
        ("29.50", "min", "{\"value\":29.50,\"unit\":\"min\""),
        ("100", "s", "{\"value\":1.66667,\"unit\":\"min\""),
    ])
    func `a duration is in minutes if its unit is a time`(_ value: String, _ unit: String, _ json: String) throws {
        let mapped = try mapElement(workout("Running", [("duration", value), ("durationUnit", unit)]))
        #expect(try mapped.first("55411-3").contains("\"valueQuantity\":" + json))
        #expect(mapped.tally.unmapped.units == [:])
    }

    @Test func `a duration in another unit does not have the code for minutes`() throws {
        let mapped = try mapElement(workout("Running", [("duration", "29.5"), ("durationUnit", "sec")]))
        let duration = try mapped.first("\"text\":\"Duration\"")
        #expect(duration.contains("\"valueQuantity\":{\"value\":29.5,\"unit\":\"sec\"}"))
        #expect(
            duration.contains(
                "\"code\":{\"coding\":[{\"system\":\"http://developer.apple.com/documentation/healthkit\","
                    + "\"code\":\"HKWorkout.duration\",\"display\":\"Duration\"}],\"text\":\"Duration\"}"
            )
        )
        #expect(mapped.tally.unmapped.units == ["other": 1])
    }

    @Test(arguments: [
        ("418.4", "kJ", "100"), ("100.0", "Cal", "100.0"), ("100", "kcal", "100"), ("250", "cal", "0.25"),
        ("4184", "J", "1"),
    ])
    func `active energy is written in kilocalories`(_ value: String, _ unit: String, _ kilocalories: String) throws {
        let statistic = statistics("ActiveEnergyBurned", ["sum": value, "unit": unit])
        let json = try mapElement(workout(children: [statistic])).first("55424-6")
        #expect(
            json.contains(
                "\"valueQuantity\":{\"value\":\(kilocalories),\"unit\":\"kcal\",\"system\":\"http://unitsofmeasure.org\","
                    + "\"code\":\"kcal\"}"
            )
        )
    }

    @Test(arguments: [
        ("HKWeatherHumidity", "7700 %", "\"valueQuantity\":{\"value\":77,\"unit\":\"%\",\"system\""),
        ("HKWeatherHumidity", "56 %", "\"valueQuantity\":{\"value\":56,\"unit\":\"%\",\"system\""),
        ("HKWeatherHumidity", "100 %", "\"valueQuantity\":{\"value\":100,\"unit\":\"%\",\"system\""),
        ("HKAlpineSlopeGrade", "12 %", "\"valueQuantity\":{\"value\":12,\"unit\":\"%\",\"system\""),
        ("HKSWOLFScore", "42.5", "\"valueQuantity\":{\"value\":42.5}"),
        ("HKIndoorWorkout", "1", "\"valueBoolean\":true"), ("HKIndoorWorkout", "maybe", "\"valueString\":\"maybe\""),
        ("HKSwimmingLocationType", "2", "\"text\":\"open water\""),
        ("HKSwimmingLocationType", "9", "\"valueString\":\"9\""),
        ("HKIndoorBikeDistance", "5000 m", "\"valueQuantity\":{\"value\":5000,\"unit\":\"m\""),
        ("HKCrossTrainerDistance", "3.1 mi", "\"valueQuantity\":{\"value\":3.1,\"unit\":\"mi\""),
        ("HKFitnessMachineDuration", "600 s", "\"valueQuantity\":{\"value\":600,\"unit\":\"s\""),
        ("HKElevationAscended", "418.0 cm", "\"valueQuantity\":{\"value\":418.0,\"unit\":\"cm\""),
        ("HKWorkoutBrandName", "12 Rounds", "\"valueString\":\"12 Rounds\""),
        ("Best of", "12 Rounds", "\"valueString\":\"Best of\"},{\"url\":\"value\",\"valueString\":\"12 Rounds\"}"),
    ])
    func `a workout's metadata goes where a record's does`(_ key: String, _ value: String, _ json: String) throws {
        #expect(try mapElement(workout(children: [metadata(key, value)])).first("PAPanel").contains(json))
    }

    // MARK: Statistics

    @Test func `totals in attributes are written like the statistics of iOS 16 and later`() throws {
        let old = workout(
            "Cycling",
            [
                ("totalDistance", "10.5"), ("totalDistanceUnit", "km"), ("totalEnergyBurned", "300"),
                ("totalEnergyBurnedUnit", "kcal"),
            ]
        )
        let new = workout(
            "Cycling",
            children: [
                statistics("DistanceCycling", ["sum": "10.5", "unit": "km"]),
                statistics("ActiveEnergyBurned", ["sum": "300", "unit": "kcal"]),
            ]
        )
        #expect(try mapElement(old).json == mapElement(new).json)
        #expect(try mapElement(workout("Yoga", [("totalDistance", "1"), ("totalDistanceUnit", "km")])).ids.count == 3)
    }

    @Test(arguments: ["Rowing", "Elliptical", "Running"])
    func `an old total is ignored if there is a distance with a sum`(_ activity: String) throws {
        let total = [("totalDistance", "5"), ("totalDistanceUnit", "km")]
        let type = activity == "Rowing" ? "DistanceRowing" : "DistanceCycling"
        let distance = statistics(type, ["sum": "5", "unit": "km"])
        let mapped = try mapElement(workout(activity, total, children: [distance]))
        #expect(try mapped.json == mapElement(workout(activity, children: [distance])).json)
        // A distance without a sum does not say how far it was.
        let mean = statistics("DistanceCycling", ["average": "5", "unit": "km"])
        #expect(try mapElement(workout(activity, total, children: [mean])).ids.count == 4)
    }

    @Test func `a total of 0 in an attribute is ignored, but a statistic of 0 is not`() throws {
        let attributes = [
            ("totalDistance", "0"), ("totalDistanceUnit", "km"), ("totalEnergyBurned", "0.000"),
            ("totalFlightsClimbed", "0"), ("totalSwimmingStrokeCount", "-0"),
        ]
        #expect(try mapElement(workout("Yoga", attributes)).ids == mapElement(workout("Yoga")).ids)
        let statistic = statistics("DistanceCycling", ["sum": "0", "unit": "km"])
        #expect(try mapElement(workout("Yoga", children: [statistic])).ids.count == 3)
    }

    @Test func `heart rate has three members, and any other average one member with components`() throws {
        let mapped = try mapElement(
            workout(children: [
                statistics("HeartRate", ["average": "151.3", "minimum": "98", "maximum": "176", "unit": "count/min"]),
                statistics("RunningPower", ["average": "243", "minimum": "77", "unit": "W"]),
            ])
        )
        #expect(mapped.ids.count == 6)
        for (loinc, value) in [("55425-3", "151.3"), ("55426-1", "176"), ("96935-2", "98")] {
            #expect(try mapped.first(loinc).contains("\"valueQuantity\":{\"value\":\(value),"))
        }
        let power = try mapped.first("HKQuantityTypeIdentifierRunningPower")
        #expect(power.contains("\"code\":\"average\"") && power.contains("\"code\":\"minimum\""))
        #expect(!power.contains("\"code\":\"maximum\"") && power.contains("\"component\":"))
        #expect(!mapped.json.joined().contains("8867-4"))
        let slow = statistics("HeartRate", ["average": "2.5", "minimum": "1.6", "maximum": "3", "unit": "count/s"])
        let other = try mapElement(workout(children: [slow])).json.filter { $0.contains("HeartRate") }
        #expect(
            other.count == 3 && other.allSatisfy { !$0.contains("loinc.org") && $0.contains("\"code\":\"/s\"") }
        )
    }

    @Test func `an activity is tagged as a part, and so are its results that the workout repeats`() throws {
        let (steps, distance) = (
            statistics("StepCount", ["sum": "12", "unit": "count"]),
            statistics("DistanceCycling", ["sum": "25", "unit": "km"])
        )
        let activity = { (uuid: String, end: String, children: [HealthElement]) in
            element(
                .workoutActivity,
                ["uuid": uuid, "startDate": Self.start, "endDate": end, "duration": "9", "durationUnit": "min"],
                children
            )
        }
        let half = "2024-06-01 08:20:00 +0100"
        let mapped = try mapElement(
            workout(children: [steps, activity("a", half, [steps]), activity("b", Self.end, [distance])])
        )
        let panels = mapped.json.filter { $0.contains("\"code\":\"HKWorkoutActivity\"") }
        #expect(panels.count == 2 && panels.allSatisfy { $0.contains("\"code\":\"part\"") })
        let parts = mapped.json.filter { $0.contains("\"code\":\"part\"") && !panels.contains($0) }
        #expect(parts.count == 1 && parts[0].contains("55423-8"))
        let timed = try mapElement(
            workout("Running", [("duration", "30"), ("durationUnit", "min")], children: [activity("a", half, [steps])])
        )
        let minutes = timed.json.filter {
            $0.contains("\"code\":\"part\"") && !$0.contains("\"code\":\"HKWorkoutActivity\"")
        }
        #expect(minutes.count == 1 && minutes[0].contains("55411-3"))
    }

    @Test func `a statistic has a tag that says that it sums up samples`() throws {
        let mapped = try mapElement(workout(children: [statistics("StepCount", ["sum": "12", "unit": "count"])]))
        let tagged = mapped.json.filter { $0.contains("\"tag\":[{\"system\":") }
        #expect(tagged.count == 1 && tagged[0].contains("55423-8") && tagged[0].contains("\"code\":\"sum\""))
    }

    // MARK: Events and activities

    @Test func `a repeated part counts once, in any order`() throws {
        let pause = event("Pause", "2024-06-01 08:10:00 +0100")
        let lap = event("Lap", "2024-06-01 08:00:00 +0100", ["duration": "4.1125", "durationUnit": "min"])
        let place = metadata("HKIndoorWorkout", "0")
        let steps = statistics("StepCount", ["sum": "12", "unit": "count"])
        let once = try mapElement(workout(children: [place, lap, pause, steps]))
        let twice = try mapElement(workout(children: [place, steps, pause, steps, lap, lap, pause, place]))
        #expect(once.json == twice.json)
        #expect(once.rows.map(\.digest) == twice.rows.map(\.digest))
        #expect(
            try once.first("PAPanel").contains(
                "\"valuePeriod\":{\"start\":\"2024-06-01T07:00:00Z\",\"end\":\"2024-06-01T07:04:06.750Z\"}"
            )
        )
    }

    @Test func `different statistics of one type and time are separate members`() throws {
        let sums = ["12", "13", "14", "13"].map { statistics("StepCount", ["sum": $0, "unit": "count"]) }
        let mapped = try mapElement(workout(children: sums))
        #expect(mapped.json.filter { $0.contains("\"55423-8\"") }.count == 3)
        #expect(Set(mapped.ids).count == 5 && mapped.ids.count == 5)
        // The first has the id that it would have alone.
        #expect(try mapElement(workout(children: [sums[2]])).ids.allSatisfy { mapped.ids.contains($0) })
        #expect(try mapElement(workout(children: sums.reversed())).json == mapped.json)
    }

    @Test(arguments: [
        ("0.3", "\"start\":\"2024-06-01T07:00:00.000Z\",\"end\":\"2024-06-01T07:00:00.300Z\""),
        ("1.25", "\"start\":\"2024-06-01T07:00:00Z\",\"end\":\"2024-06-01T07:00:01.250Z\""),
        ("2", "\"start\":\"2024-06-01T07:00:00Z\",\"end\":\"2024-06-01T07:00:02Z\""),
        // Half a millisecond is rounded to even.
        ("0.0025", "\"start\":\"2024-06-01T07:00:00.000Z\",\"end\":\"2024-06-01T07:00:00.002Z\""),
        ("0.0035", "\"start\":\"2024-06-01T07:00:00.000Z\",\"end\":\"2024-06-01T07:00:00.004Z\""),
    ])
    func `times within one second are written with the same precision`(_ duration: String, _ period: String) throws {
        let pause = event("Segment", "2024-06-01 08:00:00 +0100", ["duration": duration, "durationUnit": "s"])
        #expect(try mapElement(workout(children: [pause])).first("PAPanel").contains("\"valuePeriod\":{\(period)}"))
    }

    @Test func `an event with metadata becomes a member`() throws {
        var lap = event("Lap", "2024-06-01 08:00:00 +0100", ["duration": "30", "durationUnit": "s"])
        lap.children = [metadata("HKSwimmingStrokeStyle", "2")]
        let mapped = try mapElement(workout("Swimming", children: [lap]))
        #expect(mapped.ids.count == 3)
        #expect(try mapped.first("freestyle").contains("\"end\":\"2024-06-01T07:00:30Z\""))
        #expect(try mapped.first("PAPanel").contains("Observation/" + mapped.ids[1]))
    }

    @Test(arguments: ["_HKPrivateFoo", "HKExternalUUID", "HKTimeZone", "HKDeviceSerialNumber", "HKWasTakenInLab"])
    func `an event whose metadata are not components states its time`(_ key: String) throws {
        var lap = event("Lap", "2024-06-01 08:00:00 +0100", ["duration": "30", "durationUnit": "s"])
        lap.children = [metadata(key, "0")]
        var options = MappingOptions(patientID: "p1", form: .resource)
        for keepsMetadata in [true, false] {
            options.keepsMetadata = keepsMetadata
            let member = try mapElement(workout("Swimming", children: [lap]), options: options).first("\"lap\"")
            let period = "{\"start\":\"2024-06-01T07:00:00Z\",\"end\":\"2024-06-01T07:00:30Z\"}"
            #expect(member.contains("\"valuePeriod\":" + period))
        }
    }

    @Test func `an activity without any content has a dataAbsentReason`() throws {
        var bare = workout(children: [
            element(.workoutActivity, ["startDate": Self.start]), element(.workoutActivity, ["startDate": Self.end]),
        ])
        bare.attributes.removeAll { $0.name == "workoutActivityType" }
        let panels = try mapElement(bare).json.filter { $0.contains("Activity of a workout") }
        #expect(panels.count == 2 && panels.allSatisfy { $0.contains("\"dataAbsentReason\"") })
    }

    @Test(arguments: ["HKTimeZone", "HKDeviceSerialNumber", "HKUDIDeviceIdentifier"])
    func `an entry that only a workout has a place for is text in an activity`(_ key: String) throws {
        let entry = metadata(key, "Europe/Paris")
        let part = { element(.workoutActivity, ["uuid": $0, "startDate": Self.start, "endDate": $1], [entry]) }
        let said = "\"valueString\":\"\(key)\""
        // An activity that is the whole workout, and one that is not.
        #expect(try mapElement(workout(children: [part("a", Self.end)])).first("PAPanel").contains(said))
        let apart = try mapElement(workout(children: [part("a", "2024-06-01 08:20:00 +0100")]))
        #expect(apart.json.filter { $0.contains("PAPanel") && $0.contains(said) }.count == 1)
        #expect(try !mapElement(workout(children: [entry])).json.contains { $0.contains(said) })
    }

    @Test func `a single activity is the workout itself, and several are panels`() throws {
        let steps = statistics("StepCount", ["sum": "12", "unit": "count"])
        let uuid = "7C1E7D8C-2F0B-4E67-9E8A-0A6B0A3C9D11"
        let whole = element(.workoutActivity, ["uuid": uuid, "startDate": Self.start, "endDate": Self.end], [steps])
        let folded = try mapElement(workout(children: [steps, whole]))
        #expect(folded.ids == (try mapElement(workout(children: [steps])).ids))
        #expect(
            try folded.first("PAPanel").contains(
                "{\"system\":\"urn:ietf:rfc:3986\",\"value\":\"urn:uuid:\(uuid.lowercased())\"}"
            )
        )
        var other = whole
        other.children = [statistics("StepCount", ["sum": "11", "unit": "count"])]
        let apart = try mapElement(workout(children: [steps, other]))
        #expect(apart.json.filter { $0.contains("PAPanel") }.count == 2)
        #expect(Set(apart.ids).count == apart.ids.count)
        // An activity that ends before its workout does is not all of it.
        var shorter = whole
        shorter.attributes.removeAll { $0.name == "endDate" }
        shorter.attributes.append(.init("endDate", "2024-06-01 08:20:00 +0100"))
        #expect(try mapElement(workout(children: [steps, shorter])).json.filter { $0.contains("PAPanel") }.count == 2)
        let half = element(.workoutActivity, ["uuid": "x", "startDate": Self.start], [steps])
        #expect(try mapElement(workout(children: [half, whole])).json.filter { $0.contains("PAPanel") }.count == 3)
    }

    /// Otherwise anyone who adds up workouts would count it twice.
    @Test func `the results of one of a workout's activities are tagged as a part`() throws {
        let steps = statistics("StepCount", ["sum": "12", "unit": "count"])
        let time: KeyValuePairs = [
            "startDate": Self.start, "endDate": "2024-06-01 08:20:00 +0100", "duration": "20", "durationUnit": "min",
        ]
        let mapped = try mapElement(
            workout(
                "Running",
                [("duration", "30"), ("durationUnit", "min")],
                children: [
                    steps, element(.workoutActivity, time, [steps]),
                ]
            )
        )
        let part =
            "{\"system\":\"urn:uuid:7b23b66f-1057-4da6-9c18-807f61327475\",\"code\":\"part\","
            + "\"display\":\"Part of a workout\"}"
        let sum =
            "{\"system\":\"http://terminology.hl7.org/CodeSystem/observation-statistics\",\"code\":\"sum\","
            + "\"display\":\"Sum\"}"
        let tags = mapped.json.map { json in
            json.firstRange(of: "\"tag\":[").map { String(json[$0.upperBound...].prefix { $0 != "]" }) } ?? ""
        }
        // Activity, duration, steps, the same for the part and its panel, and the workout's panel.
        #expect(tags.sorted() == ["", "", "", part, part, sum, sum + "," + part].sorted())
    }

    func statistics(_ type: String, _ values: KeyValuePairs<String, String>) -> HealthElement {
        HealthElement(
            .workoutStatistics,
            [
                .init("type", "HKQuantityTypeIdentifier" + type), .init("startDate", Self.start),
                .init("endDate", Self.end),
            ] + values.map { .init($0.key, $0.value) }
        )
    }

    func event(_ type: String, _ date: String, _ more: KeyValuePairs<String, String> = [:]) -> HealthElement {
        HealthElement(
            .workoutEvent,
            [.init("type", "HKWorkoutEventType" + type), .init("date", date)] + more.map { .init($0.key, $0.value) }
        )
    }
}
