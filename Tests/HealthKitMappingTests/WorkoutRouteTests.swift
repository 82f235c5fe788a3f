import FHIRR4
import Foundation
import HealthExport
import HealthKitMapping
import TestSupport
import Testing

/// docs/workouts.md, "Routes".
struct `Routes of workouts` {
    private static let times: KeyValuePairs = [
        "sourceName": "Watch", "startDate": "2024-06-01 08:00:02 +0100", "endDate": "2024-06-01 08:29:00 +0100",
    ]

    private var options: MappingOptions {
        var options = MappingOptions(patientID: "p1", form: .resource)
        options.includesRoutes = true
        return options
    }

    @Test func `a route is only counted unless it is asked for`() throws {
        let mapped = try mapElement(workout(children: [route(path: "/workout-routes/a.gpx")]))
        #expect(mapped.ids == (try mapElement(workout()).ids))
        #expect(mapped.tally.unmapped.elements == ["WorkoutRoute": 1] && mapped.tally.files == [])
        // The option adds resources and changes none, so no key changes.
        #expect(options.fingerprint.isEmpty)
    }

    /// The digest distinguishes the two, since --routes is not part of a Bundle's key.
    @Test func `a workout's location is written only if routes are`() throws {
        let key = "_HKPrivateWorkoutWeatherLocationCoordinatesLatitude"
        let run = workout(children: [metadata(key, "48.858370"), metadata("_HKPrivateWorkoutWasInDaytime", "1")])
        let without = try mapElement(run)
        let plain = try mapElement(workout(children: [metadata("_HKPrivateWorkoutWasInDaytime", "1")]))
        #expect(without.json == plain.json && without.rows.map(\.digest) == plain.rows.map(\.digest))
        #expect(without.tally.unmapped.elements == ["MetadataEntry": 1])
        let with = try mapElement(run, options: options)
        #expect(with.ids == without.ids && with.rows.map(\.digest) != without.rows.map(\.digest))
        #expect(try with.first("PAPanel").contains("\"valueString\":\"\(key)\""))
        #expect(
            try with.first("PAPanel").contains("\"valueString\":\"48.858370\"") && with.tally.unmapped.elements == [:]
        )
        var silent = MappingOptions(patientID: "p1", form: .resource)
        silent.keepsMetadata = false
        #expect(try mapElement(run, options: silent).tally.unmapped.elements == [:])
    }

    @Test func `a record's location is written only if routes are`() throws {
        let entries = ["Latitude", "Longitude"].map { ("_HKPrivateWorkoutWeatherLocationCoordinates" + $0, "48.1") }
        let other = [("HKWasUserEntered", "1")]
        let (hidden, plain) = try (mapOne(record(metadata: entries + other)), mapOne(record(metadata: other)))
        #expect(hidden.json == plain.json && hidden.digest == plain.digest && hidden.id == plain.id)
        #expect(try mapOne(record(metadata: entries)).json == mapOne(record()).json)
        let shown = try mapOne(record(metadata: entries), options: options)
        #expect(shown.json.components(separatedBy: "\"valueString\":\"48.1\"").count == 3)
    }

    @Test func `nothing in a workout depends on its route`() throws {
        let with = try mapElement(workout(children: [route(path: "/workout-routes/a.gpx")]), options: options)
        let without = try mapElement(workout(), options: options)
        #expect(with.json == without.json && with.rows.map(\.digest) == without.rows.map(\.digest))
    }

    /// A sync identifier names the route, so only the digest shows that its period has changed.
    @Test func `a route without dates takes its workout's dates, and changes when these do`() throws {
        let location = element(
            .location,
            ["date": "2024-06-01 08:00:02 +0100", "latitude": "51.5", "longitude": "-0.1"]
        )
        func document(_ attributes: [(String, String)], _ own: KeyValuePairs<String, String>) throws -> (String, UInt64)
        {
            let route = element(
                .workoutRoute,
                own,
                [location, metadata("HKMetadataKeySyncIdentifier", "route")]
            )
            var run = workout(children: [route, metadata("HKMetadataKeySyncIdentifier", "run")])
            for (name, value) in attributes {
                run.attributes.removeAll { $0.name == name }
                run.attributes.append(.init(name, value))
            }
            let mapped = try mapElement(run, options: options)
            let place = try #require(mapped.json.firstIndex { $0.contains("DocumentReference") })
            return (mapped.ids[place], mapped.rows[place].digest)
        }
        let later = [("startDate", "2024-06-01 07:59:00 +0100")]
        let (first, second) = try (document([], ["sourceName": "Watch"]), document(later, ["sourceName": "Watch"]))
        #expect(first.0 == second.0 && first.1 != second.1)
        // A route with its own dates ignores the workout's.
        #expect(try document([], Self.times) == document(later, Self.times))
    }

    @Test func `a file is the same document in every export`() throws {
        func document(_ path: String, _ exportTime: String, _ name: String) throws -> MappedElements {
            let file = try #require(
                try mapElement(workout(children: [route(path: path)]), options: options).tally.files.first
            )
            return try mapFile(file, content: Self.gpx(exportTime, name), options: options)
        }
        let first = try document("/workout-routes/route_2024-06-01_8.29am.gpx", "2024-07-01T07:00:00Z", "8:29am")
        let second = try document("/workout-routes/route_2024-06-01_08.29.gpx", "2025-01-01T00:00:00Z", "08.29")
        #expect(first.json == second.json && first.rows.map(\.digest) == second.rows.map(\.digest))
        let panel = try #require(try mapElement(workout()).ids.last)
        let base64 = Data(
            Self.gpx("", "").replacing("<time></time>\n  </metadata>", with: "\n  </metadata>")
                .replacing("<name>Route </name>", with: "").utf8
        ).base64EncodedString()
        #expect(
            first.json.map { $0.replacing(/Device\/h[0-9a-f]{32}/, with: "Device/GATEWAY") } == [
                "{\"resourceType\":\"DocumentReference\",\"id\":\"\(first.ids[0])\",\"meta\":{\"profile\":"
                    + "[\"urn:uuid:abe85cd2-4c8b-5c57-ad03-b36b3df80682\"]},\"identifier\":[{\"system\":"
                    + "\"urn:uuid:5c4f3f8e-6d0a-5b56-9d0b-5f8f6e4d7a10\",\"value\":\"\(first.ids[0])\"}],"
                    + "\"status\":\"current\",\"type\":{\"coding\":[{\"system\":"
                    + "\"http://developer.apple.com/documentation/healthkit\",\"code\":\"HKWorkoutRouteTypeIdentifier\","
                    + "\"display\":\"Workout route\"}],\"text\":\"Workout route\"},\"category\":[{\"coding\":[{\"system\":"
                    + "\"http://hl7.org/fhir/us/physical-activity/CodeSystem/pa-temporary-codes\","
                    + "\"code\":\"PhysicalActivity\",\"display\":\"Physical Activity\"}]}],"
                    + "\"subject\":{\"reference\":\"Patient/p1\"},\"author\":[{\"reference\":\"Device/GATEWAY\"}],"
                    + "\"securityLabel\":[{\"coding\":[{\"system\":"
                    + "\"http://terminology.hl7.org/CodeSystem/v3-Confidentiality\",\"code\":\"R\","
                    + "\"display\":\"restricted\"}]}],\"content\":[{\"attachment\":{\"contentType\":"
                    + "\"application/gpx+xml\",\"data\":\"\(base64)\",\"size\":\(Data(base64Encoded: base64)?.count ?? 0)}}],"
                    + "\"context\":{\"period\":{\"start\":\"2024-06-01T07:00:02Z\",\"end\":\"2024-06-01T07:29:00Z\"},"
                    + "\"related\":[{\"reference\":\"Observation/\(panel)\",\"type\":\"Observation\",\"identifier\":"
                    + "{\"system\":\"urn:uuid:5c4f3f8e-6d0a-5b56-9d0b-5f8f6e4d7a10\",\"value\":\"\(panel)\"}}]}}"
            ]
        )
    }

    @Test func `a route of another workout, or in another zone, keeps its id and changes its digest`() throws {
        func mapped(_ workout: HealthElement) throws -> MappedElements {
            let file = try #require(try mapElement(workout, options: options).tally.files.first)
            return try mapFile(file, content: Self.gpx("", ""), options: options)
        }
        let here = try mapped(workout(children: [route(path: "a.gpx")]))
        let cycling = try mapped(workout("Cycling", children: [route(path: "a.gpx")]))
        let elsewhere = try mapped(workout(children: [metadata("HKTimeZone", "Asia/Tokyo"), route(path: "a.gpx")]))
        for other in [cycling, elsewhere] {
            #expect(here.ids == other.ids && here.rows[0].digest != other.rows[0].digest)
        }
    }

    @Test func `another track of the same route keeps its id and changes its digest`() throws {
        let element = workout(children: [route(path: "a.gpx")])
        let file = try #require(try mapElement(element, options: options).tally.files.first)
        let first = try mapFile(file, content: Self.gpx("", ""), options: options)
        let second = try mapFile(
            file,
            content: Self.gpx("", "").replacing("<ele>1</ele>", with: "<ele>2</ele>"),
            options: options
        )
        #expect(first.ids == second.ids && first.rows[0].digest != second.rows[0].digest)
    }

    @Test func `a route's metadata are written in its document`() throws {
        var inner = route(path: nil)
        inner.children = [
            element(.location, ["latitude": "1", "longitude": "2"]), metadata("HKExternalUUID", "u"),
            metadata("HKMetadataKeySyncVersion", "2"), metadata("HKTimeZone", "Europe/Paris"), metadata("own", "text"),
        ]
        let json = try mapElement(workout(children: [inner]), options: options).first("DocumentReference")
        let url = "http://pghd.invalid/StructureDefinition/healthkit-metadata-entry"
        let entry = "{\"url\":\"\(url)\",\"extension\":[{\"url\":\"key\","
        #expect(
            json.hasSuffix(
                "}}]},\"extension\":[" + entry + "\"valueString\":\"HKMetadataKeySyncVersion\"},{\"url\":\"value\","
                    + "\"valueQuantity\":{\"value\":2}}]}," + entry
                    + "\"valueString\":\"own\"},{\"url\":\"value\",\"valueString\":\"text\"}]}]}"
            )
        )
        var silent = options
        silent.keepsMetadata = false
        let short = try mapElement(workout(children: [inner]), options: silent).first("DocumentReference")
        #expect(!short.contains(url))
    }

    @Test func `a route's own zone and version count before its workout's`() throws {
        var inner = route(path: nil)
        inner.children = [
            element(.location, ["latitude": "1", "longitude": "2"]), metadata("HKMetadataKeySyncVersion", "2"),
            metadata("HKTimeZone", "Asia/Tokyo"),
        ]
        let outer = [metadata("HKTimeZone", "Europe/Paris"), metadata("HKMetadataKeySyncVersion", "3")]
        let mapped = try mapElement(workout(children: outer + [inner]), options: options)
        #expect(mapped.rows.map(\.rank) == [3, 3, 2])
        #expect(try mapped.first("DocumentReference").contains("\"start\":\"2024-06-01T16:00:02+09:00\""))
        inner.children.removeLast()
        let other = try mapElement(workout(children: outer + [inner]), options: options)
        #expect(try other.first("DocumentReference").contains("\"start\":\"2024-06-01T09:00:02+02:00\""))
    }

    @Test(arguments: [nil, "", "no track at all"])
    func `a file that is missing or is not GPX is counted`(_ content: String?) throws {
        let element = workout(children: [route(path: "a.gpx")])
        let file = try #require(try mapElement(element, options: options).tally.files.first)
        let mapped = try mapFile(file, content: content, options: options)
        #expect(mapped.ids == [] && mapped.tally.unmapped.elements == ["WorkoutRoute": 1])
    }

    @Test func `locations inside an old export become a track in Apple's form`() throws {
        let location = element(
            .location,
            [
                "date": "2024-06-01 08:00:02 +0100", "latitude": "0.00012", "longitude": "-0.5", "altitude": "1.50",
                "horizontalAccuracy": "4", "verticalAccuracy": "3", "course": "-1", "speed": "2.5",
            ]
        )
        let bare = element(.location, ["latitude": "1", "longitude": "2"])
        let nowhere = element(.location, ["latitude": "<b>", "longitude": "2"])
        var inner = route(path: nil)
        inner.children = [location, bare, nowhere]
        let mapped = try mapElement(workout(children: [inner]), options: options)
        #expect(mapped.tally.unmapped.elements == ["Location": 1])
        let json = try mapped.first("DocumentReference")
        let data = try #require(json.firstMatch(of: /"data":"([^"]*)"/)?.1)
        #expect(
            String(decoding: Data(base64Encoded: String(data)) ?? Data(), as: UTF8.self) == """
                <?xml version="1.0" encoding="UTF-8"?>
                <gpx version="1.1" creator="Apple Health Export" xmlns="http://www.topografix.com/GPX/1/1">
                  <trk>
                    <trkseg>
                      <trkpt lon="-0.5" lat="0.00012"><ele>1.50</ele><time>2024-06-01T07:00:02Z</time><extensions>\
                <speed>2.5</speed><course>-1</course><hAcc>4</hAcc><vAcc>3</vAcc></extensions></trkpt>
                      <trkpt lon="2" lat="1"></trkpt>
                    </trkseg>
                  </trk>
                </gpx>

                """
        )
        // The document has a Bundle of its own, after what it refers to.
        #expect(mapped.rows.map(\.followers) == [1, 0, 0])
    }

    @Test(arguments: [("altitude", "3,5"), ("speed", "fast"), ("date", "2018-06-16T08:00:00Z"), ("course", " ")])
    func `an unreadable field of a location is counted`(_ name: String, _ value: String) throws {
        var location = element(.location, ["latitude": "1", "longitude": "2"])
        location.attributes.append(.init(name, value))
        var inner = route(path: nil)
        inner.children = [location]
        let mapped = try mapElement(workout(children: [inner]), options: options)
        #expect(mapped.tally.unmapped.values == (value == " " ? [:] : ["other": 1]))
    }

    /// The element waits until the XML is done, with thousands of others.
    @Test func `a route whose file will be read does not keep its locations`() throws {
        var inner = route(path: "a.gpx")
        inner.children += [element(.location, ["latitude": "1", "longitude": "2"]), metadata("own", "text")]
        let files = try mapElement(workout(children: [inner]), options: options).tally.files
        #expect(files.map(\.element) == [element(.workoutRoute, Self.times, [metadata("own", "text")])])
        // If a route has two tracks, the content names each of them.
        let both = try mapFile(#require(files.first), content: Self.gpx("", ""), options: options)
        inner.children.removeAll { $0.name == .location }
        let file = try #require(try mapElement(workout(children: [inner]), options: options).tally.files.first)
        #expect(try mapFile(file, content: Self.gpx("", ""), options: options).ids != both.ids)
    }

    @Test func `with conditional creates a route refers to its workout only by identifier`() throws {
        var options = options
        options.form = .conditionalCreate
        var inner = route(path: nil)
        inner.children = [element(.location, ["latitude": "1", "longitude": "2"])]
        let mapped = try mapElement(workout(children: [inner]), options: options)
        let json = try mapped.first("DocumentReference")
        #expect(json.contains("\"related\":[{\"type\":\"Observation\",\"identifier\":{\"system\":"))
        #expect(json.contains("\"value\":\"\(mapped.ids[1])\"}}]"))
    }

    private func route(path: String?) -> HealthElement {
        var route = element(.workoutRoute, Self.times)
        if let path { route.children = [element(.fileReference, ["path": path])] }
        return route
    }

    private static func gpx(_ exportTime: String, _ name: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="Apple Health Export" xmlns="http://www.topografix.com/GPX/1/1">
          <metadata>
            <time>\(exportTime)</time>
          </metadata>
          <trk>
            <name>Route \(name)</name>
            <trkseg>
              <trkpt lon="2" lat="1"><ele>1</ele><time>2024-06-01T07:00:02Z</time></trkpt>
            </trkseg>
          </trk>
        </gpx>
        """
    }
}
