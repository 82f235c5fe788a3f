import FHIRR4
import Foundation
import HealthExport
import HealthKitMapping
import Testing

/// What a clamped threshold leaves out is kept in extensions: docs/audiograms.md.
struct AudiogramTests {
    private static func entry(_ key: String, _ value: String) -> String {
        "{\"url\":\"http://pghd.invalid/StructureDefinition/healthkit-metadata-entry\",\"extension\":[{\"url\":\"key\",\"valueString\":"
            + "\"leftEar\(key)\"},{\"url\":\"value\",\"valueString\":\"\(value)\"}]}"
    }

    /// A component at 1500 Hz, for which LOINC has no code.
    private static func component(_ kept: [String], _ value: String) -> String {
        let extensions = kept.isEmpty ? "" : "\"extension\":[\(kept.joined(separator: ","))],"
        return "\"component\":[{\(extensions)\"code\":{\"coding\":[{\"system\":"
            + "\"http://developer.apple.com/documentation/healthkit\","
            + "\"code\":\"HKAudiogramSensitivityPoint.leftEarSensitivity.1500Hz\","
            + "\"display\":\"Hearing threshold, left ear, 1500 Hz\"}],\"text\":\"Hearing threshold, left ear, 1500 Hz\"},"
            + "\"valueQuantity\":{\(value),\"unit\":\"dB HL\",\"system\":\"http://unitsofmeasure.org\",\"code\":\"dB\"}}]"
    }

    private func test(
        _ point: [(String, String?)],
        options: MappingOptions = MappingOptions(patientID: "p1", form: .resource)
    ) throws -> MappedElements {
        try map([Self.point("1500", point)], options: options)
    }

    private static func point(_ frequency: String, _ ear: [(String, String?)]) -> HealthElement {
        var whole = element(.sensitivityPoint, ["frequencyValue": frequency, "frequencyUnit": "Hz"])
        whole.attributes += ear.compactMap { name, text in
            text.map { HealthElement.Attribute("leftEar" + name, $0) }
        }
        return whole
    }

    private func map(
        _ points: [HealthElement],
        options: MappingOptions = MappingOptions(patientID: "p1", form: .resource)
    ) throws -> MappedElements {
        let time = "2024-06-01 08:00:00 +0100"
        return try mapElement(
            element(
                .audiogram,
                ["type": "HKDataTypeIdentifierAudiogram", "sourceName": "A", "startDate": time, "endDate": time],
                points
            ),
            options: options
        )
    }

    /// What is written for a threshold, and the extension entries that are kept, by key and value.
    struct Case: Sendable {
        var value: String
        var lower: String?
        var upper: String?
        var written: String
        var kept: [[String]]
    }

    @Test(arguments: [
        Case(value: "15", written: "\"value\":15", kept: []),
        Case(
            value: "15",
            lower: "-10",
            upper: "85",
            written: "\"value\":15",
            kept: [["ClampingRangeLowerBound", "-10"], ["ClampingRangeUpperBound", "85"]]
        ),
        Case(value: "-10.0", lower: "-10", written: "\"value\":-10,\"comparator\":\"<=\"", kept: []),
        Case(
            value: "-12",
            lower: "-10",
            upper: "85",
            written: "\"value\":-10,\"comparator\":\"<=\"",
            kept: [["Value", "-12"], ["ClampingRangeUpperBound", "85"]]
        ),
        Case(
            value: "87.5",
            lower: "-10",
            upper: "85",
            written: "\"value\":85,\"comparator\":\">=\"",
            kept: [["Value", "87.5"], ["ClampingRangeLowerBound", "-10"]]
        ),
        Case(
            value: "15",
            lower: "low",
            written: "\"value\":15",
            kept: [["ClampingRangeLowerBound", "low"]]
        ),
    ])
    func `a clamped threshold is written as its bound, and the number and the other bound are kept`(
        _ test: Case
    ) throws {
        let point = [
            ("Value", test.value), ("Unit", "dBHL"), ("ClampingRangeLowerBound", test.lower),
            ("ClampingRangeUpperBound", test.upper),
        ]
        let json = try #require(try self.test(point).json.last)
        let kept = test.kept.map { Self.entry($0[0], $0[1]) }
        #expect(json.contains(Self.component(kept, test.written)))
    }

    @Test func `points are ordered by frequency, and frequencies with similar digits stay distinct`() throws {
        let points = [("1000.51", "5"), ("1000.5", "15"), ("1000", "20")].map { frequency, value in
            Self.point(frequency, [("Value", value), ("Unit", "dBHL")])
        }
        let json = try #require(try map(points).json.last)
        let values = json.components(separatedBy: "\"valueQuantity\":{\"value\":").dropFirst()
        #expect(values.map { $0.prefix { $0 != "," } } == ["20", "15", "5"])
    }

    @Test func `a masking flag that is neither yes nor no is kept as text`() throws {
        let json = try #require(try test([("Value", "15"), ("Unit", "dBHL"), ("Masked", "perhaps")]).json.last)
        #expect(json.contains(Self.component([Self.entry("Masked", "perhaps")], "\"value\":15")))
        var silent = MappingOptions(patientID: "p1", form: .resource)
        silent.keepsMetadata = false
        let plain = try test([("Value", "15"), ("Unit", "dBHL"), ("Masked", "perhaps")], options: silent)
        #expect(try #require(plain.json.last).contains(Self.component([], "\"value\":15")))
    }

    @Test(arguments: ["Unit", "ClampingRangeLowerBound", "ClampingRangeUpperBound", "Masked"])
    func `whatever is said about an ear without a threshold, it is counted`(_ name: String) throws {
        #expect(try test([(name, "1")]).tally.unmapped.values == ["other": 1])
    }

    @Test func `an ear with everything but the threshold is counted`() throws {
        let mapped = try test([("Unit", "dBHL"), ("Masked", "1")])
        #expect(
            mapped.tally.unmapped.values == [MappingTally.reportable(""): 1]
                && mapped.tally.unmapped.elements == ["Audiogram": 1]
        )
        let without = try test([])
        #expect(without.tally.unmapped.values.isEmpty && without.tally.unmapped.elements == ["Audiogram": 1])
    }
}
