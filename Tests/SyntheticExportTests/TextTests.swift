import Testing

@testable import SyntheticExport

struct TextTests {
    private func text(_ body: (inout ByteWriter) -> Void) -> String {
        var bytes: [UInt8] = []
        var writer = ByteWriter { block in
            unsafe block.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
            return true
        }
        body(&writer)
        writer.flush()
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        (FixedPoint(72), "72"), (FixedPoint(0), "0"), (FixedPoint(97, decimals: 2), "0.97"),
        (FixedPoint(100, decimals: 2), "1"), (FixedPoint(1500, decimals: 2), "15"),
        (FixedPoint(3_835_598_726_669_947, decimals: 14), "38.35598726669947"),
        (FixedPoint(10_000_000_000_000_005, decimals: 16), "1.0000000000000005"),
        (FixedPoint(.max), "9223372036854775807"),
    ])
    func `a decimal has no exponent and no trailing zeros`(_ value: FixedPoint, _ expected: String) {
        #expect(text { $0.append(value) } == expected)
    }

    @Test(arguments: [
        (FixedPoint(15_594_398_115, decimals: 8), "155.944"),
        (FixedPoint(8_699_200_770_953, decimals: 15), "0.0086992"), (FixedPoint(9_999_996, decimals: 6), "10"),
        (FixedPoint(12_345_678), "12345678"), (FixedPoint(123_456, decimals: 3), "123.456"),
    ])
    func `a record's value has at most six significant digits`(_ value: FixedPoint, _ expected: String) {
        #expect(text { $0.append(value.sixDigits) } == expected)
    }

    @Test(arguments: [(-265_868, 3, "-265.868"), (12_000, 3, "12.000"), (-4, 6, "-0.000004"), (0, 3, "0.000")])
    func `a signed number keeps its sign and its trailing zeros`(_ mantissa: Int, _ decimals: Int, _ expected: String) {
        #expect(text { $0.append(signed: mantissa, decimals: decimals) } == expected)
    }

    @Test(arguments: [(1_719_810_249, "2024-07-01T05:04:09Z"), (-1, "1969-12-31T23:59:59Z")])
    func `an instant in UTC has the form that GPX uses`(_ instant: Int, _ expected: String) {
        var dates = DateText(offsetMinutes: -420)
        #expect(text { dates.appendUniversal(instant, to: &$0) } == expected)
    }

    @Test(arguments: [
        (0, -420, "1969-12-31 17:00:00 -0700"), (1_719_810_249, -420, "2024-06-30 22:04:09 -0700"),
        (1_719_810_249, 345, "2024-07-01 10:49:09 +0545"), (951_782_400, 0, "2000-02-29 00:00:00 +0000"),
        (-1, 0, "1969-12-31 23:59:59 +0000"),
    ])
    func `an instant is written with the offset of the export`(_ instant: Int, _ offset: Int, _ expected: String) {
        var dates = DateText(offsetMinutes: offset)
        #expect(text { dates.append(instant, to: &$0) } == expected)
    }

    @Test(arguments: [
        "2024-02-30", "2023-02-29", "2024-13-01", "2024-00-10", "24-06-30", "2024-6-30", "2024/06/30", "+024-06-30", "",
    ])
    func `a day that does not exist, or has another form, is not a date`(_ text: String) {
        #expect(throws: SyntheticExportError.notADate(text)) { try CalendarDate(parsing: text) }
    }

    @Test(arguments: ["2024-06-30", "1990-01-01", "0999-12-09"])
    func `a date is written as it was read`(_ text: String) throws {
        #expect(try CalendarDate(parsing: text).description == text)
    }

    @Test func `every day of four centuries is the same after conversion to a date and back`() {
        for day in -60_000..<86_097 where CalendarDate(daysSince1970: day).daysSince1970 != day {
            Issue.record("day \(day) comes back as another")
            return
        }
        #expect(CalendarDate(year: 2024, month: 6, day: 30).daysSince1970 == 19_904)
        #expect(CalendarDate.weekday(ofDay: 19_904) == 0)
    }

    @Test(arguments: [
        // Los Angeles: 2024-03-10 10:00 UTC and 2024-11-03 09:00 UTC (tz database).
        (-420, 1_710_064_799, -28_800), (-420, 1_710_064_800, -25_200), (-480, 1_730_624_399, -25_200),
        (-480, 1_730_624_400, -28_800),
        // Berlin: 2024-03-31 01:00 UTC and 2024-10-27 01:00 UTC.
        (60, 1_711_846_799, 3600), (120, 1_711_846_800, 7200), (60, 1_729_990_799, 7200), (60, 1_729_990_800, 3600),
        // London: at the same instants as Berlin.
        (0, 1_711_846_799, 0), (0, 1_711_846_800, 3600),
        // New York: 2024-03-10 07:00 UTC and 2024-11-03 06:00 UTC.
        (-300, 1_710_053_999, -18_000), (-240, 1_710_054_000, -14_400), (-240, 1_730_613_599, -14_400),
        (-300, 1_730_613_600, -18_000),
        // Kathmandu, Nairobi, Kolkata and Tokyo have no summer time, and neither does an offset without a known zone.
        (345, 1_719_810_249, 20_700), (180, 1_719_810_249, 10_800), (330, 1_719_810_249, 19_800),
        (540, 1_719_810_249, 32_400), (-210, 1_719_810_249, -12_600),
    ])
    func `summer time begins and ends at the exact second`(_ exportOffset: Int, _ instant: Int, _ expected: Int) {
        #expect(HomeZone(exportOffsetMinutes: exportOffset).offset(at: instant) == expected)
    }
}
