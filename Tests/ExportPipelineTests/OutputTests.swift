import ExportPipeline
import FHIRR4
import Foundation
import HealthExport
import HealthKitMapping
import TestSupport
import Testing
import TransactionBundling

/// What is written where: Bundles or resources, one file or many.
struct OutputTests {
    private let folder = try? TemporaryFolder()

    // MARK: Limits

    @Test(arguments: [1, 2, 3, 31, 32, 40, 400])
    func `no Bundle has more entries than the limit`(_ limit: Int) throws {
        let run = try Run(Samples.path("bundle-cuts"), options: .sample.with { $0.limits.maximumEntryCount = limit })
        for line in run.lines { #expect(try bundle(line).entries.count <= limit) }
        #expect(try run.ids().count == 560)
    }

    @Test(arguments: [500, 1200, 2600, 10000, 100_000])
    func `no Bundle has more bytes than the limit, except for a lone entry`(_ limit: Int) throws {
        for name in ["bundle-cuts", "devices", "names"] {
            let run = try Run(Samples.path(name), options: .sample.with { $0.limits.maximumByteCount = limit })
            for line in run.lines where line.utf8.count + 1 > limit { #expect(try bundle(line).entries.count == 1) }
            #expect(try run.ids().sorted() == Run(Samples.path(name)).ids().sorted())
        }
    }

    @Test(arguments: [(3, 1_000_000), (4, 1_000_000), (40, 1_000_000), (400, 5000), (40, 10000)])
    func `with conditional creates the limits include the Devices of Observations`(_ entries: Int, _ bytes: Int) throws
    {
        for name in ["bundle-cuts", "devices", "duplicates", "identifiers"] {
            let run = try Run(
                Samples.path(name),
                options: .sample.with {
                    $0.mapping.form = .conditionalCreate
                    $0.limits = BundleLimits(maximumEntryCount: entries, maximumByteCount: bytes)
                }
            )
            for line in run.lines {
                let read = try bundle(line)
                let observations = read.entries.count { $0.type == "Observation" }
                #expect(read.entries.count <= entries, "\(name)")
                #expect(read.byteCount <= bytes || observations == 1, "\(name)")
            }
        }
    }

    @Test func `a lone Observation keeps its Devices whatever the limit`() throws {
        let run = try Run(
            Samples.path("devices"),
            options: .sample.with {
                $0.mapping.form = .conditionalCreate
                $0.limits.maximumEntryCount = 1
            }
        )
        for line in run.lines { #expect(try bundle(line).entries.count { $0.type == "Observation" } == 1) }
        #expect(try run.ids().count == 25)
    }

    // MARK: Forms

    @Test func `updates name their resources, and Devices come before what refers to them`() throws {
        for name in Samples.names {
            var devices: Set<String> = []
            for entry in try Run(Samples.path(name)).entries {
                let request = try #require(entry.json["request"] as? [String: any Sendable])
                #expect(request["method"] as? String == "PUT")
                #expect(request["url"] as? String == "\(entry.type)/\(entry.id)")
                #expect(entry.resource["id"] as? String == entry.id)
                #expect(entry.json["fullUrl"] == nil)
                if entry.type == "Device" { devices.insert("Device/" + entry.id) }
                #expect(references(to: "Device/", in: entry).allSatisfy(devices.contains))
            }
        }
    }

    @Test func `conditional creates contain everything that they refer to, by urn:uuid`() throws {
        for name in Samples.names {
            let run = try Run(Samples.path(name), options: .sample.with { $0.mapping.form = .conditionalCreate })
            for line in run.lines {
                let entries = try bundle(line).entries
                var uuids: [String: String] = [:]
                for entry in entries {
                    let request = try #require(entry.json["request"] as? [String: any Sendable])
                    #expect(request["method"] as? String == "POST")
                    #expect(request["url"] as? String == entry.type)
                    #expect(
                        request["ifNoneExist"] as? String
                            == "identifier=urn:uuid:5c4f3f8e-6d0a-5b56-9d0b-5f8f6e4d7a10|\(entry.id)"
                    )
                    #expect(entry.resource["id"] == nil)
                    uuids[try #require(entry.json["fullUrl"] as? String)] = entry.type
                }
                #expect(uuids.count == entries.count)
                let referred = Set(entries.flatMap { references(to: "urn:uuid:", in: $0) })
                #expect(referred.allSatisfy { uuids[$0] != nil })
                // And no Device that they don't refer to.
                #expect(referred.isSuperset(of: uuids.filter { $0.value == "Device" }.keys))
            }
            #expect(try run.ids().sorted() == Run(Samples.path(name)).ids().sorted())
        }
    }

    @Test(arguments: [1, 2, 3, 4, 400])
    func `a later version that does not fit next to the former has its own Devices`(_ limit: Int) throws {
        for (former, later) in [("10.1", "10.1"), ("10.1", "10.2")] {
            let records = [(former, "1"), (later, "2")].map { version, syncVersion in
                record(
                    version: version,
                    device: "&lt;&lt;HKDevice: 0x1&gt;, name:Watch&gt;",
                    metadata: [("HKMetadataKeySyncIdentifier", "a"), ("HKMetadataKeySyncVersion", syncVersion)]
                )
            }
            let options = ConversionOptions.sample.with {
                $0.mapping.form = .conditionalCreate
                $0.limits.maximumEntryCount = limit
            }
            let run = try Run(of: records.joined(), options: options)
            #expect(run.lines.count == 1)
            for line in run.lines {
                let entries = try bundle(line).entries
                let urls = Set(entries.compactMap { $0.json["fullUrl"] as? String })
                let referred = Set(entries.flatMap { references(to: "urn:uuid:", in: $0) })
                #expect(referred.count == 2 && referred.isSubset(of: urls))
            }
        }
    }

    @Test func `a resource's urn is its id as a UUID of version 8`() throws {
        let id = ResourceID(high: 0x0123_4567_89ab_cdef, low: 0x0123_4567_89ab_cdef)
        #expect(id.uuid == "01234567-89ab-8def-8123-456789abcdef")
        #expect(ResourceID(high: .max, low: .max).uuid == "ffffffff-ffff-8fff-bfff-ffffffffffff")
    }

    // MARK: Files

    /// Readers that learn the columns from the data fail at an empty file.
    @Test func `the manifest names no file that is empty`() throws {
        let output = try #require(folder).path("rings")
        _ = try Conversion(.sample.with { $0.mapping.form = .resource }).run(
            ExportInput(path: Samples.path("activity-rings")),
            to: .folder(output)
        )
        let manifest = try String(contentsOfFile: output + "/manifest.json", encoding: .utf8)
        #expect(manifest.contains("Observation.ndjson") && !manifest.contains("Device"), "\(manifest)")
    }

    @Test func `resources go into one file for each type, in the order of the export, with a manifest`() throws {
        let folder = try #require(folder)
        let output = folder.path("resources")
        let report = try Conversion(.sample.with { $0.mapping.form = .resource }).run(
            ExportInput(path: Samples.path("two-sources")),
            to: .folder(output)
        )
        let manifest = try String(contentsOfFile: output + "/manifest.json", encoding: .utf8)
        #expect(
            manifest == """
                {"transactionTime":"2024-07-01T07:00:00Z","requiresAccessToken":false,"output":[
                {"type":"Device","url":"Device.ndjson","count":5},
                {"type":"Observation","url":"Observation.ndjson","count":12}
                ],"error":[]}

                """
        )
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: output).sorted() == [
                "Device.ndjson", "Observation.ndjson", "manifest.json",
            ]
        )
        let bundled = try Run(Samples.path("two-sources")).entries
        for type in ["Device", "Observation"] {
            let lines = try String(contentsOfFile: "\(output)/\(type).ndjson", encoding: .utf8).split(separator: "\n")
            #expect(report.resources[type] == UInt64(lines.count))
            let resources = try lines.map {
                try JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSDictionary ?? [:]
            }
            let ids = resources.compactMap { $0["id"] as? String }
            #expect(try ids.sorted() == Run(Samples.path("two-sources")).ids(type).sorted())
            #expect(resources.allSatisfy { $0["resourceType"] as? String == type })
            #expect(bundled.count { $0.type == type } == lines.count)
        }
        // Times ascend in the sample, and so they must in the file.
        let observations = try String(contentsOfFile: output + "/Observation.ndjson", encoding: .utf8)
        let starts = observations.matches(of: /"start":"([^"]+)"/).map { String($0.1) }
        #expect(starts == starts.sorted())
        #expect(starts.count == 12)
    }

    @Test func `with split each Bundle is a file named by its key, and the manifest lists them in order`() throws {
        let folder = try #require(folder)
        let output = folder.path("split")
        let options = ConversionOptions.sample.with { $0.isSplit = true }
        _ = try Conversion(options).run(ExportInput(path: Samples.path("bundle-cuts")), to: .folder(output))
        let manifest = try JSONSerialization.jsonObject(
            with: Data(contentsOf: URL(filePath: output + "/manifest.json"))
        )
        let names = try #require((manifest as? [String: Any])?["bundles"] as? [String])
        let wanted = try Run(Samples.path("bundle-cuts"))
        #expect(names == (try wanted.keys.map { $0 + ".json" }))
        let text = try names.map { try String(contentsOfFile: "\(output)/\($0)", encoding: .utf8) }.joined()
        #expect(text == wanted.text)
        #expect(try FileManager.default.contentsOfDirectory(atPath: output).count == names.count + 1)
    }

    @Test(arguments: [ConversionOptions.Format.bundles, .resources])
    func `a replaced output leaves nothing of the former export`(_ format: ConversionOptions.Format) throws {
        let folder = try #require(folder)
        let output = folder.path("replaced")
        let options = ConversionOptions.sample.with {
            $0.isSplit = format == .bundles
            $0.replacesFiles = true
            $0.mapping.form = format == .bundles ? .update : .resource
        }
        func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: output).sorted() }
        func convert(_ input: String, isGzip: Bool = false) throws -> [String] {
            _ = try Conversion(options.with { $0.isGzip = isGzip }).run(
                ExportInput(path: input),
                to: .folder(output)
            )
            return try names()
        }
        let other = try folder.write(
            export("<Record type=\"x\" startDate=\"2024-03-01 12:00:00 +0000\"/>").utf8,
            to: "x.xml"
        )
        let alone = try convert(other)
        let more = try convert(Samples.path("workouts"), isGzip: true)
        #expect(Set(more).isDisjoint(with: Set(alone).subtracting(["manifest.json"])))
        try Data().write(to: URL(filePath: output + "/notes.json"))
        #expect(try convert(other) == (alone + ["notes.json"]).sorted())
    }

    @Test func `files that another program's manifest names are kept`() throws {
        let folder = try #require(folder)
        let output = try folder.makeFolder("others")
        // pghd writes hex digits in lower case only.
        let hash = String(repeating: "AB12", count: 16) + ".json"
        let names = ["cafe.json", "1.json.gz", "notes.txt", "2024.ndjson", hash]
        for name in names { try Data(name.utf8).write(to: URL(filePath: "\(output)/\(name)")) }
        let manifest = "{\"icons\":[\(names.map { "\"\($0)\"" }.joined(separator: ","))]}"
        try Data(manifest.utf8).write(to: URL(filePath: output + "/manifest.json"))
        let options = ConversionOptions.sample.with {
            $0.isSplit = true
            $0.replacesFiles = true
        }
        _ = try Conversion(options).run(ExportInput(path: Samples.path("devices")), to: .folder(output))
        for name in names {
            #expect(try Data(contentsOf: URL(filePath: "\(output)/\(name)")) == Data(name.utf8))
        }
    }

    @Test func `a failed run with split keeps the Bundles that were there before`() throws {
        let folder = try #require(folder)
        let output = folder.path("kept")
        let options = ConversionOptions.sample.with { $0.isSplit = true }
        let input = try ExportInput(path: Samples.path("bundle-cuts"))
        _ = try Conversion(options).run(input, to: .folder(output))
        let names = try Run(Samples.path("bundle-cuts")).keys.map { $0 + ".json" }
        let (first, second, last) = (names[0], names[1], names[names.count - 1])
        let bundle = try Data(contentsOf: URL(filePath: "\(output)/\(first)"))
        for name in names[1...] + ["manifest.json"] { try FileManager.default.removeItem(atPath: "\(output)/\(name)") }
        try folder.makeFolder("kept/\(last)")
        #expect(throws: ExportPipelineError.self) { try Conversion(options).run(input, to: .folder(output)) }
        #expect(second != last)
        #expect(try FileManager.default.contentsOfDirectory(atPath: output).sorted() == [first, last].sorted())
        #expect(try Data(contentsOf: URL(filePath: "\(output)/\(first)")) == bundle)
    }

    @Test func `an export without records gives no Bundle`() throws {
        let run = try Run(of: "")
        #expect(run.bytes.isEmpty)
        #expect(run.report.damage.isComplete)
        #expect(run.report.bundles == 0)
    }

    // MARK: Filters

    @Test func `types, since and until leave out the others and do not change what they keep`() throws {
        let whole = try Run(Samples.path("two-sources")).ids()
        func ids(_ change: (inout MappingOptions) -> Void) throws -> [String] {
            try Run(Samples.path("two-sources"), options: .sample.with { change(&$0.mapping) }).ids()
        }
        #expect(try ids { $0.types = ["HKQuantityTypeIdentifierStepCount"] } == whole)
        #expect(try ids { $0.types = ["HKQuantityTypeIdentifierHeartRate"] }.isEmpty)
        #expect(try ids { $0.types = [] }.isEmpty)
        // 10:10 +0100: the second of four times, with three samples each.
        let second: Int64 = 1_717_492_200
        #expect(try ids { $0.since = second }.count == 9)
        #expect(try ids { $0.until = second }.count == 3)
        #expect(try Set(ids { $0.since = second }).union(ids { $0.until = second }) == Set(whole))
        #expect(try ids { $0.since = second + 1 }.count == 6)
        #expect(
            try ids {
                $0.since = second
                $0.until = second + 600
            }.count == 3
        )
    }

    @Test func `a type spelled with other bytes is another type, even if it looks the same`() throws {
        let kelvin = "H\u{212A}QuantityTypeIdentifierStepCount"
        let run = try Run(
            of: record(kelvin, unit: "count") + record("HKQuantityTypeIdentifierStepCount", unit: "count"),
            options: .sample.with { $0.mapping.types = ["HKQuantityTypeIdentifierStepCount"] }
        )
        #expect(try run.observations.count == 1)
        #expect(run.report.tally.filteredRecords == 1)
    }

    @Test func `with a filter all records are counted, but only some are written`() throws {
        let run = try Run(
            Samples.path("bundle-cuts"),
            options: .sample.with { $0.mapping.types = ["HKQuantityTypeIdentifierHeartRate"] }
        )
        #expect(run.report.tally.records["HKQuantityTypeIdentifierStepCount"] == 400)
        #expect(run.report.resources["Observation"] == 160)
    }

    @Test(arguments: ["", "a b", "a/b", "é", String(repeating: "x", count: 65), "a\n"])
    func `a patient id that FHIR does not allow is refused`(_ id: String) {
        #expect(throws: ExportPipelineError.patientID) { try Conversion(.sample.with { $0.mapping.patientID = id }) }
    }

    @Test(arguments: ["", "Middle/Earth", "CET", "GMT+1", "europe/paris"])
    func `an unknown time zone is refused`(_ name: String) {
        #expect(throws: ExportPipelineError.timeZone(name)) {
            try Conversion(.sample.with { $0.mapping.timeZone = name })
        }
    }

    private func references(to prefix: String, in entry: Entry) -> [String] {
        func find(_ value: any Sendable) -> [String] {
            switch value {
            case let object as [String: any Sendable]:
                object.flatMap { key, value in
                    key == "reference" ? [value as? String ?? ""] : find(value)
                }
            case let array as [any Sendable]: array.flatMap(find)
            default: []
            }
        }
        return find(entry.resource).filter { $0.hasPrefix(prefix) }
    }
}
