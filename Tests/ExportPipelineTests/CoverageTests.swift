import ExportPipeline
import Foundation
import HealthExport
import HealthKitMapping
import TestSupport
import Testing

/// Nothing in an export is overlooked.
///
/// What there is comes from the tests' own lists.
struct CoverageTests {
    private static let apple = "http://developer.apple.com/documentation/healthkit"
    private static let everything = ConversionOptions.sample.with {
        $0.mapping.includesPatient = true
        $0.mapping.includesRoutes = true
        $0.mapping.summarizes = true
    }

    @Test func `all 120 quantity types become Observations with their own code`() throws {
        let types = HealthKitIdentifiers.quantity
        let run = try Run(of: types.map { record($0, value: "1", unit: nil) }.joined())
        #expect(types.count == 120)
        // The numbers have no unit, since no unit fits all types.
        #expect(run.report.tally.unmapped.types == [:])
        #expect(try codes(of: run, in: Self.apple) == types.sorted())
    }

    @Test func `all 70 category types become Observations with their 69 raw names`() throws {
        let types = HealthKitIdentifiers.category
        let run = try Run(of: types.map { record($0, value: "0", unit: nil) }.joined())
        #expect(types.count == 70)
        #expect(run.report.tally.unmapped.types == [:])
        // The SDK constant's name and the name that exports use are one type, with one id.
        let constant = "HKCategoryTypeIdentifierEnvironmentalAudioExposureEvent"
        let raw = "HKCategoryTypeIdentifierAudioExposureEvent"
        #expect(Set(try run.ids()).count == 69)
        #expect(try codes(of: run, in: Self.apple) == types.filter { $0 != constant || types.contains(raw) }.sorted())
    }

    @Test func `all 84 workout activities have their number and words`() throws {
        let activities = HealthKitIdentifiers.workoutActivities
        let run = try Run(of: activities.map { Self.workout("HKWorkoutActivityType" + $0.name) }.joined())
        #expect(activities.count == 84)
        #expect(run.report.tally.unmapped.values == [:])
        let system = "https://developer.apple.com/documentation/healthkit/hkworkoutactivitytype"
        let numbers = try codes(of: run, in: system, under: "valueCodeableConcept").compactMap(Int.init)
        #expect(numbers.sorted() == activities.map(\.number))
    }

    @Test func `the sample of everything holds each element and attribute of DTD 14`() throws {
        let text = try Samples.text(Samples.kitchenSink + "/export")
        let report = try Run(Samples.path(Samples.kitchenSink), options: Self.everything).report
        for (element, attributes) in DeclaredElements.attributes {
            let tags = text.matches(of: try Regex("<\(element)[ >][^>]*")).map { String(text[$0.range]) }
            for attribute in attributes where !tags.contains(where: { $0.contains(" \(attribute)=") }) {
                Issue.record("\(element)@\(attribute)")
            }
            // The report counts records by type, and reports the root as complete.
            guard !["HealthData", "Record"].contains(element) else { continue }
            #expect(report.elements[element] ?? 0 == UInt64(tags.count), "\(element)")
        }
        #expect(report.damage.isComplete)
    }

    /// An attribute's value is written, or counted if it can't be.
    @Test(arguments: DeclaredElements.attributes.map(\.element))
    func `no attribute of DTD 14 is overlooked`(_ element: String) throws {
        let declared = try #require(DeclaredElements.attributes.first { $0.element == element })
        let whole = try Self.told(without: nil, of: element)
        let silent = try declared.attributes.filter { try Self.told(without: $0, of: element) == whole }
        let known = Self.meaningless.keys
        #expect(silent.filter { !known.contains($0) && !known.contains("\(element)@\($0)") } == [])
    }

    /// Attributes that are not written, and why.
    private static let meaningless = [
        "locale": "the language of the phone on the day of the export",
        "creationDate": "the database's, which changes with restores",
        "Audiogram@type": "always the same: the element's name says it",
        "Attachment@identifier": "names what is not in the export; the element is counted",
    ]

    @Test(arguments: [
        ("en", "Classification Symptoms Software_Version Device Sample_Rate Lead Unit"),
        ("de", "Klassifizierung Symptome Softwareversion Gerät Messrate Ableitung Einheit"),
        ("ja", "分類 症状 ソフトウェアバージョン デバイス サンプルレート リード 単位"),
        ("zh-Hans", "分类 症状 软件版本 设备 采样率 导联 单位"),
        ("zh-Hans", "分类 症状 软件版本 设备 采样速率 导联 单位"),
        ("zh-Hant", "分類 症狀 軟體版本 裝置 取樣率 導程 單位"),
        ("ko", "분류 증상 소프트웨어_버전 기기 샘플_레이트 리드 단위"),
    ])
    func `the labels of each known language of electrocardiograms are recognized and shown`(
        _ language: String,
        _ labels: String
    ) throws {
        let labels = labels.split(separator: " ").map { $0.replacing("_", with: " ") }
        let values = ["Sinus Rhythm", "Fatigue", "1.90", "Some Watch", "512 x", "Lead I", "uV"]
        // An additional row shifts all others, so that only their labels identify them.
        let rows = ["A,b", "C,d", "E,2024-06-16 09:31:02 +0100", "New,row"] + zip(labels, values).map { "\($0),\($1)" }
        let read = try Electrocardiogram(Array((rows + ["", "1.5", "2"]).joined(separator: "\n").utf8))
        #expect(
            [read.classification, read.symptoms, read.softwareVersion, read.device, read.lead, read.unit]
                == [values[0], values[1], values[2], values[3], values[5], values[6]]
        )
        #expect(read.sampleRate == 512)
        let shown = try SupportedTypesTable.text(.embedded()).split(separator: "\n").map(String.init)
        let line = try #require(shown.first { $0.hasPrefix(language + " ") })
        for label in labels { #expect(line.contains(label)) }
    }

    // MARK: -

    /// The output for the sample without an attribute: the resources, and what was counted.
    ///
    /// Bundles' keys are left out: they change with anything in an element.
    private static func told(without attribute: String?, of element: String) throws -> [String] {
        let folder = try TemporaryFolder()
        let copy = URL(filePath: folder.path("copy"))
        try FileManager.default.copyItem(at: URL(filePath: Samples.path(Samples.kitchenSink)), to: copy)
        if let attribute {
            let text = try Samples.text(Samples.kitchenSink + "/export")
            let pattern = "(<\(element)(?: [^>]*?)?) \(attribute)=\"[^\"]*\""
            let changed = text.replacing(try Regex(pattern, as: (Substring, Substring).self)) { $0.output.1 }
            #expect(changed != text)
            try Data(changed.utf8).write(to: copy.appending(path: "export.xml"))
        }
        let run = try Run(copy.path, options: everything)
        let report = run.report
        let counts: [[String: UInt64]] = [
            report.tally.unmapped.elements, report.damage.counts, report.missingFiles, report.tally.unmapped.units,
            report.tally.unmapped.values, report.tally.unmapped.types,
        ]
        let bundles = try run.lines.map { $0.replacing(try bundle($0).key, with: "") }
        return bundles + counts.map { "\($0.sorted { $0.key < $1.key })" }
    }

    private static func workout(_ activity: String) -> String {
        " <Workout workoutActivityType=\"\(activity)\" sourceName=\"App\" startDate=\"2024-06-01 08:00:00 +0100\""
            + " endDate=\"2024-06-01 08:30:00 +0100\"/>\n"
    }

    /// The Observations' codes in one system, sorted.
    private func codes(of run: Run, in system: String, under key: String = "code") throws -> [String] {
        try run.observations.flatMap { entry -> [String] in
            let concept = entry.resource[key] as? [String: any Sendable]
            let codings = concept?["coding"] as? [any Sendable] ?? []
            return codings.compactMap { $0 as? [String: any Sendable] }
                .filter { $0["system"] as? String == system }.compactMap { $0["code"] as? String }
        }.sorted()
    }
}
