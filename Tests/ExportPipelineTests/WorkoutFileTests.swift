import ExportPipeline
import FHIRR4
import Foundation
import HealthKitMapping
import TestSupport
import Testing

/// Workouts from end to end: their records, and routes in files next to the XML.
struct WorkoutFileTests {
    private static let elements = """
         <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" durationUnit="min" \
        sourceName="Watch" startDate="2024-06-16 09:00:00 +0100" endDate="2024-06-16 09:30:00 +0100">
          <Record type="HKQuantityTypeIdentifierWorkoutEffortScore" sourceName="Watch" unit="appleEffortScore" \
        startDate="2024-06-16 09:00:00 +0100" endDate="2024-06-16 09:30:00 +0100" value="6"/>
          <WorkoutRoute sourceName="Watch" startDate="2024-06-16 09:00:00 +0100" endDate="2024-06-16 09:30:00 +0100">
           <FileReference path="/workout-routes/a.gpx"/>
          </WorkoutRoute>
          <WorkoutRoute sourceName="Watch" startDate="2024-06-16 09:30:00 +0100" endDate="2024-06-16 09:31:00 +0100">
           <FileReference path="/workout-routes/missing.gpx"/>
          </WorkoutRoute>
         </Workout>

        """

    @Test(arguments: [EntryForm.update, .conditionalCreate])
    func `a route's file becomes a document after its workout if routes are asked for`(_ form: EntryForm) throws {
        let folder = try TemporaryFolder()
        try folder.write(export(Self.elements).utf8, to: "export.xml")
        _ = try folder.makeFolder("workout-routes")
        try folder.write("<gpx><trk><trkseg></trkseg></trk></gpx>".utf8, to: "workout-routes/a.gpx")
        let without = try Run(folder.path(""), options: .sample.with { $0.mapping.form = form })
        #expect(try without.ids("DocumentReference") == [])
        #expect(without.report.tally.unmapped.elements["WorkoutRoute"] == 2)
        let with = try Run(
            folder.path(""),
            options: .sample.with {
                $0.mapping.form = form
                $0.mapping.includesRoutes = true
            }
        )
        let last = try #require(try with.entries.last)
        #expect(last.type == "DocumentReference")
        #expect(with.report.tally.unmapped.elements["WorkoutRoute"] == 1)
        #expect(try with.ids() == without.ids())
    }

    @Test func `a route that names its file twice is one document with the same id`() throws {
        let file = "   <FileReference path=\"/workout-routes/a.gpx\"/>\n"
        try #require(Self.elements.contains(file))
        let runs = try [Self.elements, Self.elements.replacing(file, with: file + file)].map { elements in
            let folder = try TemporaryFolder()
            try folder.write(export(elements).utf8, to: "export.xml")
            _ = try folder.makeFolder("workout-routes")
            try folder.write("<gpx><trk><trkseg></trkseg></trk></gpx>".utf8, to: "workout-routes/a.gpx")
            return try Run(folder.path(""), options: .sample.with { $0.mapping.includesRoutes = true })
        }
        #expect(try runs[0].ids("DocumentReference").count == 1)
        #expect(try runs[1].ids("DocumentReference") == runs[0].ids("DocumentReference"))
        #expect(runs[1].report.duplicates == 0)
    }

    /// The record in the workout starts before the workout's end; both start at nine.
    @Test(arguments: [EntryForm.update, .conditionalCreate], [true, false])
    func `a record inside a workout is selected with its workout`(_ form: EntryForm, _ scans: Bool) throws {
        let step = record("HKQuantityTypeIdentifierStepCount", unit: "count", start: "2024-06-16 09:00:00 +0100")
        let nine: Int64 = 1_718_524_800
        let effort = "HKQuantityTypeIdentifierWorkoutEffortScore"
        func run(_ change: (inout MappingOptions) -> Void) throws -> Run {
            try Run(
                of: Self.elements + step,
                options: .sample.with {
                    $0.mapping.form = form
                    $0.run.scansCanonicalRecords = scans
                    change(&$0.mapping)
                }
            )
        }
        let cases: [(Bool, UInt64, (inout MappingOptions) -> Void)] = [
            (true, 0, { _ in }), (true, 1, { $0.types = ["Workout"] }), (true, 0, { $0.since = nine }),
            (true, 0, { $0.until = nine + 1 }), (false, 0, { $0.types = ["HKQuantityTypeIdentifierStepCount"] }),
            (false, 1, { $0.types = [effort] }), (false, 1, { $0.since = nine + 1 }), (false, 1, { $0.until = nine }),
        ]
        for (isWritten, filtered, change) in cases {
            let run = try run(change)
            #expect(run.text.contains("\"\(effort)\"") == isWritten)
            #expect(run.text.contains("PAPanel") == isWritten)
            #expect(run.report.tally.records[effort] == 1 && run.report.nestedRecords == 1)
            #expect(run.report.tally.filteredRecords == filtered)
        }
    }

    @Test func `metadata that reveal a place are counted, and the summary says which option writes them`() throws {
        let key = "_HKPrivateWorkoutWeatherLocationCoordinatesLatitude"
        let place = "<MetadataEntry key=\"\(key)\" value=\"48.85\"/>"
        // One in a record, and two in a workout.
        let workout = Self.elements.replacing("  <WorkoutRoute", with: "\(place)<WorkoutRoute")
        let elements = record(metadata: [(key, "48.85")]) + workout
        let without = try Run(of: elements)
        #expect(!without.text.contains("48.85"))
        #expect(without.report.tally.unmapped.elements["MetadataEntry"] == 3)
        let summary = without.report.summary(input: "a", output: "b")
        #expect(summary.contains("3 MetadataEntry elements left out: --routes writes those that tell a place"))
        let with = try Run(of: elements, options: .sample.with { $0.mapping.includesRoutes = true })
        #expect(with.text.contains("48.85") && with.report.tally.unmapped.elements["MetadataEntry"] == nil)
        #expect(try with.ids() == without.ids())
    }

    @Test(arguments: [EntryForm.update, .conditionalCreate])
    func `a record inside a workout is written with it`(_ form: EntryForm) throws {
        let run = try Run(of: Self.elements, options: .sample.with { $0.mapping.form = form })
        let bundles = try run.lines.map { try bundle($0).entries.filter { $0.type == "Observation" } }
        #expect(bundles.filter { !$0.isEmpty }.map(\.count) == [4])
        #expect(run.text.contains("HKQuantityTypeIdentifierWorkoutEffortScore"))
    }
}
