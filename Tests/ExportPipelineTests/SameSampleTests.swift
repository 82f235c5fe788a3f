import ExportPipeline
import FHIRR4
import Foundation
import HealthExport
import HealthKitMapping
import SyntheticExport
import TestSupport
import Testing
import TransactionBundling

/// The same sample is the same resource in every export: docs/formats.md, "Observation of a Record".
struct SameSampleTests {
    @Test func `winter and summer exports give byte-identical Bundles`() throws {
        let winter = try Run(Samples.path("winter-export"))
        #expect(try Run(Samples.path("summer-export")).text == winter.text)
        #expect(winter.lines.count == 3)
    }

    @Test func `one person's exports with different offsets give byte-identical Bundles`() throws {
        let folder = try TemporaryFolder()
        var texts: [[UInt8]] = []
        for minutes in [-480, -420] {
            let name = "export\(minutes).xml"
            try SyntheticExport(.init(extent: .days(3), seed: 9, utcOffsetMinutes: minutes)).write(
                toFile: folder.path(name)
            )
            texts.append(try Run(folder.path(name)).bytes)
        }
        #expect(texts[0] == texts[1])
        #expect(texts[0].count > 1_000_000)
    }

    @Test func `pounds and kilograms, feet and metres, Fahrenheit and Celsius give the same ids`() throws {
        let metric = try Run(Samples.path("kilograms"))
        let imperial = try Run(Samples.path("pounds"))
        #expect(try metric.ids().sorted() == imperial.ids().sorted())
        #expect(try Set(metric.ids()).count == 60)
        // The values differ as written, and so must the keys, except for those of the four apps' Bundles.
        let same = try Set(metric.keys).intersection(imperial.keys)
        #expect(same.count == 4)
        let apps = metric.lines.filter { line in same.contains { line.contains($0) } }
        #expect(apps.allSatisfy { !$0.contains("Observation") })
    }

    @Test func `a renamed phone and another language change no Observation's id`() throws {
        let before = try Run(Samples.path("renamed-phone-before"))
        let after = try Run(Samples.path("renamed-phone-after"))
        #expect(try before.ids().sorted() == after.ids().sorted())
        #expect(try before.ids().count == 6)
        // The phone is the same Device; the app has another name.
        #expect(try Set(before.ids("Device")).intersection(after.ids("Device")).count == 2)
    }

    @Test func `two patients share no id, Device or key`() throws {
        for name in Samples.names {
            let one = try Run(Samples.path(name))
            let two = try Run(Samples.path(name), options: .sample.with { $0.mapping.patientID = "sampl" })
            #expect(
                try Set(one.ids() + one.ids("Device") + one.keys).isDisjoint(
                    with: two.ids() + two.ids("Device") + two.keys
                )
            )
            #expect(one.report.entries == two.report.entries)
        }
    }

    @Test func `keyed ids differ from plain ones and from those of another key`() throws {
        let keys: [[UInt8]?] = [nil, Array(0..<32), Array(1..<33)]
        var seen: Set<String> = []
        var count = 0
        for key in keys {
            let run = try Run(Samples.path("two-sources"), options: .sample.with { $0.mapping.identityKey = key })
            let names = try run.ids() + run.ids("Device") + run.keys
            seen.formUnion(names)
            count += names.count
        }
        #expect(seen.count == count)
    }

    @Test func `time zone, form and limits do not change an id`() throws {
        let wanted = try Run(Samples.path("time-zones")).ids().sorted()
        let changes: [(inout ConversionOptions) -> Void] = [
            { $0.mapping.timeZone = "Asia/Kathmandu" }, { $0.mapping.form = .conditionalCreate },
            { $0.limits.maximumEntryCount = 3 }, { $0.limits.maximumByteCount = 2000 },
        ]
        for change in changes {
            #expect(try Run(Samples.path("time-zones"), options: .sample.with(change)).ids().sorted() == wanted)
        }
    }

    @Test func `overlapping exports give the same ids to what they share`() throws {
        let folder = try TemporaryFolder()
        var ids: [[String]] = []
        for days in [4, 6] {
            try SyntheticExport(.init(extent: .days(days), seed: 21)).write(toFile: folder.path("export.xml"))
            ids.append(try Run(folder.path("export.xml")).ids())
            _ = try? FileManager.default.removeItem(atPath: folder.path("export.xml"))
        }
        #expect(Set(ids[0]).isSubset(of: ids[1]))
        #expect(ids[0].count > 3000)
    }

    @Test func `no two samples of a long export share an id unless they are twins`() throws {
        let folder = try TemporaryFolder()
        try SyntheticExport(.init(extent: .days(10), seed: 33)).write(toFile: folder.path("export.xml"))
        let run = try Run(folder.path("export.xml"))
        let observations = try run.observations
        // What a person would consider the same: type, times, source and value.
        let described = try observations.map { entry in
            var resource = entry.resource
            for key in ["id", "identifier", "meta"] { resource[key] = nil }
            return String(
                decoding: try JSONSerialization.data(withJSONObject: resource, options: .sortedKeys),
                as: UTF8.self
            )
        }
        #expect(Set(observations.map(\.id)).count == Set(described).count)
        #expect(observations.count > 8000)
    }
}
