import Foundation
import Testing

@testable import SyntheticExport

struct FullShapeTests {
    private static let addedTypes = [
        "AbdominalCramps", "AppetiteChanges", "AtrialFibrillationBurden", "BasalBodyTemperature",
        "CervicalMucusQuality", "CyclingCadence", "CyclingPower", "CyclingSpeed", "DietaryFatSaturated",
        "DietaryFatTotal", "DietaryFiber", "DietarySodium", "DietarySugar", "DistanceCycling", "Dizziness", "Fever",
        "ForcedExpiratoryVolume1", "ForcedVitalCapacity", "HeadphoneAudioExposureEvent", "InhalerUsage",
        "IntermenstrualBleeding", "IrregularHeartRhythmEvent", "LeanBodyMass", "LowerBackPain", "MenstrualFlow",
        "MoodChanges", "Nausea", "NumberOfAlcoholicBeverages", "NumberOfTimesFallen", "OvulationTestResult",
        "PeakExpiratoryFlowRate", "RunningGroundContactTime", "RunningPower", "RunningSpeed",
        "RunningStrideLength", "RunningVerticalOscillation", "RunnyNose", "ShortnessOfBreath", "SinusCongestion",
        "SleepChanges",
        "ToothbrushingEvent", "WaistCircumference",
    ]

    @Test func `the shape full holds everything that the shape apple has, unchanged`() throws {
        let apple = try GeneratedText.week.get()
        let full = try GeneratedText.fullWeek.get()
        for name in ["Record", "Correlation", "ActivitySummary"] {
            let there = Set(full.elements(name).map(\.withoutPointer))
            #expect(apple.elements(name).allSatisfy { there.contains($0.withoutPointer) })
            #expect(name == "ActivitySummary" || there.count > apple.elements(name).count)
        }
    }

    @Test func `four weeks of the shape full hold each kind of element`() throws {
        let text = try GeneratedText.fullMonth.get()
        #expect(text.elements("ClinicalRecord").count == 8)
        #expect(text.elements("Audiogram").count == 1)
        let prescriptions = text.elements("VisionPrescription").compactMap { $0.attribute("type") }
        #expect(prescriptions == ["glasses", "contacts"])
        #expect(text.lines.count { $0.hasPrefix("  <WorkoutRoute ") } == 2)
        #expect(text.lines.count { $0.hasPrefix("  <WorkoutActivity ") } == 3)
        #expect(text.lines.count { $0.contains("key=\"HKSwimmingStrokeStyle\"") } == 4)
        let panels = text.elements("Correlation").compactMap { $0.attribute("type") }
        #expect(Set(panels) == ["HKCorrelationTypeIdentifierBloodPressure", "HKCorrelationTypeIdentifierFood"])
    }

    @Test func `the shape full adds types of records, and the records of each type stay together`() throws {
        // Not all four weeks have an electrocardiogram with atrial fibrillation; these do.
        let end = try CalendarDate(parsing: "2024-05-02")
        func types(of shape: SyntheticExport.Shape) throws -> [String] {
            try GeneratedText(.init(extent: .days(28), endDate: end, shape: shape)).elements("Record")
                .compactMap { $0.attribute("type") }
        }
        let all = try types(of: .full)
        let added = Set(all).subtracting(try types(of: .apple))
        let names = added.map {
            $0.replacing("HKQuantityTypeIdentifier", with: "").replacing("HKCategoryTypeIdentifier", with: "")
        }
        #expect(names.sorted() == Self.addedTypes)
        let runs = zip(all, all.dropFirst()).count { $0 != $1 } + 1
        #expect(runs == Set(all).count)
    }

    @Test func `an export of a single day holds rare elements from before that day`() throws {
        let export = try SyntheticExport(.init(extent: .days(1), shape: .full))
        let folders = export.otherFiles.map { $0.path.prefix { $0 != "/" } }
        #expect(folders.count { $0 == "electrocardiograms" } == 4)
        #expect(folders.count { $0 == "clinical-records" } == 8)
        let text = try GeneratedText(export.options)
        #expect(text.elements("Audiogram").count == 1 && text.elements("VisionPrescription").count == 2)
        #expect(text.lines.contains { $0.hasPrefix("  <WorkoutActivity ") })
    }

    @Test func `each nutrient of a meal is also a record at top level`() throws {
        let text = try GeneratedText.fullWeek.get()
        let top = Set(text.elements("Record").map(\.withoutCreation))
        let nested = text.lines.filter { $0.hasPrefix("  <Record ") && $0.contains("Dietary") }
        #expect(nested.count == 8 * text.elements("Correlation").count { $0.contains("IdentifierFood") })
        #expect(!nested.isEmpty)
        for record in nested { #expect(top.contains(String(record.dropFirst()).withoutCreation)) }
    }

    @Test func `the XML names each file next to it except electrocardiograms, and no others`() throws {
        let export = try SyntheticExport(.init(extent: .days(28), shape: .full))
        let text = try GeneratedText.fullMonth.get()
        let named = text.lines.compactMap { $0.attribute("path") ?? $0.attribute("resourceFilePath") }.sorted()
        let files = export.otherFiles.map { "/" + $0.path }.filter { !$0.hasPrefix("/electrocardiograms") }.sorted()
        #expect(named == files)
    }

    @Test func `an export that covers another has the same files, apart from routes`() throws {
        func files(_ days: Int, end: String) throws -> [String: [UInt8]] {
            let options = SyntheticExport.Options(
                extent: .days(days),
                endDate: try CalendarDate(parsing: end),
                shape: .full
            )
            // A route's file contains the time of the export.
            return try SyntheticExport(options).otherFiles.filter { !$0.path.hasSuffix(".gpx") }
                .reduce(into: [:]) { $0[$1.path] = $1.bytes }
        }
        // The longer one covers the day of the other.
        let early = try files(1, end: "2024-06-30")
        let late = try files(31, end: "2024-07-30")
        #expect(early.count == 12)
        for (path, bytes) in early { #expect(late[path] == bytes) }
    }

    @Test func `an export of 2012 has nothing that devices began to record later`() throws {
        let options = SyntheticExport.Options(
            extent: .days(7),
            endDate: try CalendarDate(parsing: "2012-06-30"),
            shape: .full
        )
        #expect(try SyntheticExport(options).otherFileCount == 0)
        let text = try GeneratedText(options)
        for name in ["ClinicalRecord", "Audiogram", "VisionPrescription"] { #expect(text.elements(name).isEmpty) }
        #expect(!text.lines.contains { $0.contains("MenstrualFlow") || $0.contains("<WorkoutRoute") })
    }

    @Test func `an export of a hundred years has a few thousand files next to the XML`() throws {
        let end = try CalendarDate(parsing: "2100-12-31")
        let nineYears = SyntheticExport.Options(extent: .days(3287), endDate: end, shape: .full)
        #expect((400...600).contains(try SyntheticExport(nineYears).otherFileCount))
        let century = SyntheticExport.Options(extent: .days(36_500), endDate: end, shape: .full)
        #expect((4000...5000).contains(try SyntheticExport(century).otherFileCount))
    }

    @Test func `the other shapes have no files next to the XML`() throws {
        for shape in [SyntheticExport.Shape.apple, .plain, .app] {
            #expect(try SyntheticExport(.init(extent: .days(28), shape: shape)).otherFileCount == 0)
        }
    }

    // As in DeterminismTests, the numbers are from a release build on one machine.
    @Test func `the shape full has the same bytes in every build and on every machine`() throws {
        let text = try GeneratedText(.init(extent: .days(1), shape: .full))
        #expect(text.bytes.fingerprint == 15_347_568_304_154_508_576)
        let export = try SyntheticExport(.init(extent: .days(28), shape: .full))
        #expect(export.otherFiles.flatMap(\.bytes).fingerprint == 17_549_290_632_530_201_798)
    }
}

extension OtherFile {
    /// All bytes of the file.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write { block in unsafe block.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) } }
        return bytes
    }

    /// The lines of the file, without their ends.
    var lines: [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}

extension [UInt8] {
    /// FNV-1a, 64 bits.
    fileprivate var fingerprint: UInt64 {
        reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}

extension String {
    /// The tag without its pointer and `creationDate`, and the same with children as without.
    fileprivate var withoutCreation: String {
        guard let date = attribute("creationDate") else { return self }
        return withoutPointer.replacing("creationDate=\"\(date)\"", with: "").replacing("/>", with: ">")
    }
}
