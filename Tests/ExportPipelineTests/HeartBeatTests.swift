import ExportPipeline
import Foundation
import HealthKitMapping
import Testing

/// When each beat of a heart rate variability sample was: docs/decisions/0014.
struct HeartBeatTests {
    private func sample(_ times: [String], start: String = "2024-06-16 03:00:00 +0100") -> String {
        let beats = times.map { "<InstantaneousBeatsPerMinute bpm=\"55\" time=\"\($0)\"/>" }
        return """
             <Record type="HKQuantityTypeIdentifierHeartRateVariabilitySDNN" sourceName="Watch" unit="ms" \
            startDate="\(start)" endDate="\(start)" value="48">
            <HeartRateVariabilityMetadataList>\(beats.joined())</HeartRateVariabilityMetadataList></Record>

            """
    }

    /// The offsets as written, in the order of the components.
    private func offsets(_ run: Run) -> [String] {
        run.text.components(separatedBy: "\"valueDecimal\":").dropFirst().map { String($0.prefix { $0 != "}" }) }
    }

    @Test(arguments: [
        ["3:00:02.11 AM", "3:00:03.20 AM"], ["03:00:02,11", "03:00:03,20"], ["3.00.02,11", "3.00.03,20"],
        ["3:00:02.11\u{202F}AM", "3:00:03.20\u{202F}AM"], ["午前3:00:02.11", "午前3:00:03.20"],
        ["오전 3:00:02.11", "오전 3:00:03.20"], ["2:00:02.11 AM", "2:00:03.20 AM"], ["08:45:02.11", "08:45:03.20"],
        ["3:00:02.11 PM", "3:00:03.20 PM"], ["٠٣:٠٠:٠٢٫١١", "٠٣:٠٠:٠٣٫٢٠"],
    ])
    func `a beat has the same offset whatever the language, zone or season of the export`(_ times: [String]) throws {
        let run = try Run(of: sample(times))
        #expect(offsets(run) == ["2.11", "3.20"])
        let plain = try Run(of: sample(["3:00:02.11 AM", "3:00:03.20 AM"]))
        #expect(run.text == plain.text)
    }

    @Test func `beats continue across midnight and noon`() throws {
        let night = sample(["23:59:59,5", "00:00:00,5"], start: "2024-06-16 23:59:58 +0100")
        #expect(try offsets(Run(of: night)) == ["1.5", "2.5"])
        let noon = sample(["11:59:59.5 AM", "12:00:00.5 PM", "12:00:01 PM"], start: "2024-06-16 11:59:58 +0100")
        #expect(try offsets(Run(of: noon)) == ["1.5", "2.5", "3"])
    }

    @Test(arguments: ["3:00:02.123456789", "3:00:02.12345678901", "٣:٠٠:٠٢٫١٢٣٤٥٦٧٨٩٠١ ص"])
    func `a fraction is read to nanoseconds`(_ time: String) throws {
        #expect(try offsets(Run(of: sample([time]))) == ["2.123456789"])
    }

    @Test func `a beat before the sample's start has a negative offset`() throws {
        #expect(try offsets(Run(of: sample(["2:59:59.25 AM"]))) == ["-0.75"])
    }

    @Test(arguments: ["0001-01-02", "1600-02-29", "1969-12-31", "2263-01-01", "9999-12-30"])
    func `a beat's offset counts from its sample's start in any year`(_ day: String) throws {
        #expect(try offsets(Run(of: sample(["3:00:02.11 AM"], start: day + " 03:00:00 +0000"))) == ["2.11"])
    }

    @Test(arguments: ["", "later", "3:00", "3:00:61.0", "3:00:02.11.5 x 7"])
    func `an unusable time leaves the beat without an offset`(_ time: String) throws {
        let run = try Run(of: sample([time]))
        #expect(offsets(run).isEmpty)
        #expect(run.text.contains("\"value\":55,\"unit\":\"beats/min\""))
        #expect(run.report.tally.unmapped.values == (time.isEmpty ? [:] : ["other": 1]))
    }

    @Test func `an unusable rate is counted`() throws {
        let beats = sample(["3:00:02.11 AM", "later"]).replacing("bpm=\"55\"", with: "bpm=\"70,5\"")
        #expect(try Run(of: beats).report.tally.unmapped.values == ["other": 3])
    }

    @Test func `different beats change a sample's content, but not its id`() throws {
        let first = try Run(of: sample(["3:00:02.11 AM"]))
        let second = try Run(of: sample(["3:00:02.12 AM"]))
        #expect(try first.ids() == second.ids())
        #expect(try first.keys != second.keys)
    }

    @Test func `a sample inside a workout keeps its beats`() throws {
        let record = sample(["3:00:02.11 AM", "3:00:03.20 AM"])
        let workout = """
             <Workout workoutActivityType="HKWorkoutActivityTypeYoga" sourceName="Watch" \
            startDate="2024-06-16 03:00:00 +0100" endDate="2024-06-16 03:30:00 +0100">
            <MetadataEntry key="HKIndoorWorkout" value="1"/>
            \(record)</Workout>

            """
        let inside = try Run(of: workout)
        #expect(offsets(inside) == ["2.11", "3.20"])
        // It equals the resource that it would be outside.
        let outside = try #require(try Run(of: record).observations.first)
        let same = try #require(try inside.observations.first { $0.id == outside.id })
        #expect(NSDictionary(dictionary: same.json) == NSDictionary(dictionary: outside.json))
    }

    /// A sample at a depth beyond what is kept of a workout has no room for a list.
    @Test func `a sample that is nested too deeply for its beats is written without them`() throws {
        let workout =
            "<Workout workoutActivityType=\"HKWorkoutActivityTypeYoga\" sourceName=\"Watch\""
            + " startDate=\"2024-06-16 03:00:00 +0100\" endDate=\"2024-06-16 03:30:00 +0100\">"
        for depth in [15, 16, 17, 18, 40] {
            let run = try Run(
                of: " " + String(repeating: workout, count: depth) + sample(["3:00:02.11 AM"])
                    + String(repeating: "</Workout>", count: depth) + "\n"
            )
            #expect(run.text.contains("\"value\":48,") && offsets(run).count <= 1)
            #expect(depth < 17 || offsets(run).isEmpty)
        }
    }

    @Test func `the beats of a second list follow those of the first`() throws {
        let end = "</HeartRateVariabilityMetadataList>"
        let one = sample(["3:00:02.11 AM", "3:00:03.20 AM"])
        let lists = one.replacingOccurrences(
            of: "/><InstantaneousBeatsPerMinute",
            with: "/>\(end)<MetadataEntry key=\"k\" value=\"v\"/>\(end.replacingOccurrences(of: "/", with: ""))"
                + "<InstantaneousBeatsPerMinute"
        )
        #expect(lists != one)
        #expect(try offsets(Run(of: lists)) == ["2.11", "3.20"])
    }
}
