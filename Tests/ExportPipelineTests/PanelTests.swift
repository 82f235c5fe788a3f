import ExportPipeline
import FHIRR4
import Foundation
import HealthExport
import HealthKitMapping
import TestSupport
import Testing
import TransactionBundling

/// Correlations become panels: docs/formats.md, "Observation of a Correlation", "What waits" and "Bundles".
struct PanelTests {
    private static let protein = record("HKQuantityTypeIdentifierDietaryProtein", value: "12", unit: "g")
    private static let sugar = record("HKQuantityTypeIdentifierDietarySugar", value: "5", unit: "g")
    private static let water = record("HKQuantityTypeIdentifierDietaryWater", value: "200", unit: "mL")

    private func correlation(_ type: String, _ children: String...) -> String {
        let date = "2024-06-01 08:00:00 +0100"
        return " <Correlation type=\"HKCorrelationTypeIdentifier\(type)\" sourceName=\"App\""
            + " startDate=\"\(date)\" endDate=\"\(date)\">\n\(children.joined()) </Correlation>\n"
    }

    private func pressure(_ kind: String, _ value: String, unit: String = "mmHg") -> String {
        record("HKQuantityTypeIdentifierBloodPressure\(kind)", value: value, unit: unit)
    }

    @Test(arguments: [true, false])
    func `trap 7: a blood pressure is twice in the file and once in FHIR`(_ isPanelFirst: Bool) throws {
        let (systolic, diastolic) = (pressure("Systolic", "120"), pressure("Diastolic", "80"))
        let panel = correlation("BloodPressure", systolic, diastolic)
        let run = try Run(of: isPanelFirst ? panel + systolic + diastolic : systolic + diastolic + panel)
        #expect(try run.observations.count == 1)
        #expect(run.report.inPanels == 2)
        // Without the panel no value is lost.
        #expect(try Run(of: systolic + diastolic).observations.count == 2)
    }

    @Test func `values without a panel are reported if damage may hide their panel`() throws {
        let (systolic, diastolic) = (pressure("Systolic", "120"), pressure("Diastolic", "80"))
        let broken = " <Correlation type=\"A\" type=\"B\"/>\n"
        let report = try Run(of: systolic + diastolic + broken).report
        let text = report.summary(input: "export.xml", output: "bundles.ndjson")
        #expect(report.withoutPanel == 2)
        // Damage is attributed to the element in which it begins, whatever else it contains.
        let hole = record("HKQuantityTypeIdentifierHeartRate").replacing("/>", with: " <Correlation")
        #expect(try Run(of: systolic + diastolic + hole).report.withoutPanel == 2)
        let other = record("HKQuantityTypeIdentifierHeartRate").replacing("/>", with: " type=\"A\"/>")
        #expect(try Run(of: systolic + diastolic + other).report.withoutPanel == 0)
        #expect(text.contains("2 values left out: a correlation that could not be read may be their panel\n"))
    }

    @Test func `the order of a correlation's records does not change a byte`() throws {
        let food = try Run(of: correlation("Food", Self.protein, Self.sugar, Self.water))
        let turned = try Run(of: correlation("Food", Self.water, Self.protein, Self.sugar))
        #expect(turned.lines.last?.contains("hasMember") == true && turned.lines.last == food.lines.last)
        let (low, high, diastolic) = (
            pressure("Systolic", "118"), pressure("Systolic", "131"), pressure("Diastolic", "76")
        )
        let pressures = try Run(of: correlation("BloodPressure", low, high, diastolic))
        #expect(try Run(of: correlation("BloodPressure", diastolic, high, low)).text == pressures.text)
    }

    @Test func `the order of two records with one id does not change a byte`() throws {
        let clamped = pressure("Systolic", "120").replacing(
            "/>",
            with: "><MetadataEntry key=\"HKMetadataKeyQuantityClampedToUpperBound\" value=\"1\"/></Record>"
        )
        let (plain, diastolic) = (pressure("Systolic", "120"), pressure("Diastolic", "76"))
        let one = try Run(of: correlation("BloodPressure", clamped, plain, diastolic))
        let other = try Run(of: correlation("BloodPressure", plain, clamped, diastolic))
        #expect(one.text == other.text)
        #expect(one.text.contains("\"value\":120"))
    }

    @Test func `a panel covers only the values that it holds`() throws {
        let systolic = pressure("Systolic", "118")
        let diastolic = pressure("Diastolic", "3", unit: "furlong")
        let run = try Run(of: systolic + diastolic + correlation("BloodPressure", systolic, diastolic))
        #expect(run.report.inPanels == 1)
        #expect(run.lines.last?.contains("\"value\":3,\"unit\":\"furlong\"") == true)
    }

    @Test func `what a correlation holds and its panel can't is counted by type`() throws {
        let systolic = pressure("Systolic", "118")
        let pulse = systolic.replacing("BloodPressureSystolic", with: "HeartRate").replacing("mmHg", with: "count/min")
        let insulin = pulse.replacing("HeartRate", with: "InsulinDelivery").replacing("count/min", with: "IU")
        let sugar = pulse.replacing("HeartRate", with: "DietarySugar").replacing("count/min", with: "g")
        let second = systolic.replacing("\"118\"", with: "\"121\"")
        let one = try Run(of: correlation("BloodPressure", systolic, second, pulse, pressure("Diastolic", "76")))
        let prefix = "HKQuantityTypeIdentifier"
        #expect(one.report.tally.unmapped.values == [prefix + "HeartRate": 1, prefix + "BloodPressureSystolic": 1])
        let other = try Run(of: correlation("Food", sugar, insulin))
        #expect(other.report.tally.unmapped.values == [prefix + "InsulinDelivery": 1])
    }

    /// A panel belongs to the selection that its own start is in, and its values go with it.
    @Test func `of two adjoining selections only one has a panel's values`() throws {
        let systolic = pressure("Systolic", "118").replacing("08:00:00", with: "07:59:59")
        let diastolic = pressure("Diastolic", "76")
        let body = systolic + diastolic + correlation("BloodPressure", systolic, diastolic)
        let cut = ExportDate.seconds("2024-06-01 08:00:00 +0100")
        #expect(try Run(of: body, options: .sample.with { $0.mapping.until = cut }).lines.isEmpty)
        let later = try Run(of: body, options: .sample.with { $0.mapping.since = cut })
        #expect(later.lines == (try Run(of: body).lines))
    }

    /// In a panel a value must be a pressure; alone it may be anything.
    @Test(arguments: [("inHg", [String: UInt64]()), ("furlong", ["other": 1])])
    func `a pressure in another unit is counted by what became of it`(_ unit: String, _ units: [String: UInt64]) throws
    {
        let (systolic, diastolic) = (pressure("Systolic", "118"), pressure("Diastolic", "3", unit: unit))
        let panel = correlation("BloodPressure", systolic, diastolic)
        let alone = try Run(of: panel).report
        #expect(alone.tally.unmapped.units == [:] && alone.tally.unmapped.values == ["other": 1])
        let both = try Run(of: panel + systolic + diastolic).report
        #expect(both.tally.unmapped.units == units && both.tally.unmapped.values == ["other": 1])
    }

    /// Only the records name the meter, and only they have entries about a value.
    @Test func `what only the records say about a blood pressure goes into the panel`() throws {
        func entry(_ key: String, _ value: String) -> String { "<MetadataEntry key=\"\(key)\" value=\"\(value)\"/>" }
        func said(_ kind: String, _ value: String, model: String, _ metadata: String) -> String {
            " <Record type=\"HKQuantityTypeIdentifierBloodPressure\(kind)\" sourceName=\"App\" unit=\"mmHg\""
                + " device=\"name:Meter, model:\(model)\" startDate=\"2024-06-01 08:00:00 +0100\""
                + " endDate=\"2024-06-01 08:00:00 +0100\" value=\"\(value)\">\(metadata)</Record>\n"
        }
        let both =
            entry("Arm", "left") + entry("HKTimeZone", "Europe/Paris") + entry("HKWasTakenInLab", "1")
            + entry("HKMetadataKeySyncIdentifier", "app-1") + entry("HKMetadataKeySyncVersion", "3")
        let clamped = entry("HKMetadataKeyQuantityClampedToUpperBound", "1")
        let high = entry("HKReferenceRangeUpperLimit", "130 mmHg")
        func run(_ otherModel: String?) throws -> Run {
            let systolic = said("Systolic", "260", model: "BP1", both + clamped + high)
            var diastolic = said("Diastolic", "80", model: otherModel ?? "none", both)
            if otherModel == nil { diastolic = diastolic.replacing("name:Meter, model:none", with: "") }
            return try Run(of: systolic + diastolic + correlation("BloodPressure", systolic, diastolic))
        }
        let agreed = try run("BP1")
        #expect(try agreed.observations.count == 1)
        #expect(try agreed.entries.count { $0.type == "Device" } == 2)
        let json = agreed.text
        #expect(json.contains(#""device":{"reference":"Device/"#))
        #expect(json.contains(#""value":260,"comparator":">=","unit":"mmHg""#))
        #expect(json.contains(#""referenceRange":[{"high":{"value":130,"unit":"mmHg""#))
        #expect(json.contains(#""value":80,"unit":"mmHg""#))
        #expect(json.contains(#""effectiveDateTime":"2024-06-01T09:00:00+02:00""#))
        #expect(json.ranges(of: #""valueString":"left""#).count == 1)
        #expect(json.ranges(of: #""code":"laboratory""#).count == 1)
        // A version means nothing without its identifier, which belongs to the value.
        #expect(!json.contains("Sync"))
        #expect(try run(nil).text.contains(#""device":{"reference":"Device/"#))
        // Of two devices the systolic value's is the panel's, and the other is counted.
        let two = try run("BP2")
        #expect(two.text.contains("BP1") && !two.text.contains("BP2"))
        #expect(two.text.contains(#""device":{"reference":"Device/"#))
        #expect(two.report.tally.unmapped.values == ["other": 1])
    }

    /// FHIR R4's `referenceRange` belongs to a value, which a panel does not have.
    @Test func `a reference range of the panel itself stays in the extension`() throws {
        let (systolic, diastolic) = (pressure("Systolic", "118"), pressure("Diastolic", "79"))
        let high = "<MetadataEntry key=\"HKReferenceRangeUpperLimit\" value=\"140 mmHg\"/>"
        let panel = correlation("BloodPressure", systolic, diastolic + high)
        let text = try Run(of: systolic + diastolic + panel).text
        #expect(!text.contains("referenceRange"))
        #expect(text.contains(#"{"url":"key","valueString":"HKReferenceRangeUpperLimit"}"#))
    }

    @Test(arguments: [("17.3 kPa", "129.761"), ("17.3", "129.761"), ("130 mmHg", "130")])
    func `a reference range has the unit of its component`(_ limit: String, _ value: String) throws {
        let systolic =
            " <Record type=\"HKQuantityTypeIdentifierBloodPressureSystolic\" sourceName=\"App\" unit=\"kPa\""
            + " startDate=\"2024-06-01 08:00:00 +0100\" endDate=\"2024-06-01 08:00:00 +0100\" value=\"16\">"
            + "<MetadataEntry key=\"HKReferenceRangeUpperLimit\" value=\"\(limit)\"/></Record>\n"
        let json = try Run(of: systolic + correlation("BloodPressure", systolic)).text
        #expect(json.contains(#""valueQuantity":{"value":120.01,"unit":"mmHg""#))
        let code = #""system":"http://unitsofmeasure.org","code":"mm[Hg]""#
        #expect(json.contains(#""referenceRange":[{"high":{"value":\#(value),"unit":"mmHg",\#(code)}}]"#))
    }

    @Test func `food never refers to what the options leave out`() throws {
        let food = Self.protein + correlation("Food", Self.protein)
        let alone = ConversionOptions.sample.with { $0.mapping.types = ["HKCorrelationTypeIdentifierFood"] }
        #expect(try Run(of: food, options: alone).lines.isEmpty)
        let both = alone.with { $0.mapping.types?.insert("HKQuantityTypeIdentifierDietaryProtein") }
        #expect(try Run(of: food, options: both).observations.count == 2)
        // A nutrient may be earlier than its meal, and be left out by itself.
        let early = Self.protein.replacing("08:00:00", with: "07:59:59")
        let since = ConversionOptions.sample.with { $0.mapping.since = ExportDate.seconds("2024-06-01 08:00:00 +0100") }
        #expect(try Run(of: early + correlation("Food", early), options: since).lines.isEmpty)
        #expect(try Run(of: early + correlation("Food", early)).observations.count == 2)
    }

    /// A server that checks references does not accept a panel before its members.
    @Test(arguments: [EntryForm.update, .resource])
    func `food comes after its nutrients, wherever they are in the file`(_ form: EntryForm) throws {
        let soup = correlation("Food", Self.protein)
        let drink = correlation("Food", Self.water, Self.sugar)
        for file in [soup + Self.protein, soup, soup + drink, soup + drink + Self.sugar + Self.protein + Self.water] {
            let run = try Run(of: file, options: .sample.with { $0.mapping.form = form })
            var known = ""
            for line in run.lines {
                for reference in line.matches(of: /"hasMember":\[([^\]]*)\]/).flatMap({
                    $0.1.matches(of: /h[0-9a-f]{32}/)
                }) {
                    #expect(known.contains("\"id\":\"\(reference.0)\""))
                }
                known += line
            }
            #expect(known.contains("hasMember"))
            #expect(run.report.writtenEarly == 0)
        }
    }

    @Test func `food that is twice in the file is written once`() throws {
        let food = correlation("Food", Self.protein)
        let run = try Run(of: food + record() + food + Self.protein)
        #expect(try run.observations.count == 3)
        #expect(run.report.duplicates == 2)
    }

    @Test func `food without a nutrient is left out and counted`() throws {
        let run = try Run(of: correlation("Food", record()))
        #expect(run.report.tally.unmapped.elements == ["Correlation": 1])
        #expect(run.lines.isEmpty)
    }

    @Test(arguments: [1, 3, 5, 400]) func `conditional creates keep food and its nutrients together`(most: Int) throws {
        let options = ConversionOptions.sample.with {
            $0.mapping.form = .conditionalCreate
            $0.limits.maximumEntryCount = most
        }
        let food = correlation("Food", Self.protein, Self.sugar, Self.water)
        let run = try Run(of: Self.protein + food + food + Self.water, options: options)
        let panels = try run.lines.map { try bundle($0) }.filter { bundle in
            bundle.entries.contains { $0.resource["hasMember"] != nil }
        }
        #expect(panels.count == 2)
        for panel in panels {
            #expect(panel.entries.map(\.type).sorted() == ["Device"] + Array(repeating: "Observation", count: 4))
        }
    }
}
