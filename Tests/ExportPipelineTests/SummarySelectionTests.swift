import ExportPipeline
import HealthKitMapping
import TestSupport
import Testing

/// What daily summaries are made of if --types, --since or --until leave something out: docs/formats.md, "Daily
/// summaries".
struct SummarySelectionTests {
    /// Steps in June 2024, between two times in UTC.
    private func steps(_ start: String, _ end: String, _ count: Int) -> String {
        record(
            "HKQuantityTypeIdentifierStepCount",
            value: "\(count)",
            unit: "count",
            start: "2024-06-\(start):00 +0000",
            end: "2024-06-\(end):00 +0000"
        )
    }

    private static let selections: [(Int64?, Int64?, [String])] = [
        (1_718_409_600, nil, ["2024-06-15", "2024-06-16"]), (1_718_409_601, nil, ["2024-06-16"]),
        (nil, 1_718_496_000, ["2024-06-15"]), (nil, 1_718_495_999, []),
    ]

    @Test(arguments: selections)
    func `a day that a selection cuts has no summary`(_ since: Int64?, _ until: Int64?, _ days: [String]) throws {
        let run = try Run(
            Samples.path("summaries"),
            options: .sample.with {
                $0.mapping.summarizes = true
                $0.mapping.types = ["HKQuantityTypeIdentifierStepCount"]
                $0.mapping.since = since
                $0.mapping.until = until
            }
        )
        #expect(try SummaryTests.summaries(run).map { String($0.prefix(10)) } == days)
    }

    @Test func `a day includes what reaches into it from before a selection`() throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let path = try folder.write(
            export(steps("09 23:30", "10 00:30", 1000) + steps("10 10:00", "10 10:30", 100)).utf8,
            to: "export.xml"
        )
        let run = try Run(
            path,
            options: .sample.with {
                $0.mapping.summarizes = true
                $0.mapping.since = 1_717_977_600
            }
        )
        #expect(run.report.resources["Observation"] == 2)
        #expect(try SummaryTests.summaries(run) == ["2024-06-10 Steps per day 600 final"])
    }

    /// 5,000 and 4,000 at the top level, 2,400 and 2,600 in a workout over midnight.
    @Test func `a day includes the records of a workout that the selection leaves out`() throws {
        let inside = steps("14 23:30", "14 23:59", 2400) + steps("15 00:01", "15 00:30", 2600)
        let body =
            steps("14 10:00", "14 11:00", 5000) + steps("15 10:00", "15 11:00", 4000)
            + " <Workout workoutActivityType=\"HKWorkoutActivityTypeWalking\" sourceName=\"App\""
            + " startDate=\"2024-06-14 23:30:00 +0000\" endDate=\"2024-06-15 00:30:00 +0000\">\n\(inside) </Workout>\n"
        func days(_ change: (inout MappingOptions) -> Void) throws -> [String] {
            let run = try Run(
                of: body,
                options: .sample.with {
                    $0.mapping.summarizes = true
                    change(&$0.mapping)
                }
            )
            return try SummaryTests.summaries(run)
        }
        let whole = ["2024-06-14 Steps per day 7400 final", "2024-06-15 Steps per day 6600 final"]
        #expect(try days { _ in } == whole)
        #expect(try days { $0.types = ["HKQuantityTypeIdentifierStepCount"] } == whole)
        #expect(try days { $0.since = 1_718_409_600 } == [whole[1]])
        #expect(try days { $0.types = ["Workout"] } == [])
    }
}
