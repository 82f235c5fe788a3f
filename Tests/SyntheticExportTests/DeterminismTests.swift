import SyntheticExport
import Testing

struct DeterminismTests {
    @Test func `the same seed gives the same bytes`() throws {
        let options = SyntheticExport.Options(extent: .days(2), seed: 7)
        #expect(try GeneratedText(options).bytes == GeneratedText(options).bytes)
    }

    @Test func `another seed gives other bytes`() throws {
        let one = try GeneratedText(.init(extent: .days(1), seed: 7))
        let other = try GeneratedText(.init(extent: .days(1), seed: 8))
        #expect(one.bytes != other.bytes)
    }

    // The number is from a release build; debug builds and other machines must get it too.
    // A change to the generator changes it. Tell those who compare files about such a change.
    @Test func `a day has the same bytes in every build and on every machine`() throws {
        let text = try GeneratedText(.init(extent: .days(1)))
        let fingerprint = text.bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        #expect(fingerprint == 1_074_116_322_457_565_013)
    }

    @Test func `exports that share days share those days' samples`() throws {
        let early = try GeneratedText(.init(extent: .days(3)))
        let late = try GeneratedText(.init(extent: .days(3), endDate: CalendarDate(parsing: "2024-07-01")))
        func shared(_ text: GeneratedText) -> [String] {
            text.elements("Record")
                .filter { ["2024-06-29", "2024-06-30"].contains($0.attribute("startDate")?.prefix(10)) }
                .filter { $0.attribute("endDate").map { $0 < "2024-07-01" } == true }
                // Samples of a night or a week belong to the day on which they end.
                .filter { $0.attribute("startDate").map { $0 > "2024-06-29 12" } == true }
                .filter { !$0.contains("SleepAnalysis") && !$0.contains("RespiratoryRate") }
                .map(\.withoutPointer)
        }
        let records = shared(early)
        #expect(records.count > 1000)
        #expect(records == shared(late))
    }

    @Test func `exports made in winter and in summer give the same instants with different offsets`() throws {
        let summer = try GeneratedText(.init(extent: .days(1), utcOffsetMinutes: -420))
        let winter = try GeneratedText(.init(extent: .days(1), utcOffsetMinutes: -480))
        let first = try #require(summer.elements("Record").first?.attribute("startDate"))
        let same = try #require(winter.elements("Record").first?.attribute("startDate"))
        let hour = try #require(Int(first.dropFirst(11).prefix(2)))
        #expect(Int(same.dropFirst(11).prefix(2)) == (hour + 23) % 24)
        #expect(first.dropFirst(13).prefix(6) == same.dropFirst(13).prefix(6))
        #expect(first.hasSuffix(" -0700") && same.hasSuffix(" -0800"))
        #expect(summer.elements("Record").count == winter.elements("Record").count)
    }

    @Test func `no block is lent to the sink after it has thrown`() throws {
        struct Refusal: Error, Equatable {}
        let export = try SyntheticExport(.init(extent: .days(5)))
        var blocks = 0
        #expect(throws: Refusal()) {
            try export.write { _ throws(Refusal) in
                blocks += 1
                throw Refusal()
            }
        }
        #expect(blocks == 1)
    }
}
