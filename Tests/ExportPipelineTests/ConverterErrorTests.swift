import ExportPipeline
import Foundation
import HealthKitMapping
import TestSupport
import Testing

/// Errors that other converters of HealthKit data make, and ours does not.
///
/// Wrong codes are in `ProfilesFilesTests`, units that are not UCUM in `ProfilesUnitTests`, fractions taken for
/// percentages and the like in `ConverterTrapTests`.
struct ConverterErrorTests {
    /// The sample of everything with all options, and every type with each of its values.
    private static let runs: [Run] = {
        let options = ConversionOptions.sample.with {
            $0.mapping.includesPatient = true
            $0.mapping.includesRoutes = true
            $0.mapping.summarizes = true
        }
        return [Samples.kitchenSink, "all-quantity-types", "all-category-types"].compactMap {
            try? Run(Samples.path($0), options: options)
        }
    }()

    private func observations() throws -> [Entry] {
        let observations = try Self.runs.flatMap { try $0.observations }
        try #require(observations.count > 800)
        return observations
    }

    @Test func `an Observation says what it is, whose it is and which state it has`() throws {
        for entry in try observations() {
            for key in ["status", "category", "code", "subject", "performer", "identifier"] {
                #expect(entry.resource[key] != nil, "\(entry.id): no \(key)")
            }
        }
    }

    @Test func `an Observation has a value, members, components or a reason for their absence, and one value at most`()
        throws
    {
        for entry in try observations() {
            let values = entry.resource.keys.filter { $0.hasPrefix("value") || $0 == "dataAbsentReason" }
            #expect(values.count <= 1, "\(entry.id)")
            let parts = entry.resource.keys.filter { ["hasMember", "component"].contains($0) }
            #expect(!values.isEmpty || !parts.isEmpty, "\(entry.id)")
        }
    }

    @Test func `a system is an absolute URI, and one system has one URI`() throws {
        let systems = Set(try Self.runs.flatMap { try $0.entries }.flatMap { Self.texts("system", in: $0.resource) })
        #expect(systems.count > 30)
        for system in systems {
            let scheme = system.prefix { $0 != ":" }
            #expect(["http", "https", "urn"].contains(scheme), "\(system)")
        }
        let names = systems.map { $0.replacing("https://", with: "http://").lowercased() }
        #expect(Set(names).count == systems.count)
    }

    @Test func `no value repeats the type's identifier`() throws {
        for entry in try observations() {
            let text = entry.resource["valueString"] as? String
            #expect(text?.hasPrefix("HKCategoryTypeIdentifier") != true, "\(entry.id)")
        }
        let event = try Run(of: record("HKCategoryTypeIdentifierLowHeartRateEvent", value: nil, unit: nil))
        #expect(event.text.contains("\"valueBoolean\":true"))
    }

    @Test(arguments: [
        ("HighHeartRateEvent", ["HKHeartRateEventThreshold": "120 count/min"]),
        ("LowHeartRateEvent", ["HKHeartRateEventThreshold": "40 count/min"]),
        (
            "LowCardioFitnessEvent",
            ["HKLowCardioFitnessEventThreshold": "28 mL/min·kg", "HKVO2MaxValue": "27.1 mL/min·kg"]
        ),
    ])
    func `an event's threshold is not coded as a measurement, and no two components share a code`(
        _ type: String,
        _ metadata: [String: String]
    ) throws {
        let run = try Run(
            of: record("HKCategoryTypeIdentifier" + type, value: nil, unit: nil, metadata: metadata.map { ($0, $1) })
        )
        let components = try run.observations[0].resource["component"] as? [any Sendable] ?? []
        let codes = components.map { component in
            Self.texts("code", in: (component as? [String: any Sendable])?["code"] ?? "")
        }
        #expect(codes.count == metadata.count)
        #expect(Set(codes).count == codes.count)
        for wrong in ["8867-4", "HKQuantityTypeIdentifierHeartRate", "HKQuantityTypeIdentifierVO2Max", "60842-2"] {
            #expect(!codes.joined().contains(wrong))
        }
    }

    @Test(arguments: ["IrregularHeartRhythmEvent", "HypertensionEvent", "SleepApneaEvent", "LowCardioFitnessEvent"])
    func `an event is coded as Apple's notification, not as a diagnosis`(_ type: String) throws {
        let run = try Run(of: record("HKCategoryTypeIdentifier" + type, value: nil, unit: nil))
        let code = try #require(try run.observations.first?.resource["code"])
        #expect(Self.texts("code", in: code) == ["HKCategoryTypeIdentifier" + type])
    }

    /// Codes that look right for a type and are not.
    @Test(arguments: [
        ("AppleSleepingWristTemperature", "degC", "8310-5"),
        ("AppleSleepingBreathingDisturbances", "count", "69990-0"),
        ("HeartRateVariabilitySDNN", "ms", "80405-4"),
        ("ActiveEnergyBurned", "kcal", "41979-6"),
        ("StepCount", "count", "41950-7"),
        ("DietaryProtein", "g", "81131-5"),
        ("FlightsClimbed", "count", "55411-3"),
    ])
    func `a type lacks the code of what only looks like it`(_ type: String, _ unit: String, _ wrong: String) throws {
        let run = try Run(of: record("HKQuantityTypeIdentifier" + type, value: "1", unit: unit))
        #expect(try !Self.texts("code", in: run.observations[0].resource["code"] ?? "").contains(wrong))
        #expect(!run.text.contains("StructureDefinition/bodytemp"))
    }

    @Test(arguments: [
        ("BodyMass", "70.5", "kg", "kg"), ("Height", "172", "cm", "cm"), ("AppleExerciseTime", "12", "min", "min"),
        ("AppleStandTime", "4", "min", "min"), ("StepCount", "1", "count", "{steps}"),
        ("EnvironmentalAudioExposure", "71.4", "dBASPL", "dB[SPL]"), ("BloodPressureSystolic", "118", "mmHg", "mm[Hg]"),
    ])
    func `a number stays in the unit that it was written in`(
        _ type: String,
        _ value: String,
        _ unit: String,
        _ code: String
    ) throws {
        let run = try Run(of: record("HKQuantityTypeIdentifier" + type, value: value, unit: unit))
        #expect(run.text.contains("\"valueQuantity\":{\"value\":\(value),\"unit\":"))
        #expect(run.text.contains("\"system\":\"http://unitsofmeasure.org\",\"code\":\"\(code)\"}"))
    }

    @Test func `an electrocardiogram is one lead in one piece, with the file's sample rate`() throws {
        let run = try Run(Samples.path("electrocardiogram-english"))
        let components = try run.observations[0].resource["component"] as? [any Sendable] ?? []
        let leads = components.compactMap { component in
            (component as? [String: any Sendable])?["valueSampledData"] as? [String: any Sendable]
        }
        #expect(leads.count == 1)
        // 1000 / 512 milliseconds for each sample.
        #expect(leads.first?["period"] as? String == "1.953125")
    }

    @Test func `a sleep stage is written as a stage, whatever else covers the night`() throws {
        let run = try Run(
            of: ["InBed", "AsleepCore", "Awake"].map {
                record(
                    "HKCategoryTypeIdentifierSleepAnalysis",
                    value: "HKCategoryValueSleepAnalysis" + $0,
                    unit: nil,
                    end: "2024-06-01 09:00:00 +0100"
                )
            }.joined()
        )
        #expect(try run.observations.count == 3)
        #expect(!run.text.contains("valueQuantity"))
    }

    /// The texts under one key, at any depth.
    private static func texts(_ key: String, in value: any Sendable) -> [String] {
        switch value {
        case let object as [String: any Sendable]:
            object.flatMap { name, held in
                name == key ? [held as? String].compactMap(\.self) : texts(key, in: held)
            }
        case let array as [any Sendable]: array.flatMap { texts(key, in: $0) }
        default: []
        }
    }
}
