import ExportPipeline
import HealthExport
import HealthKitMapping
import SyntheticExport
import TestSupport
import Testing

struct InspectionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `an empty export gives a report without records`() throws {
        let report = try inspect("")
        #expect(report.records == 0)
        #expect(report.damage.isComplete && report.damage.isEmpty)
        #expect(report.types.isEmpty && report.sources.isEmpty && report.months.isEmpty)
        #expect(report.text(title: "export.xml").contains("  0 records\n"))
    }

    @Test func `types are counted with their first and last start and their units`() throws {
        let report = try inspect(
            record(unit: "count/min", start: "2024-03-02 00:00:00 +0000")
                + record(unit: "count/min", start: "2024-03-01 00:30:00 +0100")
                + record(unit: "Hz", start: "2024-03-01")
        )
        let type = try #require(report.types.first)
        #expect(report.types.count == 1)
        #expect(type.records == 3)
        // 29 February 23:30 UTC: the offset in the file says nothing about the sample's place.
        #expect(type.starts == 1_709_249_400...1_709_337_600)
        #expect(type.units == ["count/min": 2, "Hz": 1])
        #expect(type.mappingText == "LOINC 8867-4")
        #expect(report.months.map(\.name) == ["2024-02", "2024-03"])
        #expect(report.damage.counts == ["unusableRecord": 1])
    }

    @Test(arguments: [
        ("1969-12-31 23:59:59 +0000", "1969-12"), ("1970-01-01 00:00:00 +0000", "1970-01"),
        ("2024-02-29 23:59:59 +0000", "2024-02"), ("2024-03-01 00:00:00 +0000", "2024-03"),
        ("2023-12-31 23:30:00 -0100", "2024-01"), ("2000-02-29 12:00:00 +0000", "2000-02"),
        ("0001-01-02 00:00:00 +0000", "0001-01"), ("9999-12-30 00:00:00 +0000", "9999-12"),
    ])
    func `a record counts in the month of its start in UTC`(_ start: String, _ month: String) throws {
        let report = try inspect(record(start: start))
        #expect(report.months.map(\.name) == [month])
    }

    @Test func `months are listed in order, whatever their order in the file`() throws {
        let starts = ["2024-05-01", "2024-01-31", "2024-05-31", "2024-02-01", "2024-01-01"]
        let report = try inspect(starts.map { record(start: "\($0) 12:00:00 +0000") }.joined())
        #expect(report.months.map(\.name) == ["2024-01", "2024-02", "2024-05"])
        #expect(report.months.map(\.records) == [2, 1, 2])
        #expect(report.text(title: "").contains("2 months without records"))
    }

    @Test func `nested records are counted, also separately`() throws {
        let nested = "<Correlation type=\"x\" startDate=\"\" endDate=\"\">\n\(record())</Correlation>\n"
        let report = try inspect(record() + nested)
        #expect(report.records == 2)
        #expect(report.nestedRecords == 1)
        #expect(report.unmappedElements == ["Me": 1].filter { report.elements[$0.key] != nil })
    }

    @Test func `what the mapping does not know is counted by name`() throws {
        let report = try inspect(
            record(type: "HKQuantityTypeIdentifierTimeTravelled", unit: "furlong")
                + record(type: "HKCategoryTypeIdentifierSleepAnalysis", value: "HKCategoryValueSleepAnalysisLucid")
                + record(type: "HKCategoryTypeIdentifierSleepAnalysis", value: "Alex dreams")
                + record(value: "seventy")
        )
        #expect(report.unmappedTypes == ["HKQuantityTypeIdentifierTimeTravelled": 1])
        #expect(report.unmappedUnits == ["furlong": 1])
        // A value could be any text, so only Apple's names are repeated.
        #expect(report.unmappedValues == ["HKCategoryValueSleepAnalysisLucid": 1, "other": 2])
    }

    @Test func `a quantity without a unit is counted, but not a number of another type`() throws {
        let elements = record() + record(type: "HKDataTypeSleepDurationGoal") + record(unit: "furlong")
        let path = try folder.write(export(elements).utf8, to: "export.xml")
        let report = try Inspection().run(ExportInput(path: path))
        #expect(report.unmappedUnits == ["none": 1, "furlong": 1])
        #expect(report.text(title: "").contains("  no unit: 1 record, written as a number alone\n"))
        let run = try Run(path)
        #expect(run.report.tally.unmapped.units == ["none": 1, "other": 1])
        let summary = run.report.summary(input: "export.xml", output: "bundles.ndjson")
        #expect(summary.contains(" 1 number without a unit: written as a number alone\n"))
    }

    @Test(arguments: [
        ("SleepAnalysis", nil, 1), ("SleepAnalysis", "", 1), ("Headache", nil, 1), ("HighHeartRateEvent", nil, 0),
        ("Pregnancy", nil, 0), ("NobodyKnows", nil, 0), ("NobodyKnows", "", 0), ("NobodyKnows", "x", 1),
    ])
    func `inspection and conversion count a missing value if the type has values`(
        _ type: String,
        _ value: String?,
        _ count: UInt64
    ) throws {
        let element = record(type: "HKCategoryTypeIdentifier" + type, value: value ?? "gone")
            .replacing(" value=\"gone\"", with: "")
        let path = try folder.write(export(element).utf8, to: "export.xml")
        let counts = count == 0 ? [:] : ["other": count]
        #expect(try Inspection().run(ExportInput(path: path)).unmappedValues == counts)
        #expect(try Run(path).report.tally.unmapped.values == counts)
    }

    @Test(arguments: [
        ("Height", "mg", 1), ("Height", "m", 0), ("HeartRate", "count/s", 1), ("BloodGlucose", "mmol<180.15588>/L", 0),
        ("BloodGlucose", "mg", 1), ("OxygenSaturation", "kg", 1), ("StepCount", "kg", 1),
        ("FlightsClimbed", "furlong", 0), ("Height", "furlong", 0),
    ])
    func `inspection and conversion count numbers whose unit rules out their type's standard codes`(
        _ name: String,
        _ unit: String,
        _ count: UInt64
    ) throws {
        let type = "HKQuantityTypeIdentifier" + name
        let path = try folder.write(export(record(type: type, unit: unit, value: "1")).utf8, to: "export.xml")
        let counts = count == 0 ? [:] : [type: count]
        #expect(try Inspection().run(ExportInput(path: path)).unmappedTypes == counts)
        let run = try Run(path)
        #expect(run.report.tally.unmapped.types == counts)
        #expect(count == 0 || !run.text.contains("http://loinc.org"))
    }

    @Test func `a number too large for a fraction of its type is counted by type`() throws {
        let alcohol = "HKQuantityTypeIdentifierBloodAlcoholContent"
        let elements = ["0.0008", "0.08", "0.0005", "0.06"].enumerated()
            .map { record(type: alcohol, unit: "%", start: "2024-06-01 08:0\($0):00 +0100", value: $1) }
        let path = try folder.write(export(elements.joined()).utf8, to: "export.xml")
        let report = try Run(path).report
        #expect(report.tally.unmapped.suspectPercents == [alcohol: 2])
        let summary = report.summary(input: "export.xml", output: "bundles.ndjson")
        #expect(
            summary.contains(
                " 2 records of type \(alcohol) with too much for a fraction (97 for 0.97?): written unchanged, "
                    + "without a UCUM code\n"
            )
        )
    }

    @Test(arguments: ["", " ", "&#9;", "\t\n"], [true, false])
    func `inspection and conversion report an unusable record as a fault`(_ type: String, _ isNested: Bool) throws {
        let long = String(repeating: "\u{301}", count: 513)
        for bad in [record(type), record(source: long)] {
            let text = isNested ? "<Correlation type=\"x\">\n\(bad)</Correlation>\n" : bad
            let path = try folder.write(export(record() + text).utf8, to: "export.xml")
            let report = try Inspection().run(ExportInput(path: path))
            #expect(report.damage.counts == ["unusableRecord": 1])
            #expect(report.unmappedTypes == [:] && report.unmappedUnits == ["none": 1])
            #expect(try Run(path).report.damage.counts == report.damage.counts)
        }
    }

    @Test func `neither inspection nor conversion counts what is left out as written`() throws {
        let bad =
            record(type: "HKQuantityTypeIdentifierTimeTravelled", unit: "furlong", start: "yesterday")
            + record(
                type: "HKCategoryTypeIdentifierSleepAnalysis",
                start: "",
                value: "HKCategoryValueSleepAnalysisLucid"
            )
        let path = try folder.write(export(bad).utf8, to: "export.xml")
        let report = try Inspection().run(ExportInput(path: path))
        #expect(report.unmappedTypes == [:] && report.unmappedUnits == [:] && report.unmappedValues == [:])
        #expect(report.types.map(\.records) == [1, 1])
        let tally = try Run(path).report.tally
        #expect(tally.unmapped.types == [:] && tally.unmapped.units == [:] && tally.unmapped.values == [:])
    }

    /// Each is counted once, for the topmost element that Apple does not declare there.
    @Test(arguments: [true, false])
    func `inspection and conversion count attributes and elements that Apple does not declare`(_ scans: Bool) throws {
        let times = #"startDate="2024-06-29 23:00:00 +0200" endDate="2024-06-29 23:10:00 +0200" sourceName="A""#
        let elements = """
             <Me HKCharacteristicTypeIdentifierBloodType="HKBloodTypeAPositive" new="1"><New/></Me>
             <Record type="HKQuantityTypeIdentifierHeartRate" \(times) unit="count/min" value="61" new="1">
              <MetadataEntry key="HKX" value="1" new="1"><New/></MetadataEntry><New new="1"><New/></New><Location/></Record>
             <Workout workoutActivityType="HKWorkoutActivityTypeRunning" \(times) new="1"><New/>
              <WorkoutStatistics type="HKQuantityTypeIdentifierStepCount" sum="10" unit="count" \(times)/></Workout>
             <ActivitySummary dateComponents="2024-06-29" appleExerciseTime="5" new="1"><New/></ActivitySummary>
             <Audiogram type="HKDataTypeIdentifierAudiogram" \(times)><SensitivityPoint new="1" frequencyValue="1000" \
            frequencyUnit="Hz" leftEarValue="10" leftEarUnit="dBHL"><New/></SensitivityPoint><New/></Audiogram>
             <New new="1"><New/></New>

            """
        let text = export(elements).replacing("<HealthData", with: "<HealthData new=\"1\"")
            .replacing("0100\"/>", with: "0100\" new=\"1\"><New/></ExportDate>")
        let path = try folder.write(text.utf8, to: "export.xml")
        var options = RunOptions()
        options.scansCanonicalRecords = scans
        let inspected = try Inspection(options).run(ExportInput(path: path))
        let converted = try Run(path, options: .sample.with { $0.run.scansCanonicalRecords = scans }).report
        #expect(inspected.unmappedElements == ["other": 9, "Location": 1])
        #expect(converted.tally.unmapped.elements == inspected.unmappedElements)
        // WorkoutStatistics has no sourceName in the DTD.
        #expect(inspected.unmappedAttributes == 9 && converted.unmappedAttributes == 9)
    }

    @Test(arguments: [UInt64(0), 1], SyntheticExport.Shape.allCases)
    func `an inspection and a conversion agree`(_ seed: UInt64, _ shape: SyntheticExport.Shape) throws {
        let path = folder.path("export.zip")
        try SyntheticExport(.init(extent: .days(8), seed: seed, shape: shape)).write(toFile: path, replace: true)
        let run = try Run(path)
        for threads in [1, 3] {
            for parsesAll in [false, true] {
                var options = RunOptions()
                options.threads = threads
                options.chunkByteCount = 20_000
                options.scansCanonicalRecords = !parsesAll
                let report = try Inspection(options).run(ExportInput(path: path))
                let counts = Dictionary(uniqueKeysWithValues: report.types.map { ($0.type, $0.records) })
                #expect(counts == run.report.tally.records)
                #expect(report.elements == run.report.elements)
                // An inspection does not count what --include-patient would write.
                #expect(report.unmappedElements == run.report.tally.unmapped.elements.filter { $0.key != "Me" })
                #expect(report.unmappedTypes == run.report.tally.unmapped.types)
                #expect(report.nestedRecords == run.report.nestedRecords)
                #expect(report.exportDate == run.report.exportDate)
                #expect(report.bytesRead == run.report.bytesRead)
                #expect(report.damage.isComplete)
            }
        }
    }

    @Test func `names beyond the limit are counted together`() throws {
        let most = InspectionReport.maximumNameCount
        let text = (0..<(most + 5)).map { record(source: "Watch \($0)") }.joined()
        let report = try inspect(text)
        #expect(report.sources.count == most + 1)
        #expect(report.sources.first == .init(name: InspectionReport.nameOfTheRest, records: 5))
        #expect(report.sources.reduce(0) { $0 + $1.records } == UInt64(most + 5))
    }

    @Test func `a long name is cut between two characters`() throws {
        let report = try inspect(record(source: String(repeating: "時", count: 100)))
        #expect(report.sources.first?.name == String(repeating: "時", count: 85))
    }

    @Test func `damage in the files next to the XML is reported with their numbers`() throws {
        func file(_ name: String, _ text: String = "{}") -> ZipBuilder.Member {
            .stored("apple_health_export/\(name)", contents: Array(text.utf8))
        }
        var members = [
            file("export.xml", export(record())), file("electrocardiograms/ecg_1.csv", "Name,Ada\n"),
            file("workout-routes/route_1.gpx", "<gpx></gpx>"), file("workout-routes/route_2.gpx"),
            file("clinical-records/Lab-1.json"), file("clinical-records/Lab-2.json"),
            file("clinical-records/Lab-3.json", ""),
        ]
        members[3].checksum ^= 1
        members[4].checksum ^= 1
        let path = try folder.write(ZipBuilder(members).bytes(), to: "export.zip")
        let report = try Inspection().run(ExportInput(path: path))
        #expect(report.damage.counts == ["electrocardiogramHeader": 1, "unreadableFile": 3])
        let places = report.damage.places.compactMap(\.file).map { "\($0.kind) \($0.ordinal)" }
        #expect(places == ["electrocardiogram 1", "workoutRoute 2", "clinicalRecord 1", "clinicalRecord 3"])
        #expect(!report.damage.isEmpty && report.damage.isComplete)
        let rows = report.text(title: "").split(separator: "\n").drop { !$0.hasPrefix("  files") }.prefix(3)
        #expect(
            Array(rows) == [
                "  files     1 electrocardiogram", "            3 clinical records",
                "            2 workout routes, converted with --routes",
            ]
        )
    }

    @Test func `a source's name can't rewrite the terminal, not even in JSON`() throws {
        let report = try inspect(record(source: "&#x9B;2J"))
        #expect(report.sources.map(\.name) == ["\u{9B}2J"])
        #expect(report.json.contains(#""name": "\u009b2J""#))
    }

    private func inspect(_ elements: String) throws -> InspectionReport {
        let path = try folder.write(export(elements).utf8, to: "export.xml")
        return try Inspection().run(ExportInput(path: path))
    }
}

/// One record as Apple writes it, on its own line.
private func record(
    type: String = "HKQuantityTypeIdentifierHeartRate",
    source: String = "Watch",
    unit: String? = nil,
    start: String = "2024-03-01 12:00:00 +0000",
    value: String = "61"
) -> String {
    let unit = unit.map { " unit=\"\($0)\"" } ?? ""
    return """
         <Record type="\(type)" sourceName="\(source)"\(unit) startDate="\(start)" endDate="\(start)" value="\(value)"/>

        """
}
