import ExportPipeline
import FHIRR4
import Foundation
import HealthExport
import HealthKitMapping
import TestSupport
import Testing
import TransactionBundling

/// Equal keys mean equal bytes: servers, ledgers and file names rely on this.
struct BundleKeyMeaningTests {
    @Test func `equal keys mean equal bytes, over all samples and options`() throws {
        var bytes: [String: String] = [:]
        var bundles = 0
        for name in Samples.names + [Samples.kitchenSink] {
            for form in [EntryForm.update, .conditionalCreate] {
                for zone in [nil, "Asia/Kathmandu", "Europe/Paris"] {
                    for limit in [400, 5, 1] {
                        for key in [nil, Array(repeating: 7, count: 16)] as [[UInt8]?] {
                            let run = try Run(
                                Samples.path(name),
                                options: .sample.with {
                                    $0.mapping.form = form
                                    $0.mapping.timeZone = zone
                                    $0.mapping.identityKey = key
                                    $0.limits.maximumEntryCount = limit
                                }
                            )
                            for line in run.lines {
                                let key = try #require(line.firstMatch(of: /"value":"([0-9a-f]{64})"/)).1
                                #expect(bytes.updateValue(line, forKey: String(key)) ?? line == line, "\(name)")
                                bundles += 1
                            }
                        }
                    }
                }
            }
        }
        #expect(bytes.count > 2000)
        #expect(bundles > bytes.count)
    }

    @Test func `equal keys mean equal bytes, whatever the order of the records`() throws {
        var numbers = RandomBits(state: 4)
        for name in ["two-sources", "duplicates", "identifiers", "devices", "numbers", "names", "winter-export"] {
            let text = try Samples.text(name)
            let start = try #require(text.range(of: " <Record"))
            let end = try #require(text.range(of: "</HealthData>"))
            var records = text[start.lowerBound..<end.lowerBound].split(separator: "\n <Record").map(String.init)
            records[0] = String(records[0].dropFirst(" <Record".count))
            for form in [EntryForm.update, .conditionalCreate] {
                var seen: [String: String] = [:]
                for _ in 0..<30 {
                    let body = records.map { " <Record" + $0.trimmingCharacters(in: .newlines) + "\n" }.joined()
                    let options = ConversionOptions.sample.with {
                        $0.mapping.form = form
                        $0.limits.maximumEntryCount = 6
                    }
                    for line in try Run(of: body, options: options).lines {
                        let key = String(try #require(line.firstMatch(of: /"value":"([0-9a-f]{64})"/)).1)
                        #expect(seen.updateValue(line, forKey: key) ?? line == line, "\(name)")
                    }
                    records.shuffle(using: &numbers)
                }
            }
        }
    }

    @Test func `of two versions of one id the same one wins in either order`() throws {
        let plain = record(version: "1", device: "&lt;&lt;HKDevice: 0x1&gt;, model:A&gt;")
        let other = record(value: "60.0", version: "2", device: "&lt;&lt;HKDevice: 0x2&gt;, model:B&gt;")
        let between = record(value: "61")
        for form in [EntryForm.update, .conditionalCreate] {
            let options = ConversionOptions.sample.with { $0.mapping.form = form }
            let one = try Run(of: plain + between + other, options: options)
            let two = try Run(of: other + between + plain, options: options)
            #expect(one.lines.last == two.lines.last)
            #expect(one.report.duplicates == 1)
            #expect(one.report.conflictingDuplicates == 1)
            #expect(one.report.resources == two.report.resources)
            // The losing version's Devices are not written.
            #expect(!one.text.contains("\"name\":\"A\"") || !one.text.contains("\"name\":\"B\""))
        }
    }

    @Test func `profiles equal to the built-in ones change no key, others change them`() throws {
        let folder = try TemporaryFolder()
        let profiles = Samples.folder.deletingLastPathComponent().appending(path: "profiles")
        for file in try FileManager.default.contentsOfDirectory(atPath: profiles.path) where file.hasSuffix(".json") {
            try folder.write(try Data(contentsOf: profiles.appending(path: file)), to: file)
        }
        let options = ConversionOptions.sample.with { $0.run.profilesFolder = folder.path }
        let embedded = try Run(Samples.path("two-sources"))
        #expect(try Run(Samples.path("two-sources"), options: options).bytes == embedded.bytes)
        let units = folder.path("ConceptMap-healthkit-units.json")
        let changed = try String(contentsOfFile: units, encoding: .utf8).replacing("\"steps\"", with: "\"strides\"")
        try changed.write(toFile: units, atomically: true, encoding: .utf8)
        let other = try Run(Samples.path("two-sources"), options: options)
        #expect(other.text != embedded.text)
        #expect(try Set(other.keys).isDisjoint(with: embedded.keys))
        #expect(try other.ids() == embedded.ids())
    }
}
