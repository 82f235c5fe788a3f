import ExportPipeline
import TestSupport
import Foundation
import HealthKitMapping
import Testing

/// Daily summaries of `samples/summaries.xml`, compared with sums made by hand.
struct SummaryTests {
    /// Steps of 15 June, UTC. A watch counts before a phone, a phone before an app without a device:
    ///
    ///     08:00–08:15  phone 600 in an hour      150
    ///     08:15–08:45  watch                     400   (the phone's 300 and its 5 at 08:20 are the same steps)
    ///     08:45–09:00  phone                     150
    ///     09:00–10:00  app, 2400 in four hours   600
    ///     10:00–10:10  phone                     100
    ///     10:10–12:00  app                      1100
    ///     13:00        phone, at once              7
    ///     23:30–24:00  watch, half of 60          30
    ///                                           2537
    ///
    /// 16 June: the other half, 30. Distance: 1.5 km and a mile, 1609.344 m. Energy: 418.4 kJ are
    /// 100 kcal, and half of the phone's 50 where the watch did not measure. Resting heart
    /// rate: the mean of the watch's 58 and 61. Night to the 15th: core 60 and 275.5 min, deep 60,
    /// REM 30, awake 10; unspecified where the watch saw nothing, 22:15–22:30 and 05:45:30–06:00.
    @Test func `a day's values equal the sums made by hand`() throws {
        let run = try Run(Samples.path("summaries"), options: .sample.with { $0.mapping.summarizes = true })
        #expect(
            try Self.summaries(run) == [
                "2024-06-15 Steps per day 2537 final", "2024-06-16 Steps per day 30 preliminary",
                "2024-06-15 Walking and running distance per day 3109.344 final",
                "2024-06-15 Active energy burned per day 125 final",
                "2024-06-15 Resting heart rate of the day 59.5 final",
                "2024-06-15 Sleep of the night 455 final, in bed 480, asleep, stage unspecified 29.5, awake 10, "
                    + "asleep, core 335.5, asleep, deep 60, asleep, REM 30",
            ]
        )
    }

    @Test func `days begin at midnight in the time zone`() throws {
        let run = try Run(
            Samples.path("summaries"),
            options: .sample.with {
                $0.mapping.summarizes = true
                $0.mapping.timeZone = "Asia/Tokyo"
            }
        )
        // In Tokyo 15 June ends at 15:00 UTC, so the watch's last hour is on the 16th.
        #expect(
            try Self.summaries(run).prefix(2) == [
                "2024-06-15 Steps per day 2507 final", "2024-06-16 Steps per day 60 final",
            ]
        )
    }

    /// Without it nobody can say which day is still open.
    @Test(arguments: ["01.07.2024 08:00", "2024-07-01T08:00:00+01:00"])
    func `an unusable export date is counted`(_ date: String) throws {
        let folder = try TemporaryFolder()
        let text = export(record()).replacing(
            "ExportDate value=\"2024-07-01 08:00:00 +0100\"",
            with: "ExportDate value=\"\(date)\""
        )
        let run = try Run(folder.write(text.utf8, to: "export.xml"))
        #expect(run.report.tally.unmapped.values == ["other": 1] && run.report.exportDate == nil)
    }

    /// Samples of up to three hours between 21:00 and 24:00 on 15 June, and one of an hour on the day before and the
    /// day after.
    @Test(arguments: [
        (100, ["2024-06-14 60", "2024-06-15 6000", "2024-06-16 60"]), (101, ["2024-06-14 60", "2024-06-16 60"]),
    ])
    func `a day on which more than a hundred samples overlap has no summary`(
        _ count: Int,
        _ wanted: [String]
    ) throws {
        func steps(_ start: String, _ end: String) -> String {
            " <Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"App\" unit=\"count\""
                + " startDate=\"2024-06-\(start) +0000\" endDate=\"2024-06-\(end) +0000\" value=\"60\"/>\n"
        }
        var body = steps("14 08:00:00", "14 09:00:00") + steps("16 08:00:00", "16 09:00:00")
        // Each begins a second after the one before, and all overlap at 22:00.
        for number in 0..<count {
            let second = "\(number / 60):\(number % 60)".split(separator: ":").map { ($0.count < 2 ? "0" : "") + $0 }
            let time = second.joined(separator: ":")
            body += steps("15 21:\(time)", "15 23:\(time)")
        }
        let run = try Run(of: body, options: .sample.with { $0.mapping.summarizes = true })
        let written = try Self.summaries(run).map {
            $0.replacing(" Steps per day", with: "").replacing(" final", with: "").replacing(" preliminary", with: "")
        }
        #expect(written == wanted)
    }

    /// In St John's the clock went from 00:01 on the 7th back to 23:01 on the 6th.
    @Test func `a crowd in a night whose clock goes back over midnight costs both days their summaries`() throws {
        let body = (0..<102).map { number in
            " <Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"App \(number)\" unit=\"count\""
                + " startDate=\"2010-11-07 02:30:10 +0000\" endDate=\"2010-11-07 02:31:30 +0000\" value=\"60\"/>\n"
        }
        let run = try Run(
            of: body.joined(),
            options: .sample.with {
                $0.mapping.summarizes = true
                $0.mapping.timeZone = "America/St_Johns"
            }
        )
        #expect(run.report.resources["Observation"] == 102)
        #expect(try Self.summaries(run) == [])
    }

    /// In Amman 00:00 came twice, in Beirut not at all.
    @Test(arguments: [
        ("Asia/Amman", "2021-10-28 20:00:00", "2021-10-28 22:30:00", "2021-10-28 100", "2021-10-29 150"),
        ("Asia/Beirut", "2024-03-30 20:20:00", "2024-03-30 22:50:00", "2024-03-30 100", "2024-03-31 50"),
    ])
    func `a day ends at its first midnight, or where the clock skips it`(
        _ zone: String,
        _ start: String,
        _ end: String,
        _ first: String,
        _ second: String
    ) throws {
        let run = try Run(
            of: " <Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"App\" unit=\"count\""
                + " startDate=\"\(start) +0000\" endDate=\"\(end) +0000\" value=\"\(zone == "Asia/Amman" ? 250 : 150)\"/>\n",
            options: .sample.with {
                $0.mapping.summarizes = true
                $0.mapping.timeZone = zone
            }
        )
        let written = try Self.summaries(run).map {
            $0.replacing(" Steps per day", with: "").replacing(" final", with: "").replacing(" preliminary", with: "")
        }
        #expect(written == [first, second])
    }

    @Test(arguments: [false, true]) func `of several versions the one that is written counts`(_ isTurned: Bool) throws {
        func steps(_ version: Int, _ value: Int, _ hour: Int) -> String {
            " <Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"App\" unit=\"count\""
                + " startDate=\"2024-06-15 0\(hour):00:00 +0000\" endDate=\"2024-06-15 0\(hour):00:00 +0000\""
                + " value=\"\(value)\"><MetadataEntry key=\"HKMetadataKeySyncIdentifier\" value=\"a\"/>"
                + "<MetadataEntry key=\"HKMetadataKeySyncVersion\" value=\"\(version)\"/></Record>\n"
        }
        let versions = [steps(1, 100, 8), steps(2, 120, 9)]
        let run = try Run(
            of: (isTurned ? versions.reversed() : versions).joined(),
            options: .sample.with { $0.mapping.summarizes = true }
        )
        #expect(try Self.summaries(run).map { $0.prefix(29) } == ["2024-06-15 Steps per day 120 "])
    }

    @Test func `a type that only looks like Apple's has no summary`() throws {
        let run = try Run(
            of: " <Record type=\"H\u{212A}QuantityTypeIdentifierStepCount\" sourceName=\"App\" unit=\"count\""
                + " startDate=\"2024-06-15 08:00:00 +0000\" endDate=\"2024-06-15 09:00:00 +0000\" value=\"7\"/>\n",
            options: .sample.with { $0.mapping.summarizes = true }
        )
        #expect(try Self.summaries(run) == [])
        #expect(run.report.resources["Observation"] == 1)
    }

    @Test func `of two apps on one phone one counts, even if both name its hardware`() throws {
        func steps(_ app: String, _ count: Int) -> String {
            " <Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"\(app)\" unit=\"count\""
                + " device=\"name:iPhone, hardware:iPhone14,2\" startDate=\"2024-06-15 08:00:00 +0000\""
                + " endDate=\"2024-06-15 09:00:00 +0000\" value=\"\(count)\"/>\n"
        }
        let both = steps("Phone", 600) + steps("App", 590)
        let run = try Run(of: both, options: .sample.with { $0.mapping.summarizes = true })
        let steps = try #require(try Self.summaries(run).first)
        #expect(["2024-06-15 Steps per day 600 ", "2024-06-15 Steps per day 590 "].contains(steps.prefix(29)))
    }

    /// Once a hash of the owner's name decided: with some names the phone's steps counted.
    @Test(arguments: ["Anna’s", "Alexandre’s", "Bo’s", "Zoë’s", "小明的"])
    func `without a named device the watch is recognized by the name that Apple gives it`(_ owner: String) throws {
        func steps(_ source: String, _ count: Int) -> String {
            " <Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"\(source)\" unit=\"count\""
                + " startDate=\"2024-06-15 08:00:00 +0000\" endDate=\"2024-06-15 09:00:00 +0000\" value=\"\(count)\"/>\n"
        }
        let named = steps("Pedometer", 700) + steps("\(owner) iPhone", 600) + steps("\(owner) Apple\u{A0}Watch", 590)
        let run = try Run(of: named, options: .sample.with { $0.mapping.summarizes = true })
        #expect(try Self.summaries(run).map { $0.prefix(29) } == ["2024-06-15 Steps per day 590 "])
        let phone = try Run(
            of: steps("Pedometer", 700) + steps("\(owner) iPhone", 600),
            options: .sample.with { $0.mapping.summarizes = true }
        )
        #expect(try Self.summaries(phone).map { $0.prefix(29) } == ["2024-06-15 Steps per day 600 "])
    }

    @Test(arguments: [(nil, true), ("Asia/Tokyo", false)])
    func `the summary says so if days are those of UTC`(_ zone: String?, _ isSaid: Bool) throws {
        let run = try Run(
            Samples.path("summaries"),
            options: .sample.with {
                $0.mapping.summarizes = true
                $0.mapping.timeZone = zone
            }
        )
        let line = "summaries  of days and nights in UTC: --time-zone names the zone of the person\n"
        #expect(run.report.summary(input: "a", output: "b").contains(line) == isSaid)
    }

    @Test func `a line feed in a name does not begin a line`() throws {
        let text = try Run(of: "").report.summary(input: "a\nb", output: "c\u{1B}[2J", style: .ascii)
        #expect(text.hasPrefix("a?b -> c?[2J\n"))
    }

    @Test func `a day that begins with a clock change has a summary`() throws {
        let steps =
            " <Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"App\" unit=\"count\""
            + " startDate=\"2024-03-10 12:00:00 +0000\" endDate=\"2024-03-10 12:00:00 +0000\" value=\"7\"/>\n"
        let run = try Run(
            of: steps,
            options: .sample.with {
                $0.mapping.summarizes = true
                $0.mapping.timeZone = "America/Havana"
                // 2024-03-10 05:00 UTC, when clocks went from 00:00 to 01:00.
                $0.mapping.since = 1_710_046_800
            }
        )
        #expect(try Self.summaries(run).map { $0.prefix(26) } == ["2024-03-10 Steps per day 7"])
    }

    @Test func `samples are written the same with and without summaries`() throws {
        let plain = try Run(Samples.path("summaries"))
        let summed = try Run(Samples.path("summaries"), options: .sample.with { $0.mapping.summarizes = true })
        #expect(Array(summed.lines.prefix(plain.lines.count)) == plain.lines)
    }

    @Test(arguments: [1, 4])
    func `threads and chunks do not change a summary`(_ threads: Int) throws {
        let wanted = try Run(Samples.path("summaries"), options: .sample.with { $0.mapping.summarizes = true })
        let run = try Run(
            Samples.path("summaries"),
            options: .sample.with {
                $0.mapping.summarizes = true
                $0.run.threads = threads
                $0.run.chunkByteCount = 500
            }
        )
        #expect(run.text == wanted.text)
    }

    @Test(arguments: [("InBed", "in bed"), ("Awake", "awake")])
    func `a night without measured sleep does not say 0 minutes of sleep`(_ stage: String, _ text: String) throws {
        let record = """
             <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Phone" \
            startDate="2024-06-01 23:00:00 +0000" endDate="2024-06-02 07:00:00 +0000" \
            value="HKCategoryValueSleepAnalysis\(stage)"/>

            """
        let run = try Run(of: record, options: .sample.with { $0.mapping.summarizes = true })
        let summary = try #require(try Self.resources(run).first)
        #expect(summary["valueQuantity"] == nil)
        let reason = try #require(summary["dataAbsentReason"] as? [String: Any])
        #expect(((reason["coding"] as? [[String: Any]])?.first?["code"] as? String) == "unknown")
        #expect(try Self.summaries(run) == ["2024-06-02 Sleep of the night - final, \(text) 480"])
    }

    @Test func `of overlapping stages from one watch the one that began last counts`() throws {
        func stage(_ name: String, _ start: String, _ end: String) -> String {
            " <Record type=\"HKCategoryTypeIdentifierSleepAnalysis\" sourceName=\"Watch\""
                + " startDate=\"2024-06-\(start):00 +0000\" endDate=\"2024-06-\(end):00 +0000\""
                + " value=\"HKCategoryValueSleepAnalysis\(name)\"/>\n"
        }
        // Eight hours with half an hour awake, a stage whose number is lower than that of deep sleep.
        let records = stage("AsleepDeep", "01 23:00", "02 07:00") + stage("Awake", "02 03:00", "02 03:30")
        let run = try Run(of: records, options: .sample.with { $0.mapping.summarizes = true })
        #expect(try Self.summaries(run) == ["2024-06-02 Sleep of the night 450 final, awake 30, asleep, deep 450"])
    }

    @Test func `a negative number of steps counts as zero`() throws {
        func steps(_ count: Int, _ hour: Int) -> String {
            " <Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"App\" unit=\"count\" value=\"\(count)\""
                + " startDate=\"2024-06-15 0\(hour):00:00 +0000\" endDate=\"2024-06-15 0\(hour):30:00 +0000\"/>\n"
        }
        let run = try Run(of: steps(100, 8) + steps(-5, 9), options: .sample.with { $0.mapping.summarizes = true })
        #expect(try Self.summaries(run) == ["2024-06-15 Steps per day 100 final"])
        #expect(try run.ids().count == 3)
    }

    @Test func `a sample that ends before it starts counts at its start`() throws {
        let steps = record(
            "HKQuantityTypeIdentifierStepCount",
            value: "100",
            unit: "count",
            start: "2024-06-15 00:10:00 +0000",
            end: "2024-06-14 23:50:00 +0000"
        )
        let run = try Run(of: steps, options: .sample.with { $0.mapping.summarizes = true })
        #expect(try Self.summaries(run) == ["2024-06-15 Steps per day 100 final"])
        #expect(run.report.damage.counts == ["endBeforeStart": 1])
    }

    /// It could have been anything: a day's steps, or the panel of a value.
    @Test func `an element too large to be read prevents summaries and values without their panel`() throws {
        let steps = record("HKQuantityTypeIdentifierStepCount", value: "100", unit: "count")
        let value = record("HKQuantityTypeIdentifierBloodPressureSystolic", value: "120", unit: "mmHg")
        let note = String(repeating: "x", count: 11 << 20)
        let large = " <Correlation type=\"HKCorrelationTypeIdentifierBloodPressure\" sourceName=\"\(note)\"/>\n"
        let run = try Run(of: steps + value + large, options: .sample.with { $0.mapping.summarizes = true })
        #expect(run.report.damage.counts == ["tooLarge": 1])
        #expect(run.report.leavesOutSummaries && run.report.withoutPanel == 1)
        #expect(try run.ids().count == 1)
    }

    @Test func `a sample longer than 31 days is written, but makes no summaries`() throws {
        func count(_ end: String) throws -> [Int] {
            let record = """
                 <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" \
                startDate="2024-01-01 00:00:00 +0000" endDate="\(end) +0000" value="3100"/>

                """
            let run = try Run(of: record, options: .sample.with { $0.mapping.summarizes = true })
            return try [run.ids().count, Self.resources(run).count]
        }
        #expect(try count("2024-02-01 00:00:00") == [32, 31])
        #expect(try count("2024-02-01 00:00:01") == [1, 0])
        #expect(try count("9999-01-01 00:00:00") == [1, 0])
    }

    @Test func `a summary keeps its id when its value changes`() throws {
        let text = try String(contentsOf: URL(filePath: Samples.path("summaries")), encoding: .utf8)
        func ids(_ text: String) throws -> [String] {
            let elements = text.components(separatedBy: "\n").filter { $0.hasPrefix(" <Record") }.joined(
                separator: "\n"
            )
            let run = try Run(of: elements + "\n", options: .sample.with { $0.mapping.summarizes = true })
            return try Self.resources(run).map { $0["id"] as? String ?? "" }
        }
        #expect(try ids(text) == ids(text.replacing("value=\"600\"", with: "value=\"660\"")))
    }

    /// The resources tagged as summaries.
    private static func resources(_ run: Run) throws -> [[String: Any]] {
        try run.lines.flatMap { line -> [[String: Any]] in
            let bundle = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let entries = try #require(bundle["entry"] as? [[String: Any]])
            return entries.compactMap { $0["resource"] as? [String: Any] }.filter { resource in
                ((resource["meta"] as? [String: Any])?["tag"] as? [[String: Any]])?.first?["code"] as? String
                    == "summary"
            }
        }.sorted { left, right in
            func key(_ resource: [String: Any]) -> String { resource["effectiveDateTime"] as? String ?? "" }
            return key(left) < key(right)
        }
    }

    /// Lines such as `2024-06-15 Steps per day 2537 final`, one type after the other.
    static func summaries(_ run: Run) throws -> [String] {
        func value(_ object: [String: Any]) -> String {
            ((object["valueQuantity"] as? [String: Any])?["value"] as? NSNumber).map { "\($0)" } ?? "-"
        }
        let texts = try resources(run).map { resource in
            let code = resource["code"] as? [String: Any]
            let components = (resource["component"] as? [[String: Any]] ?? []).map { component in
                "\((component["code"] as? [String: Any])?["text"] as? String ?? "") \(value(component))"
            }
            let text = code?["text"] as? String ?? ""
            let first = "\(resource["effectiveDateTime"] ?? "") \(text) \(value(resource)) \(resource["status"] ?? "")"
            return (text, ([first] + components).joined(separator: ", "))
        }
        let order = ["Steps", "Walking", "Active", "Resting", "Sleep"]
        return order.flatMap { name in texts.filter { $0.0.hasPrefix(name) }.map(\.1) }
    }
}
