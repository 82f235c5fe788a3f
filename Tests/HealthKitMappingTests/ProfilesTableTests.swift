import Foundation
import HealthKitMapping
import Testing

struct `Table of supported types` {
    let table: MappingTable

    init() throws { table = try .embedded() }

    @Test func `the counts are at the top`() {
        let counts =
            "120 quantity types, 70 category types (1 of them another name of one), 84 workout activities; "
            + "49 types with a LOINC code, 29 with a SNOMED CT code; electrocardiogram labels in 6 languages"
        #expect(SupportedTypesTable.text(table).hasPrefix(counts + "\n\n"))
        #expect(SupportedTypesTable.markdown(table).contains("\n\(counts). Version 19 of the mapping.\n"))
    }

    @Test func `the text form has aligned columns`() throws {
        let lines = SupportedTypesTable.text(table).split(separator: "\n")
        let heading = try #require(lines.first { $0.hasPrefix("HKQuantityTypeIdentifier…") })
        let heartRate = try #require(lines.first { $0.hasPrefix("HeartRate ") })
        let cells = heartRate.split(separator: #/ {2,}/#)
        #expect(cells == ["HeartRate", "vital-signs", "LOINC 8867-4", "/min", "beats/minute"])
        for (title, cell) in [("category", "vital-signs"), ("codes", "LOINC"), ("UCUM", "/min"), ("label", "beats")] {
            let column = try #require(heading.range(of: title)).lowerBound
            let start = try #require(heartRate.range(of: cell)).lowerBound
            #expect(
                heading.distance(from: heading.startIndex, to: column)
                    == heartRate.distance(from: heartRate.startIndex, to: start)
            )
        }
    }

    @Test func `the page shows a unit's code and label in two columns`() {
        let row = "| `HKQuantityTypeIdentifierBodyMassIndex` | Body mass index | vital-signs "
        #expect(
            SupportedTypesTable.markdown(table).contains(
                row + "| LOINC 39156-5 Body mass index (BMI) [Ratio] | `kg/m2` | kg/m² |\n"
            )
        )
    }

    @Test func `the page shows each workout activity and each language's labels`() {
        let page = SupportedTypesTable.markdown(table)
        #expect(page.contains("| `HKWorkoutActivityTypeYoga` | Yoga | 57 |  |\n"))
        #expect(page.contains("| `HKWorkoutActivityTypeRunning` | Running | 37 | LOINC LA11836-6 Running |\n"))
        #expect(page.contains("| `zh-Hans` | 分类 | 症状 | 软件版本 | 设备 | 采样率<br>采样速率 | 导联 | 单位 |\n"))
    }

    @Test func `the JSON form has stable, sorted keys`() throws {
        let json = SupportedTypesTable.json(table)
        let document = try JSONDecoder().decode(Document.self, from: Data(json.utf8))
        #expect(document.version == "19")
        #expect(
            document.counts == [
                "aliases": 1, "categoryTypes": 70, "electrocardiogramLanguages": 6, "quantityTypes": 120,
                "typesWithLOINC": 49, "typesWithSNOMEDCT": 29, "workoutActivities": 84,
            ]
        )
        #expect(document.types.map(\.identifier) == table.types.map(\.identifier))
        let line = #"""
            {"category":"laboratory","codings":[{"code":"2339-0","display":"Glucose [Mass/volume] in Blood",\#
            "system":"http://loinc.org","ucumCode":"mg/dL"},{"code":"15074-8","display":"Glucose [Moles/volume] in Blood",\#
            "system":"http://loinc.org","ucumCode":"mmol/L"}],"display":"Blood glucose",\#
            "identifier":"HKQuantityTypeIdentifierBloodGlucose","kind":"quantity",\#
            "units":[{"appleUnit":"mg/dL","label":"mg/dL","ucumCode":"mg/dL"},\#
            {"appleUnit":"mmol/L","label":"mmol/L","ucumCode":"mmol/L"}]},
            """#
        #expect(json.contains("\n" + line + "\n"))
        let activity = #"""
            {"codings":[{"code":"LA11836-6","display":"Running","system":"http://loinc.org"},\#
            {"code":"37","display":"Running",\#
            "system":"https://developer.apple.com/documentation/healthkit/hkworkoutactivitytype"}],\#
            "identifier":"HKWorkoutActivityTypeRunning","number":37,"text":"Running"},
            """#
        #expect(json.contains("\n" + activity + "\n"))
        #expect(document.electrocardiogramLabels["de"]?["sampleRate"] == ["Messrate"])
    }

    private struct Document: Decodable {
        let version: String
        let counts: [String: Int]
        let types: [TypeLine]
        let electrocardiogramLabels: [String: [String: [String]]]
    }

    private struct TypeLine: Decodable {
        let identifier: String
    }
}
