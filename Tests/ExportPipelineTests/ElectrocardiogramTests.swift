import ExportPipeline
import FHIRR4
import Foundation
import HealthExport
import HealthKitMapping
import TestSupport
import Testing
import TransactionBundling

/// Electrocardiograms, from file to FHIR.
struct ElectrocardiogramTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func sample(_ language: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(filePath: Samples.path("electrocardiogram-" + language))))
    }

    /// A zip with one record and these files next to it.
    private func zip(_ files: [(String, [UInt8])]) throws -> String {
        let members = [
            ZipBuilder.Member.deflated("apple_health_export/export.xml", contents: Array(export(record()).utf8))
        ]
        let others = files.map {
            ZipBuilder.Member.deflated("apple_health_export/electrocardiograms/\($0.0)", contents: $0.1)
        }
        return try folder.write(ZipBuilder(members + others).bytes(), to: "export.zip")
    }

    // MARK: Exact samples

    @Test(arguments: Samples.electrocardiograms)
    func `the samples in FHIR equal those of the file to the last digit`(_ name: String) throws {
        let text = try Samples.text(name)
        let samples = text.replacing("\u{2212}", with: "-").split(whereSeparator: \.isNewline).map { "\($0)" }
            .filter { $0.wholeMatch(of: /-?[0-9]+([.,][0-9]+)?/) != nil }
        #expect(samples.count >= 40)
        #expect(try data(of: Run(Samples.path(name))) == canonical(samples))
    }

    @Test(arguments: [
        ("Fibrilación auricular", "2"), ("FIBRILLATION AURICULAIRE", "2"), ("Boezemfibrilleren", "2"), ("심방세동", "2"),
        ("Atrial Fibrillation — High Heart Rate", "2"), ("Ritmo sinusal", "1"), ("Sinusrytm", "1"),
        ("Någon annan", nil),
    ])
    func `a classification in a known language has Apple's number`(_ finding: String, _ number: String?) throws {
        let text = try Samples.text("electrocardiogram-english").replacing("Sinus Rhythm", with: finding)
        let run = try Run(folder.write(text.utf8, to: "ecg.csv"))
        let coding = #"hkelectrocardiogram/classification","code":"#
        #expect(run.text.contains(#""text":"\#(finding)"}"#))
        #expect(run.text.contains(coding) == (number != nil))
        if let number { #expect(run.text.contains(coding + "\"\(number)\"")) }
    }

    @Test func `random samples in any form are exact to the last digit`() throws {
        var random = RandomBits(state: 20_240_616)
        for _ in 0..<300 {
            let decimals = Int.random(in: 0...9, using: &random)
            let samples = (0..<Int.random(in: 1...60, using: &random)).map { _ in
                let whole = Int.random(in: 0...999_999_999, using: &random) >> Int.random(in: 0...30, using: &random)
                let fraction = (0..<Int.random(in: 0...decimals, using: &random)).map { _ in
                    "\(Int.random(in: 0...9, using: &random))"
                }.joined()
                return (Bool.random(using: &random) ? "-" : "") + "\(whole)" + (fraction.isEmpty ? "" : "." + fraction)
            }
            let isComma = Bool.random(using: &random)
            let written = samples.map { isComma ? $0.replacing(".", with: ",") : $0 }
            let header = [
                "Nom,", "Né,", "Date,2024-06-16 09:31:02 +0100", "Class,", "Sympt,", "Version,", "App,",
                "Freq,512 hertz", "", "", "Dér,I", "Unité,µV", "",
            ]
            let end = Bool.random(using: &random) ? "\r\n" : "\n"
            let path = try folder.write((header + written).joined(separator: end).utf8, to: "ecg.csv")
            #expect(try data(of: Run(path)) == canonical(samples))
        }
    }

    /// The lead's samples, multiplied by the factor, as plain decimals.
    private func data(of run: Run) throws -> [String] {
        let text = try #require(run.lines.last)
        let factor = text.firstMatch(of: /"factor":(0\.0*1),/).map { String($0.1) } ?? "1"
        let data = try #require(text.firstMatch(of: /"data":"([-0-9 ]+)"/)).1
        let decimals = factor == "1" ? 0 : factor.utf8.count - 2
        return canonical(
            data.split(separator: " ").map { sample in
                let digits = sample.drop { $0 == "-" }
                let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
                let point = padded.index(padded.endIndex, offsetBy: -decimals)
                return (sample.hasPrefix("-") ? "-" : "") + padded[..<point] + "." + padded[point...]
            }
        )
    }

    /// The decimals without trailing zeros.
    private func canonical(_ samples: [String]) -> [String] {
        samples.map { sample in
            var text = sample.replacing(",", with: ".")
            if text.contains(".") {
                while text.last == "0" { text.removeLast() }
                if text.last == "." { text.removeLast() }
            }
            return text == "-0" ? "0" : text
        }
    }

    // MARK: Identity

    @Test func `trap 12: one electrocardiogram in two languages is one resource`() throws {
        let runs = try ["english", "german"].map { try Run(Samples.path("electrocardiogram-" + $0)) }
        #expect(try runs[0].ids() == runs[1].ids())
        #expect(try runs[0].ids().count == 1)
        // In one export they are twins.
        let both = try Run(zip([("ecg_1.csv", Self.sample("english")), ("ecg_2.csv", Self.sample("german"))]))
        #expect(both.report.duplicates == 1)
    }

    @Test(arguments: [
        ("\n12.", "\n13."), ("09:31:02", "09:31:03"), ("\n-", "\n"),
    ])
    func `a different start or sample makes another electrocardiogram`(_ old: String, _ new: String) throws {
        let text = try Samples.text("electrocardiogram-english")
        let range = try #require(text.range(of: old))
        let changed = text.replacingCharacters(in: range, with: new)
        let ids = try [text, changed].map { try Run(folder.write($0.utf8, to: "ecg.csv")).ids() }
        #expect(ids[0] != ids[1])
    }

    @Test func `a different classification changes only the digest`() throws {
        let text = try Samples.text("electrocardiogram-english")
        let changed = text.replacing("Sinus Rhythm", with: "Inconclusive")
        let runs = try [text, changed].map { try Run(folder.write($0.utf8, to: "ecg.csv")) }
        #expect(try runs[0].ids() == runs[1].ids())
        #expect(try runs[0].keys.last != runs[1].keys.last)
    }

    // MARK: Files

    @Test func `a zip's electrocardiograms follow its records, ordered by name`() throws {
        let run = try Run(
            zip([
                ("ecg_2024-06-17.csv", Self.sample("japanese")), ("ecg_2024-06-16.csv", Self.sample("english")),
                ("ecg_2024-06-18.csv", Self.sample("chinese")),
            ]),
            // Inside a Bundle entries are ordered by id.
            options: .sample.with { $0.limits.maximumEntryCount = 1 }
        )
        let starts = try run.observations.map { entry in
            (entry.resource["effectivePeriod"] as? [String: any Sendable])?["start"] as? String
        }
        #expect(starts == [nil, "2024-06-16T08:31:02Z", "2024-06-16T22:05:00Z", "2024-06-17T23:05:00Z"])
        #expect(run.report.files == ["electrocardiogram": 3])
        #expect(run.report.resources == ["Observation": 4, "Device": 4])
        #expect(run.report.damage.isEmpty)
    }

    @Test func `a year that FHIR can't express is damage in an inspection as in a conversion`() throws {
        let text = try Samples.text("electrocardiogram-english")
            .replacing("2024-06-16 09:31:02 +0100", with: "9999-12-31 23:59:59 -1400")
        let path = try zip([("ecg.csv", Array(text.utf8))])
        let report = try Inspection().run(ExportInput(path: path))
        #expect(report.electrocardiograms == [])
        #expect(report.damage.counts == ["electrocardiogramHeader": 1])
        #expect(try Run(path).report.damage.counts == report.damage.counts)
    }

    @Test func `an inspection shows when and how each was recorded, earliest first, but not the classification`() throws
    {
        let path = try zip([
            ("ecg_2024-06-16.csv", Self.sample("japanese")), ("ecg_2024-06-17.csv", Self.sample("english")),
        ])
        let text = try Inspection().run(ExportInput(path: path)).text(title: "export.zip")
        let section = text.split(separator: "\n\n").first { $0.hasPrefix("Electrocardiograms") }
        #expect(
            section == """
                Electrocardiograms, by their start in UTC
                  2024-06-16 08:31:02  601 samples at 512 Hz
                  2024-06-16 22:05:00  600 samples at 512 Hz
                """
        )
    }

    @Test(arguments: [
        ("Symptoms,", "Symptoms,\nAverage Heart Rate,72 BPM", 1), ("Unit,", "Foo,Bar\nFoo,\nUnit,", 1),
        ("Symptoms,", "Symptoms,\nClassification,Atrial Fibrillation", 1), ("Symptoms,", "Symptoms,", 0),
    ])
    func `unknown rows are counted`(_ old: String, _ new: String, _ count: UInt64) throws {
        let text = try Samples.text("electrocardiogram-english").replacing(old, with: new)
        let run = try Run(try zip([("a.csv", Array(text.utf8))]))
        #expect(run.report.tally.unmapped.values["other", default: 0] == count)
        #expect(run.report.damage.isEmpty && run.report.files == ["electrocardiogram": 1])
    }

    @Test func `damaged files are reported by number, and the others are written`() throws {
        var text = try Samples.text("electrocardiogram-english")
        text.replace("Sample Rate,512 hertz", with: "Sample Rate,")
        let input = try zip([
            ("CANARY_1.csv", Array("CANARY".utf8)), ("CANARY_2.csv", Self.sample("english")),
            ("CANARY_3.csv", Array(text.utf8)), ("CANARY_4.csv", [UInt8](repeating: 49, count: 11 << 20)),
        ])
        let run = try Run(input)
        #expect(
            run.report.damage.places.map(\.words) == [
                "electrocardiogram 1, line 1, byte 0: no recorded date in the third row; it was left out",
                "electrocardiogram 3, line 8, byte 153: no sample rate of 10 to 100,000 hertz; it was left out",
                "electrocardiogram 4: larger than any such file; it was left out",
            ]
        )
        #expect(!run.report.damage.isEmpty)
        #expect(run.report.resources["Observation"] == 2)
        #expect(!run.report.json.contains("CANARY"))
        #expect(run.report.json.contains("\"ordinal\": 3"))
    }

    @Test func `types and times also select electrocardiograms`() throws {
        let path = try zip([("1.csv", Self.sample("english")), ("2.csv", Self.sample("french"))])
        let types = try Run(path, options: .sample.with { $0.mapping.types = ["HKElectrocardiogram"] })
        #expect(types.report.resources["Observation"] == 2)
        let others = try Run(path, options: .sample.with { $0.mapping.types = ["HKQuantityTypeIdentifierHeartRate"] })
        #expect(others.report.resources["Observation"] == 1)
        #expect(others.report.files == [:])
        let since = try Run(path, options: .sample.with { $0.mapping.since = 1_718_526_663 })
        #expect(since.report.resources["Observation"] == 1)
    }

    // MARK: Privacy and time

    @Test func `name, birth date and file name appear in no output`() throws {
        for name in Samples.electrocardiograms {
            let text = try Samples.text(name).replacing("\r\n", with: "\n")
            var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            let separator = name.hasSuffix("chinese") ? "\t" : name.hasSuffix("swedish") ? ";" : ","
            let isMarked = lines[0].hasPrefix("\u{FEFF}")
            lines[0] = (isMarked ? "\u{FEFF}" : "") + "X\(separator)\"CANARY, Léa\""
            lines[1] = "Y\(separator)CANARY day"
            let run = try Run(zip([("CANARY.csv", Array(lines.joined(separator: "\n").utf8))]))
            #expect(run.report.resources["Observation"] == 2)
            for output in [run.text, run.report.json, run.report.summary(input: "x", output: "y", isVerbose: true)] {
                #expect(!output.contains("CANARY") && !output.contains("Léa"))
            }
        }
    }

    @Test(arguments: [
        (512, "511.562", "02Z", "03.001Z"), (512, "512", "02Z", "03Z"),
        // Half a millisecond is rounded to even; a start in the same second has the end's precision.
        (1, "400", "02.000Z", "02.002Z"), (3, "400", "02.000Z", "02.008Z"), (14_848, "512", "02Z", "31Z"),
    ])
    func `the end is the start plus all samples, to the millisecond`(
        _ count: Int,
        _ rate: String,
        _ start: String,
        _ end: String
    ) throws {
        let head = try Samples.text("electrocardiogram-english").replacing("512 hertz", with: rate + " hertz")
            .split(separator: "\n").prefix(10)
        let text = (head + [""] + (0..<count).map { _ in "1" }).joined(separator: "\n")
        let run = try Run(folder.write(text.utf8, to: "ecg.csv"))
        let period = try run.observations[0].resource["effectivePeriod"] as? [String: any Sendable]
        let minute = "2024-06-16T08:31:"
        #expect(period as? [String: String] == ["start": minute + start, "end": minute + end])
    }
}
