import FHIRR4
import HealthKitMapping
import Testing
import TestSupport

/// A record like the one before it is written from that one's template: it must become what it becomes alone.
struct RepeatedRecordTests {
    @Test(arguments: OptionSet.allCases, 0..<20)
    func `each record in a row becomes what it becomes alone`(_ set: OptionSet, _ seed: Int) throws {
        var lines = RecordLines(seed: UInt64(seed))
        let records = (0..<400).map { _ in lines.next() }
        let together = try map(records.joined(), options: set.options)
        let alone = try records.flatMap { try map($0, options: set.options) }
        #expect(together.count == alone.count)
        for (one, other) in zip(together, alone) {
            #expect(one.json == other.json)
            #expect(
                [one.id, "\(one.digest)", "\(one.rank)", "\(one.kind)"] == [
                    other.id, "\(other.digest)", "\(other.rank)", "\(other.kind)",
                ]
            )
            #expect([one.device, one.gateway] == [other.device, other.gateway])
        }
    }

    @Test func `a record is not written from the template of one whose location was left out`() throws {
        let place = RecordLines.entry(RecordLines.latitude, "1")
        // A template is remembered at the second record that begins alike.
        let own = RecordLines.entry("own", "1")
        let first = line(source: 0, second: 0) + line(source: 0, second: 1, entries: place + own)
        let last = line(source: 0, second: 2, entries: place)
        try expectSame(last, behind: first)
    }

    @Test func `a record is not written from a template that was evicted`() throws {
        // As many sources as there are templates: the template of the first then belongs to the new source.
        let others = (1..<1 << 14).map { line(source: $0, second: 1, lasts: true) }
        // A template is remembered at the second record that begins alike.
        let again = line(source: 0, second: 0) + line(source: 0, second: 2)
        let new = line(source: 1 << 14, second: 3, lasts: true)
        let last = line(source: 1 << 14, second: 4)
        try expectSame(last, behind: line(source: 0, second: 0) + others.joined() + again + new)
    }

    @Test func `among records with the same fields, numbers, text and missing values stay distinct`() throws {
        let values = ["72", "five", "73", "five", "", "", "74", "five", "six", "five", "", "75", "72"]
        let lines = values.enumerated().map { line(source: 0, second: $0 % 10, value: $1) }
        let options = OptionSet.update.options
        let together = try map(lines.joined(), options: options)
        let alone = try lines.flatMap { try map($0, options: options) }
        #expect(together.map(\.json) == alone.map(\.json))
        #expect(together.map(\.digest) == alone.map(\.digest))
    }

    @Test func `thousands of distinct entries, each repeated, stay distinct`() throws {
        let entries = (0..<3_000).map { RecordLines.entry("own", "\($0 % 2_500)") }
        let lines = entries.map { entry in (0..<4).map { line(source: 0, second: $0, entries: entry) }.joined() }
        let options = OptionSet.update.options
        let digests = try map(lines.joined(), options: options).map(\.digest)
        #expect(digests.count == 12_000)
        let distinct = stride(from: 0, to: 12_000, by: 4).map { Set(digests[$0..<$0 + 4]) }
        #expect(distinct.allSatisfy { $0.count == 1 })
        #expect(Set(digests).count == 2_500)
        for place in stride(from: 0, to: 3_000, by: 150) {
            #expect(try map(lines[place], options: options).map(\.digest) == Array(digests[place * 4..<place * 4 + 4]))
        }
    }

    /// Expects that a record becomes the same after others as it becomes alone.
    private func expectSame(_ record: String, behind others: String) throws {
        let options = OptionSet.update.options
        let together = try #require(try map(others + record, options: options).last)
        let alone = try #require(try map(record, options: options).last)
        #expect([together.id, "\(together.digest)", together.json] == [alone.id, "\(alone.digest)", alone.json])
    }

    /// A heart rate from `source`, at a given second of the minute.
    private func line(source: Int, second: Int, lasts: Bool = false, entries: String = "", value: String = "72")
        -> String
    {
        let start = "2024-06-01 08:00:0\(second) +0100"
        let end = lasts ? "2024-06-01 09:00:00 +0100" : start
        let head =
            " <Record type=\"HKQuantityTypeIdentifierHeartRate\" sourceName=\"\(source)\" sourceVersion=\"1\""
            + " unit=\"count/min\" creationDate=\"\(start)\" startDate=\"\(start)\" endDate=\"\(end)\" value=\"\(value)\""
        return entries.isEmpty ? head + "/>\n" : head + ">\n" + entries + " </Record>\n"
    }

    /// Options that change how a record is written, or whether it is written.
    enum OptionSet: CaseIterable {
        case update, resource, conditional, keyed, zone, since, summaries, withoutMetadata

        var options: MappingOptions {
            var options = MappingOptions(patientID: "p1", form: self == .resource ? .resource : .update)
            switch self {
            case .update, .resource: break
            case .conditional: options.form = .conditionalCreate
            case .keyed: options.identityKey = Array("key".utf8)
            case .zone: options.timeZone = "Asia/Kolkata"
            case .since: options.since = 1_717_225_210
            case .summaries: options.summarizes = true
            case .withoutMetadata: options.keepsMetadata = false
            }
            return options
        }
    }
}

/// Lines as Apple writes them, most of which differ from the one before in only a few places.
private struct RecordLines {
    private var random: RandomBits
    private var head = ""
    private var metadata = ""
    private var day = "2024-06-01"
    private var isCategory = false

    private static let heads = [
        ("HeartRate", "count/min", true), ("StepCount", "count", false), ("BodyMass", "lb", false),
        ("Height", "ft", true),
        ("OxygenSaturation", "%", true), ("BodyTemperature", "degF", false), ("DietaryProtein", "g", false),
        ("BloodPressureSystolic", "mmHg", false), ("DistanceCycling", "furlong", true), ("NobodyKnows", "count", false),
    ]
    private static let categories = [
        ("SleepAnalysis", true), ("AppleStandHour", true), ("HandwashingEvent", false), ("Headache", false),
        ("NobodyKnows", false),
    ]
    private static let categoryValues = [
        "HKCategoryValueSleepAnalysisAsleepCore", "HKCategoryValueSleepAnalysisAsleepDeep",
        "HKCategoryValueSleepAnalysisAsleepREM", "HKCategoryValueSleepAnalysisAwake",
        "HKCategoryValueSleepAnalysisInBed", "HKCategoryValueAppleStandHourStood", "HKCategoryValueNotApplicable",
        "HKCategoryValueSeverityMild", "0", "1", "5", "nothing that anybody knows", "",
    ]
    private static let values = [
        "72", "0", "5", "00", "007", "12345", "123456", "-3", "0.97", "1.5", "1.51", "72.50", "0.000012345", "1e3",
        "97.85000000000001", "97.8500000000001", "1234567890123456", "12345678", "123456789",
        "1234567890123456789", "0.1234567890123456789", "five", "", " 7", "7 ", "999999.5",
    ]
    static let latitude = "_HKPrivateWorkoutWeatherLocationCoordinatesLatitude"
    private static let entries = [
        [("HKMetadataKeyHeartRateMotionContext", "0")], [("HKMetadataKeyHeartRateMotionContext", "1")],
        [("HKMetadataKeyHeartRateMotionContext", "2")], [("HKTimeZone", "Europe/Paris")], [("HKWasUserEntered", "1")],
        [("HKMetadataKeySyncIdentifier", "a"), ("HKMetadataKeySyncVersion", "2")], [("HKExternalUUID", "b")],
        [("HKMetadataKeySyncVersion", "3")], [("HKFoodType", "Oats")], [("HKDeviceSerialNumber", "s")],
        [("HKInsulinDeliveryReason", "1")],
        [("HKWasTakenInLab", "1")], [("HKReferenceRangeLowerLimit", "60 count/min")],
        [("own", "2024-06-01 08:00:00 +0100")],
        [("own", "1"), ("other", "2")], [("own", "1")], [(latitude, "1"), ("own", "1")], [(latitude, "1")],
        [("own", "")], [("", "x")], [("HKMetadataKeyBarometricPressure", "760 mmHg")],
    ]
    private static let dates = [
        "2024-06-01", "2024-06-02", "1999-12-31", "2287-01-01", "4001-01-01", "2024-02-30", "1969-12-31", "0001-01-01",
    ]

    init(seed: UInt64) { random = RandomBits(state: seed) }

    mutating func next() -> String {
        if head.isEmpty || chance(12) { newHead() }
        if chance(6) { metadata = chance(2) ? "" : newMetadata() }
        if chance(10) { day = pick(Self.dates) }
        let start = instant()
        let end = chance(2) ? start : chance(9) ? instant() : pick(Self.dates) + " 09:00:00 +0100"
        let value = pick(isCategory != chance(20) ? Self.categoryValues : Self.values)
        let creation = chance(8) ? "2024-06-03 00:00:0\(number(10)) +0100" : start
        let dates = "creationDate=\"\(creation)\" startDate=\"\(start)\" endDate=\"\(end)\""
        let opening = " <Record \(head) \(dates) value=\"\(value)\""
        return metadata.isEmpty ? opening + "/>\n" : opening + ">\n" + metadata + " </Record>\n"
    }

    private mutating func newHead() {
        isCategory = chance(3)
        let (type, unit, hasDevice) = pick(Self.heads)
        let (category, isMeasured) = pick(Self.categories)
        let device =
            (isCategory ? isMeasured : hasDevice)
            ? " device=\"&lt;&lt;HKDevice: 0x28\(number(9))0&gt;, name:Watch, hardware:Watch6,2&gt;\"" : ""
        let source = "sourceName=\"A\u{A0}\(number(2))\" sourceVersion=\"1.\(number(2))\"\(device)"
        head =
            isCategory
            ? "type=\"HKCategoryTypeIdentifier\(category)\" \(source)"
            : "type=\"HKQuantityTypeIdentifier\(type)\" \(source) unit=\"\(unit)\""
    }

    private mutating func newMetadata() -> String {
        pick(Self.entries).map(Self.entry).joined()
    }

    static func entry(_ key: String, _ value: String) -> String {
        "  <MetadataEntry key=\"\(key)\" value=\"\(value)\"/>\n"
    }

    private mutating func instant() -> String {
        let offset = chance(20) ? "-0730" : "+0100"
        return "\(day) 08:0\(number(6)):1\(number(10)) \(offset)"
    }

    private mutating func number(_ count: UInt64) -> UInt64 { (random.next() >> 3) % count }

    private mutating func chance(_ odds: UInt64) -> Bool { number(odds) == 0 }

    private mutating func pick<Item>(_ items: [Item]) -> Item { items[Int(number(UInt64(items.count)))] }
}
