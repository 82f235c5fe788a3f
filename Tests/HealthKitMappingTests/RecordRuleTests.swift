import FHIRR4
import HealthKitMapping
import TestSupport
import Testing

/// How a record's value becomes an Observation's value, and what its digest covers.
struct RecordRuleTests {
    @Test(arguments: [
        ("0.97", "97"), ("0.9728", "97.28"), ("1", "100"), ("0", "0"), ("0.9700", "97.00"), ("1.0", "100"),
        ("0.00055", "0.055"), ("0.0", "0"), ("1.005", "100.5"), ("-0.07", "-7"), ("9.7e-1", "97"),
        ("0.123456789012345", "12.3456789012345"),
    ])
    func `a percentage is Apple's fraction times 100, exactly`(_ value: String, _ number: String) throws {
        let mapped = try mapOne(record("HKQuantityTypeIdentifierBodyFatPercentage", value: value, unit: "%"))
        #expect(mapped.json.contains("\"valueQuantity\":{\"value\":\(number),\"unit\":\"%\""))
    }

    /// If a type's usual percentages are small numbers, a percentage that an app wrote as such is small too.
    @Test(arguments: [
        ("BodyFatPercentage", "1.006"), ("OxygenSaturation", "1.2"), ("AppleWalkingSteadiness", "1.3"),
        ("AtrialFibrillationBurden", "1.4"), ("WalkingAsymmetryPercentage", "97"),
        ("WalkingDoubleSupportPercentage", "28.5"), ("BloodAlcoholContent", "0.08"),
        ("PeripheralPerfusionIndex", "1.2"), ("NobodyKnows", "1.51"),
    ])
    func `a number too large for a fraction is written as it is, without a code`(
        _ type: String,
        _ value: String
    ) throws {
        let mapped = try map(record("HKQuantityTypeIdentifier" + type, value: value, unit: "%"))
        #expect(mapped[0].value("valueQuantity") == "{\"value\":\(value),\"unit\":\"%\"}")
    }

    @Test(arguments: [
        ("BloodAlcoholContent", "0.01", "1"), ("PeripheralPerfusionIndex", "0.3", "30"), ("NobodyKnows", "1.5", "150"),
    ])
    func `each type has its own limit for fractions`(
        _ type: String,
        _ value: String,
        _ number: String
    ) throws {
        let mapped = try mapOne(record("HKQuantityTypeIdentifier" + type, value: value, unit: "%"))
        #expect(mapped.json.contains("\"valueQuantity\":{\"value\":\(number),\"unit\":\"%\",\"system\""))
    }

    @Test(arguments: [
        ("HKQuantityTypeIdentifierNobodyKnows", "activity"), ("HKCategoryTypeIdentifierNobodyKnows", "survey"),
        ("HKScoredAssessmentTypeIdentifierNobodyKnows", "survey"),
    ])
    func `of unknown types only quantities are activities`(_ type: String, _ category: String) throws {
        #expect(
            try mapOne(record(type, value: "1", unit: nil)).json.contains(
                "observation-category\",\"code\":\"\(category)\""
            )
        )
    }

    @Test(arguments: [
        "72", "72.50", "0", "-0.0", "1e3", "1.5E-3", "38.35598726669947", "0.0000000000001", "123456789012345678",
        "0.000000000123456789012345678", "1.2345678901234567e-05",
    ])
    func `a number is written as Apple wrote it`(_ value: String) throws {
        let mapped = try mapOne(record(value: value))
        #expect(mapped.json.contains("\"valueQuantity\":{\"value\":\(value),"))
    }

    @Test(arguments: [
        ("1234567890123456789", "123456789012345679e1"), ("1.234567890123456789", "1.23456789012345679"),
        ("12345678901234567890123", "123456789012345679e5"), ("1234567890.12345678901234", "1234567890.12345679"),
        ("1.0000000000000000000", "1.00000000000000000"), ("-0.1000000000000000005000", "-0.100000000000000000"),
    ])
    func `a number of more than 18 digits is rounded to 18, FHIR's limit`(_ value: String, _ number: String) throws {
        let mapped = try mapOne(record("HKQuantityTypeIdentifierStepCount", value: value, unit: "count"))
        #expect(mapped.json.contains("\"valueQuantity\":{\"value\":\(number),"))
    }

    @Test(arguments: [
        ("OxygenSaturation", "%", "0.9712345678901234567", "97.1234567890123457"),
        ("BodyTemperature", "K", "0.111111111111111111", "-273.038888888888889"),
        ("BodyTemperature", "K", "310.15", "37.00"), ("OxygenSaturation", "%", "0.970", "97.0"),
    ])
    func `a converted number is rounded too`(_ type: String, _ unit: String, _ value: String, _ number: String) throws {
        let mapped = try mapOne(record("HKQuantityTypeIdentifier" + type, value: value, unit: unit))
        #expect(mapped.json.contains("\"valueQuantity\":{\"value\":\(number),"), "\(mapped.json)")
    }

    @Test(arguments: ["seventy", "72,5", "+72", ".5", "72.", "0072", "NaN", "1e1000", "0x10", "1 2", "٣"])
    func `text that is not a number is written as a string`(_ value: String) throws {
        let mapped = try mapOne(record(value: value))
        let unit = try mapOne(record()).value("unit")?.dropFirst() ?? "?"
        #expect(mapped.value("valueString") == "\"\(value) \(unit)")
        #expect(mapped.value("valueQuantity") == nil)
    }

    /// Apple's `%` holds fractions: `0,97 %` would mean one hundredth of it.
    @Test(arguments: [
        ("mmol&lt;180.1558800000541&gt;/L", "5,4 mmol/L"), ("jigger", "5,4 jigger"), ("%", "5,4"), (" ", "5,4"),
        (nil, "5,4"),
    ])
    func `a number that can't be read keeps its unit in the text`(_ unit: String?, _ text: String) throws {
        let mapped = try mapOne(record("HKQuantityTypeIdentifierBloodGlucose", value: "5,4", unit: unit))
        #expect(mapped.value("valueString") == "\"\(text)\"")
    }

    @Test(arguments: [nil, "", " ", "   "])
    func `a missing or blank value gives a dataAbsentReason`(_ value: String?) throws {
        for mapped in [try mapOne(record(value: value)), try mapOne(category("Headache", value))] {
            #expect(mapped.json.contains("\"dataAbsentReason\":{\"coding\":[{\"system\":"))
            #expect(!mapped.json.contains("\"value" + "String"))
        }
    }

    @Test func `only what JSON requires is escaped in text`() throws {
        let mapped = try mapOne(record(value: "a &quot;b&quot; \\ c &amp; é \u{2028}", unit: nil))
        #expect(mapped.value("valueString")?.hasPrefix("\"a \\\"b\\\" \\\\ c & é \u{2028}") == true)
    }

    @Test func `an unknown unit is written as it is, without a code`() throws {
        let mapped = try mapOne(record(value: "3", unit: "furlong"))
        #expect(mapped.json.contains("\"valueQuantity\":{\"value\":3,\"unit\":\"furlong\"}"))
    }

    @Test func `an event is true, and an unknown value of it is text`() throws {
        for value in [nil, "", "HKCategoryValueNotApplicable", "0"] {
            #expect(try mapOne(category("HighHeartRateEvent", value)).value("valueBoolean") == "true")
        }
        let unknown = try mapOne(category("HighHeartRateEvent", "HKCategoryValueOfTomorrow"))
        #expect(unknown.json.contains("\"valueCodeableConcept\":{\"text\":\"HKCategoryValueOfTomorrow\"}"))
    }

    @Test func `an unknown type keeps Apple's code and its value`() throws {
        let mapped = try mapOne(record("HKQuantityTypeIdentifierOfTomorrow", value: "3", unit: "count/min"))
        #expect(
            mapped.json.contains(
                "\"code\":{\"coding\":[{\"system\":\"http://developer.apple.com/documentation/healthkit\","
                    + "\"code\":\"HKQuantityTypeIdentifierOfTomorrow\"}]}"
            )
        )
        #expect(mapped.json.contains("\"value\":3"))
        #expect(mapped.json.contains("observation-category\",\"code\":\"activity\""))
    }

    @Test func `white space in a type is normalized for a FHIR code`() throws {
        #expect(try mapOne(record("  an  odd\u{20}type ")).json.contains("\"code\":\"an odd type\""))
    }

    // MARK: Digests

    @Test(arguments: [
        record(value: "60.0"), record(value: "1", unit: "count/s"), record(version: "1"), record(unit: "rpm"),
        record(device: "&lt;&lt;HKDevice: 0x1&gt;, model:M&gt;"), record(metadata: [("a", "")]),
        record(metadata: [("HKTimeZone", "Europe/Paris")]), record(metadata: [("a", "1"), ("b", "2")]),
    ])
    func `a change of the bytes that leaves the id changes the digest`(_ other: String) throws {
        #expect(try mapOne(other).id == mapOne(record()).id)
        #expect(try mapOne(other).digest != mapOne(record()).digest)
    }

    @Test func `the order and repetition of metadata do not change the digest`() throws {
        let pairs = [("b", "2"), ("a", "1"), ("a", "0"), ("ab", "")]
        let one = try mapOne(record(metadata: pairs)).digest
        #expect(try mapOne(record(metadata: pairs.reversed())).digest == one)
        #expect(try mapOne(record(metadata: pairs + pairs)).digest == one)
        #expect(try mapOne(record(metadata: Array(pairs.dropLast()))).digest != one)
    }

    @Test func `a creation date or a pointer changes neither id nor digest nor bytes`() throws {
        let one = try mapOne(record(device: "&lt;&lt;HKDevice: 0x1&gt;, model:M&gt;"))
        let other = try mapOne(
            record(device: "&lt;&lt;HKDevice: 0x2abc&gt;, model:M&gt;")
                .replacing(" startDate", with: " creationDate=\"2024-06-09 08:00:00 +0100\" startDate")
        )
        #expect(one.id == other.id)
        #expect(one.digest == other.digest)
        #expect(one.json == other.json)
    }

    @Test func `records inside other elements are not written`() throws {
        let correlation =
            " <Correlation type=\"HKCorrelationTypeIdentifierFood\" sourceName=\"A\""
            + " startDate=\"2024-06-01 08:00:00 +0100\" endDate=\"2024-06-01 08:00:00 +0100\">\n\(record())"
            + " </Correlation>\n"
        #expect(try map(correlation).isEmpty)
        #expect(try map(correlation + record()).count == 1)
    }
}
