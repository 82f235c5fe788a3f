import FHIRR4
import Foundation
import HealthExport
import HealthKitMapping
import TestSupport
import Testing

/// Where each entry of a record's metadata goes: docs/metadata.md.
struct MetadataRuleTests {
    private static let extensionURL = "http://pghd.invalid/StructureDefinition/healthkit-metadata-entry"

    private static func entry(_ key: String, _ value: String) -> String {
        "{\"url\":\"\(extensionURL)\",\"extension\":[{\"url\":\"key\",\"valueString\":\"\(key)\"},"
            + "{\"url\":\"value\",\(value)}]}"
    }

    private static func apple(_ system: String, _ code: String, _ display: String) -> String {
        "{\"system\":\"https://developer.apple.com/documentation/healthkit/\(system)\",\"code\":\"\(code)\","
            + "\"display\":\"\(display)\"}"
    }

    @Test(arguments: [
        (
            "HKMetadataKeyHeartRateMotionContext", "1",
            entry(
                "HKMetadataKeyHeartRateMotionContext",
                "\"valueCodeableConcept\":{\"coding\":[\(apple("hkheartratemotioncontext", "1", "sedentary"))],\"text\":\"sedentary\"}"
            )
        ),
        (
            "HKMetadataKeyHeartRateMotionContext", "9",
            entry("HKMetadataKeyHeartRateMotionContext", "\"valueString\":\"9\"")
        ),
        ("HKWasUserEntered", "1", entry("HKWasUserEntered", "\"valueBoolean\":true")),
        ("HKWasUserEntered", "yes", entry("HKWasUserEntered", "\"valueString\":\"yes\"")),
        ("an app's own", "a &lt; b", entry("an app's own", "\"valueString\":\"a < b\"")),
        (
            "HKWeatherHumidity", "6900 %",
            entry(
                "HKWeatherHumidity",
                "\"valueQuantity\":{\"value\":69,\"unit\":\"%\",\"system\":\"http://unitsofmeasure.org\",\"code\":\"%\"}"
            )
        ),
        (
            "HKWeatherHumidity", "56 %",
            entry(
                "HKWeatherHumidity",
                "\"valueQuantity\":{\"value\":56,\"unit\":\"%\",\"system\":\"http://unitsofmeasure.org\",\"code\":\"%\"}"
            )
        ),
        ("HKAlgorithmVersion", "2", entry("HKAlgorithmVersion", "\"valueString\":\"2\"")),
        ("when", "2024-06-01 08:00:00 +0100", entry("when", "\"valueDateTime\":\"2024-06-01T07:00:00Z\"")),
    ])
    func `an entry without its own place in a vital sign becomes an extension`(
        _ key: String,
        _ value: String,
        _ wanted: String
    ) throws {
        let mapped = try mapOne(record(metadata: [(key, value)]))
        #expect(mapped.json.contains(wanted))
        #expect(!mapped.json.contains("\"component\""))
        // Apart from that entry nothing changes.
        #expect(mapped.json.replacing("," + wanted, with: "") == (try mapOne(record()).json))
        var options = MappingOptions(patientID: "p1", form: .resource)
        options.keepsMetadata = false
        #expect(try mapOne(record(metadata: [(key, value)]), options: options).json == (try mapOne(record()).json))
    }

    @Test(arguments: [
        (
            "HKBloodGlucoseMealTime", "2",
            "\"component\":[{\"code\":{\"coding\":[{\"system\":\"urn:iso:std:iso:11073:10101\",\"code\":\"8417864\""
        ),
        (
            "HKMetadataKeyQuantityClampedToUpperBound", "1",
            "\"valueQuantity\":{\"value\":90,\"comparator\":\">=\",\"unit\""
        ),
        (
            "HKMetadataKeyQuantityClampedToLowerBound", "1",
            "\"valueQuantity\":{\"value\":90,\"comparator\":\"<=\",\"unit\""
        ),
        ("HKReferenceRangeLowerLimit", "70 mg/dL", "\"referenceRange\":[{\"low\":{\"value\":70,\"unit\":\"mg/dL\","),
        (
            "HKExternalUUID", "u-1",
            "},{\"use\":\"secondary\",\"type\":{\"text\":\"HKExternalUUID\"},\"value\":\"u-1\"}],\"status\""
        ),
    ])
    func `an entry that FHIR has a place for goes there`(_ key: String, _ value: String, _ wanted: String) throws {
        let glucose = record(
            "HKQuantityTypeIdentifierBloodGlucose",
            value: "90",
            unit: "mg/dL",
            metadata: [(key, value)]
        )
        let mapped = try mapOne(glucose)
        #expect(mapped.json.contains(wanted))
        #expect(!mapped.json.contains(Self.extensionURL))
    }

    @Test(arguments: [("1", "8417868"), ("2", "8417872")])
    func `a glucose's meal is coded by HL7's device guide first, then by Apple`(_ number: String, _ code: String) throws
    {
        let glucose = record(
            "HKQuantityTypeIdentifierBloodGlucose",
            value: "90",
            unit: "mg/dL",
            metadata: [("HKBloodGlucoseMealTime", number)]
        )
        let answer =
            "\"valueCodeableConcept\":{\"coding\":[{\"system\":\"urn:iso:std:iso:11073:10101\",\"code\":\"\(code)\""
        #expect(try mapOne(glucose).json.contains(answer))
    }

    @Test func `a headphone gain is a difference of levels, and an exposure is a level`() throws {
        let keys = ["HKMetadataKeyHeadphoneGain", "HKMetadataKeyAudioExposureLevel"]
        let type = "HKQuantityTypeIdentifierHeadphoneAudioExposure"
        let heard = record(type, value: "75", unit: "dBASPL", metadata: keys.map { ($0, "-3.5 dBASPL") })
        let json = try mapOne(heard).json
        let ucum = "\"system\":\"http://unitsofmeasure.org\",\"code\":"
        #expect(json.contains("\"valueQuantity\":{\"value\":-3.5,\"unit\":\"dB\",\(ucum)\"dB\"}"))
        #expect(json.contains("\"valueQuantity\":{\"value\":-3.5,\"unit\":\"dB(A) SPL\",\(ucum)\"dB[SPL]\"}"))
    }

    @Test func `a serial number and a UDI belong to the Device and make it another one`() throws {
        let device = "&lt;&lt;HKDevice: 0x1&gt;, name:Meter, manufacturer:Maker, model:M1&gt;"
        let plain = try mapOne(record(device: device))
        let marked = try mapOne(
            record(device: device, metadata: [("HKDeviceSerialNumber", "S1"), ("HKUDIDeviceIdentifier", "0123")])
        )
        #expect(plain.id == marked.id)
        #expect(plain.device?.contains("serialNumber") == false)
        #expect(marked.device?.contains("\"serialNumber\":\"S1\"") == true)
        #expect(marked.device?.contains("\"udiCarrier\":[{\"deviceIdentifier\":\"0123\"}]") == true)
        #expect(plain.value("device") != marked.value("device"))
        #expect(plain.value("valueQuantity") == marked.value("valueQuantity"))
    }

    @Test func `a UDI that differs from the device text's becomes an extension`() throws {
        let device = "&lt;&lt;HKDevice: 0x1&gt;, name:Meter, model:M1, UDIDeviceIdentifier:0123&gt;"
        let json = try mapOne(record(device: device, metadata: [("HKUDIDeviceIdentifier", "4567")])).json
        #expect(json.contains(Self.entry("HKUDIDeviceIdentifier", "\"valueString\":\"4567\"")))
        let other = try mapOne(record(device: "x", metadata: [("HKUDIDeviceIdentifier", "4567")])).json
        #expect(!other.contains(Self.extensionURL))
    }

    @Test func `a laboratory is an additional category, or an extension if the type is laboratory anyway`() throws {
        let taken = [("HKWasTakenInLab", "1")]
        let category = "\"code\":\"laboratory\""
        let said = Self.entry("HKWasTakenInLab", "\"valueBoolean\":true")
        let rate = try mapOne(record(metadata: taken)).json
        #expect(rate.contains(category) && !rate.contains(said))
        let type = "HKQuantityTypeIdentifierBloodGlucose"
        let glucose = try mapOne(record(type, value: "90", unit: "mg/dL", metadata: taken)).json
        #expect(glucose.split(separator: category).count == 2 && glucose.contains(said))
    }

    @Test func `the order and repetition of entries change nothing`() throws {
        let entries = [("b", "1"), ("a", "2"), ("HKWasUserEntered", "1")]
        let once = try mapOne(record(metadata: entries))
        let doubled = try mapOne(record(metadata: entries.reversed() + entries))
        #expect(once.json == doubled.json)
        #expect(once.digest == doubled.digest)
    }

    /// U+212A KELVIN SIGN equals K when texts are compared, but not when bytes are.
    @Test(arguments: ["TimeZone", "ExternalUUID", "WasTakenInLab", "ReferenceRangeLowerLimit"])
    func `a key that only looks like Apple's is another app's key`(_ name: String) throws {
        let key = "H\u{212A}\(name)"
        for entries in [[(key, "1")], [(key, "1"), (key, "1")]] {
            let kept = Self.entry(key, "\"valueString\":\"1\"")
            #expect(try mapOne(record(metadata: entries)).json.utf8.contains(kept.utf8))
        }
    }

    @Test func `texts that look the same but have other bytes are two entries`() throws {
        let mapped = try mapOne(record(metadata: [("a", "\u{E9}"), ("a", "e\u{301}")]))
        #expect(mapped.json.split(separator: "\"valueString\":\"a\"").count == 3)
    }

    @Test func `a date in metadata has the same digest whatever the day of export`() throws {
        let winter = try mapOne(record(metadata: [("when", "2024-06-01 08:00:00 +0000")]))
        let summer = try mapOne(record(metadata: [("when", "2024-06-01 09:00:00 +0100")]))
        let later = try mapOne(record(metadata: [("when", "2024-06-01 09:00:01 +0100")]))
        #expect(winter.digest == summer.digest)
        #expect(winter.json == summer.json)
        #expect(winter.digest != later.digest)
    }

    @Test func `metadata that occurred before is written the same`() throws {
        let one = record(metadata: [("HKMetadataKeyHeartRateMotionContext", "2")])
        let other = record(start: "2024-06-01 08:05:00 +0100", metadata: [("HKExternalUUID", "u")])
        let many = try map(one + other + one + other + one)
        #expect(many[0].json == many[2].json)
        #expect(many[2].json == many[4].json)
        #expect(many[1].json == many[3].json)
        #expect(many[0].json == (try mapOne(one).json))
    }

    @Test(arguments: [
        ("HKMetadataKeyQuantityClampedToLowerBound", ["true"], ["true"]),
        ("HKMetadataKeyQuantityClampedToUpperBound", ["1", "yes"], ["yes"]),
        ("HKReferenceRangeLowerLimit", ["abc"], ["abc"]), ("HKReferenceRangeUpperLimit", ["1,5 mg/dL"], ["1,5 mg/dL"]),
        ("HKWasTakenInLab", ["yes"], ["yes"]), ("HKWasTakenInLab", ["0"], []),
        ("HKTimeZone", ["GMT-0700"], ["GMT-0700"]), ("HKTimeZone", ["europe/paris"], ["europe/paris"]),
        ("HKTimeZone", ["Europe/Paris"], []), ("HKTimeZone", ["Europe/Paris", "Asia/Tokyo"], ["Asia/Tokyo"]),
        ("HKDeviceSerialNumber", ["SN2", "SN1"], ["SN1"]),
    ])
    func `a value that does not fit is written as text`(_ key: String, _ values: [String], _ kept: [String]) throws {
        let glucose = record(
            "HKQuantityTypeIdentifierBloodGlucose",
            value: "55",
            unit: "mg/dL",
            metadata: values.map { (key, $0) }
        )
        let json = try mapOne(glucose).json
        #expect(json.components(separatedBy: "\"valueString\":\"\(key)\"").count == kept.count + 1)
        for text in kept { #expect(json.contains(Self.entry(key, "\"valueString\":\"\(text)\""))) }
        // A neighbour with the same entry is no reason to leave it out.
        #expect(try map(glucose + glucose).map(\.json) == [json, json])
    }

    @Test func `the second of two clamps is kept as an extension, and so is the second of two bounds`() throws {
        let json = try mapOne(
            record(
                value: "60",
                metadata: [
                    ("HKMetadataKeyQuantityClampedToUpperBound", "1"),
                    ("HKMetadataKeyQuantityClampedToLowerBound", "1"),
                    ("HKReferenceRangeLowerLimit", "50 count/min"), ("HKReferenceRangeLowerLimit", "55 count/min"),
                ]
            )
        ).json
        #expect(json.contains("\"comparator\":\"<=\""))
        #expect(json.contains(Self.entry("HKMetadataKeyQuantityClampedToUpperBound", "\"valueBoolean\":true")))
        #expect(json.contains(ReferenceRangeTests.low("55", "beats/minute", code: "/min")))
        #expect(json.contains("\"valueString\":\"HKReferenceRangeLowerLimit\""))
    }

    /// An armpit must not become a wrist.
    @Test func `of two sites under one key the greater is the body site, but of two keys' sites none is`() throws {
        let temperature = "HKQuantityTypeIdentifierBodyTemperature"
        func sites(_ metadata: [(String, String)]) throws -> String {
            try mapOne(record(temperature, value: "37", unit: "degC", metadata: metadata)).json
        }
        let (armpit, wrist) = (("HKBodyTemperatureSensorLocation", "1"), ("HKHeartRateSensorLocation", "2"))
        let ear = ("HKBodyTemperatureSensorLocation", "3")
        #expect(try sites([armpit]).contains("\"bodySite\""))
        let both = try sites([armpit, wrist])
        #expect(!both.contains("\"bodySite\""))
        for (key, _) in [armpit, wrist] { #expect(both.contains("\"valueString\":\"\(key)\"")) }
        let twice = try sites([armpit, ear])
        #expect(twice.contains("\"bodySite\"") && twice.contains("\"valueString\":\"\(ear.0)\""))
        #expect(try sites([ear, armpit]) == twice)
        // A value outside the enumeration claims no place.
        #expect(try sites([armpit, (wrist.0, "99")]).contains("\"bodySite\""))
    }

    /// A blood pressure whose two values have metadata.
    private static func pressure(_ entries: [[(String, String)]]) -> HealthElement {
        let time = "2024-06-18 08:00:00 +0000"
        let values = zip([("Systolic", "120"), ("Diastolic", "80")], entries).map { named, entries in
            element(
                .record,
                [
                    "type": "HKQuantityTypeIdentifierBloodPressure" + named.0, "unit": "mmHg", "value": named.1,
                    "sourceName": "O", "startDate": time, "endDate": time,
                ],
                entries.map { metadata($0.0, $0.1) }
            )
        }
        return element(
            .correlation,
            [
                "type": "HKCorrelationTypeIdentifierBloodPressure", "sourceName": "O", "startDate": time,
                "endDate": time,
            ],
            values
        )
    }

    @Test(arguments: [(["Europe/Paris", "Asia/Tokyo"], ["Asia/Tokyo"]), (["Asia/Tokyo", "Asia/Tokyo"], [])])
    func `a blood pressure uses the first time zone of its values and keeps the other`(
        _ zones: [String],
        _ kept: [String]
    ) throws {
        let json = try #require(
            try mapElement(Self.pressure([[("HKTimeZone", zones[0])], [("HKTimeZone", zones[1])]])).json.last
        )
        #expect(json.contains("\"valueCode\":\"\(zones[0])\""))
        #expect(json.components(separatedBy: "HKTimeZone").count == kept.count + 1)
        for zone in kept { #expect(json.contains(Self.entry("HKTimeZone", "\"valueString\":\"\(zone)\""))) }
    }

    @Test func `a panel uses the first body site of its records and keeps the other`() throws {
        let pressure = Self.pressure(["2", "3"].map { [("HKHeartRateSensorLocation", $0)] })
        let json = try #require(try mapElement(pressure).json.last)
        let parts = json.split(separator: "\"bodySite\"")
        #expect(parts.count == 2 && parts[1].contains("\"wrist\"") && json.contains("\"finger\""))
        #expect(json.contains("\"valueString\":\"HKHeartRateSensorLocation\""))
    }

    @Test func `a body site that both records of a panel give is written once`() throws {
        let site = [("HKHeartRateSensorLocation", "2")]
        let panels = try [[site, site], [site, []]].map { try #require(try mapElement(Self.pressure($0)).json.last) }
        // The two have other digests, but the same id and the same bytes.
        #expect(panels[0].contains("\"bodySite\"") && panels[0] == panels[1])
    }

    @Test func `a workout's unknown time zone is kept as text`() throws {
        var running = workout()
        running.children = [HealthElement(.metadataEntry, [.init("key", "HKTimeZone"), .init("value", "GMT-0700")])]
        let panel = try #require(try mapElement(running).json.last)
        #expect(panel.contains(Self.entry("HKTimeZone", "\"valueString\":\"GMT-0700\"")))
    }
}
