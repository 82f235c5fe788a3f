import FHIRR4
import HealthExport
import HealthKitMapping
import TestSupport
import Testing

/// docs/formats.md, "Time".
struct TimeRuleTests {
    @Test(arguments: [
        // Paris: forward at 01:00:00Z on 2024-03-31, back at 01:00:00Z on 2024-10-27.
        ("Europe/Paris", "2024-03-31 00:59:59 +0000", "2024-03-31T01:59:59+01:00"),
        ("Europe/Paris", "2024-03-31 01:00:00 +0000", "2024-03-31T03:00:00+02:00"),
        ("Europe/Paris", "2024-10-27 00:59:59 +0000", "2024-10-27T02:59:59+02:00"),
        ("Europe/Paris", "2024-10-27 01:00:00 +0000", "2024-10-27T02:00:00+01:00"),
        ("America/New_York", "2024-03-10 06:59:59 +0000", "2024-03-10T01:59:59-05:00"),
        ("America/New_York", "2024-03-10 07:00:00 +0000", "2024-03-10T03:00:00-04:00"),
        // Summer time here is half an hour.
        ("Australia/Lord_Howe", "2024-04-06 14:59:59 +0000", "2024-04-07T01:59:59+11:00"),
        ("Australia/Lord_Howe", "2024-04-06 15:00:00 +0000", "2024-04-07T01:30:00+10:30"),
        ("Asia/Kathmandu", "2024-05-01 00:00:00 +0000", "2024-05-01T05:45:00+05:45"),
        ("Asia/Kolkata", "2024-05-01 00:00:00 +0000", "2024-05-01T05:30:00+05:30"),
        ("America/St_Johns", "2024-01-15 03:29:59 +0000", "2024-01-14T23:59:59-03:30"),
        ("Pacific/Chatham", "2024-01-15 00:00:00 +0000", "2024-01-15T13:45:00+13:45"),
        ("Pacific/Kiritimati", "2023-12-31 10:00:00 +0000", "2024-01-01T00:00:00+14:00"),
        ("Pacific/Pago_Pago", "2024-01-01 10:59:59 +0000", "2023-12-31T23:59:59-11:00"),
        ("UTC", "2024-02-29 23:59:59 +0000", "2024-02-29T23:59:59+00:00"),
        ("America/New_York", "1969-12-31 23:59:59 +0000", "1969-12-31T18:59:59-05:00"),
    ])
    func `a zone gives the offset in force at an instant`(_ zone: String, _ date: String, _ text: String) throws {
        let metadata = try mapOne(record(start: date, metadata: [("HKTimeZone", zone)]))
        #expect(metadata.value("effectiveDateTime") == "\"\(text)\"")
        #expect(
            metadata.value("_effectiveDateTime")
                == "{\"extension\":[{\"url\":\"http://hl7.org/fhir/StructureDefinition/tz-code\",\"valueCode\":\"\(zone)\"}]}"
        )
        var options = MappingOptions(patientID: "p1", form: .resource)
        options.timeZone = zone
        let asked = try mapOne(record(start: date), options: options)
        #expect(asked.json == metadata.json)
        #expect(asked.id == metadata.id)
    }

    @Test func `a period across a clock change has both offsets`() throws {
        let zone = [("HKTimeZone", "Europe/Paris")]
        let night = try mapOne(
            record(start: "2024-10-27 02:59:59 +0200", end: "2024-10-27 03:00:00 +0200", metadata: zone)
        )
        // One second long, although the clock on the wall went back.
        #expect(night.json.contains("\"start\":\"2024-10-27T02:59:59+02:00\""))
        #expect(night.json.contains("\"end\":\"2024-10-27T02:00:00+01:00\""))
    }

    /// No zone's name contains the Kelvin sign, which Unicode treats as equal to K.
    @Test(arguments: [false, true])
    func `a zone's name must match byte for byte, whichever comes first`(_ isTurned: Bool) throws {
        let names = ["Asia/Kolkata", "Asia/\u{212A}olkata"]
        let records = names.map { record(metadata: [("HKTimeZone", $0)]) }
        let mapped = try map((isTurned ? records.reversed() : records).joined())
        let times = mapped.map { $0.value("effectiveDateTime") }
        let expected = ["\"2024-06-01T12:30:00+05:30\"", "\"2024-06-01T07:00:00Z\""]
        #expect(times == (isTurned ? expected.reversed() : expected))
    }

    @Test func `a valid HKTimeZone overrides the zone asked for, and an invalid one does not`() throws {
        var options = MappingOptions(patientID: "p1", form: .resource)
        options.timeZone = "Asia/Kathmandu"
        func text(_ metadata: [(String, String)]) throws -> String? {
            try mapOne(record(metadata: metadata), options: options).value("effectiveDateTime")
        }
        #expect(try text([("HKTimeZone", "Europe/Dublin")]) == "\"2024-06-01T08:00:00+01:00\"")
        for name in ["", "Middle/Earth", "GMT+0530", "CET", "Europe/Dublin\u{301}", "../etc/passwd"] {
            #expect(try text([("HKTimeZone", name)]) == "\"2024-06-01T12:45:00+05:45\"", "\(name)")
        }
    }

    @Test func `of two zones the one with the greater name counts, in any order`() throws {
        let zones = [("HKTimeZone", "Asia/Kathmandu"), ("HKTimeZone", "Europe/Dublin")]
        let one = try mapOne(record(metadata: zones))
        #expect(try one.json == mapOne(record(metadata: zones.reversed())).json)
        #expect(one.json.contains("Europe/Dublin"))
    }

    @Test func `a time whose offset has seconds is written in UTC`() throws {
        let old = try mapOne(record(start: "1971-06-01 12:00:00 +0000", metadata: [("HKTimeZone", "Africa/Monrovia")]))
        #expect(old.value("effectiveDateTime") == "\"1971-06-01T12:00:00Z\"")
        #expect(!old.json.contains("tz-code"))
    }

    @Test(arguments: [
        "2024-06-01 08:00:00 +0100", "2024-06-01 12:45:00 +0545", "2024-05-31 21:30:00 -0930",
        "2024-06-01 07:00:00 -0000",
        "2024-06-01 21:59:00 +1459",
    ])
    func `the offset in the file is ignored`(_ date: String) throws {
        #expect(try mapOne(record(start: date)).value("effectiveDateTime") == "\"2024-06-01T07:00:00Z\"")
    }

    @Test func `one instant is written as a dateTime, two as a period`() throws {
        let period = try mapOne(record(start: "2024-06-01 08:00:00 +0100", end: "2024-06-01 09:00:00 +0200"))
        #expect(period.value("effectiveDateTime") == "\"2024-06-01T07:00:00Z\"")
        let hour = try mapOne(record(end: "2024-06-01 09:00:00 +0100"))
        #expect(
            hour.value("effectivePeriod") == "{\"start\":\"2024-06-01T07:00:00Z\",\"end\":\"2024-06-01T08:00:00Z\"}"
        )
    }

    /// HealthKit ends a sample of undetermined duration in its distant future, the year 4001.
    @Test func `a sample of undetermined duration has no end`() throws {
        let zone = [("HKTimeZone", "Europe/Paris")]
        let end = "4001-01-01 09:00:00 +0900"
        let pill = try mapOne(record("HKCategoryTypeIdentifierContraceptive", unit: nil, end: end, metadata: zone))
        #expect(pill.value("effectivePeriod")?.hasPrefix("{\"start\":\"2024-06-01T09:00:00+02:00\",\"_start\"") == true)
        #expect(!pill.json.contains("4001"))
        #expect(try pill.id != mapOne(record("HKCategoryTypeIdentifierContraceptive", unit: nil)).id)
        let second = try mapOne(record(end: "4001-01-01 09:00:01 +0900"))
        #expect(second.value("effectivePeriod")?.hasSuffix("\"end\":\"4001-01-01T00:00:01Z\"}") == true)
        let run = try mapElement(
            element(.workout, ["startDate": "2024-06-01 08:00:00 +0100", "endDate": "4001-01-01 00:00:00 +0000"])
        )
        #expect(try run.first("PAPanel").contains("\"effectivePeriod\":{\"start\":\"2024-06-01T07:00:00Z\"}"))
    }

    @Test(arguments: [
        "", "2024-06-01", "2024-06-01T08:00:00+01:00", "2024-06-01 08:00:00 +01:00", "2024-06-01 08:00:00 Z",
        "2023-02-29 08:00:00 +0100", "2024-06-31 08:00:00 +0100", "2024-13-01 08:00:00 +0100",
        "2024-06-01 24:00:00 +0100", "2024-06-01 08:60:00 +0100", "2024-06-01 08:00:60 +0100",
        "2024-06-01 08:00:00 +1500", "2024-06-01 08:00:00 +0160", " 2024-06-01 08:00:00 +010",
        "0000-06-01 08:00:00 +0100",
        "0001-01-01 00:00:00 +0000", "9999-12-31 23:59:59 +0000",
    ])
    func `a record with an unusable date is left out and counted`(_ date: String) throws {
        for (start, end) in [(date, "2024-06-01 08:00:00 +0100"), ("2024-06-01 08:00:00 +0100", date)] {
            var faults: [Malformation.Kind] = []
            let records = try unsafe map(record(start: start, end: end), faults: &faults)
            #expect(records.isEmpty)
            #expect(faults == [.unusableRecord])
        }
    }

    @Test func `a record that ends before it starts has only its start`() throws {
        var faults: [Malformation.Kind] = []
        let records = try unsafe map(record(end: "2024-06-01 07:59:59 +0100"), faults: &faults)
        #expect(faults == [.endBeforeStart])
        #expect(records.first?.value("effectiveDateTime") == "\"2024-06-01T07:00:00Z\"")
        #expect(try records.first?.id != mapOne(record()).id)
    }
}
