import SyntheticExport
import Testing

struct SizeTests {
    struct Size: CustomTestStringConvertible {
        let bytes: UInt64
        let shape: SyntheticExport.Shape
        var testDescription: String { "\(bytes) bytes, \(shape)" }
    }

    @Test(arguments: [
        Size(bytes: 650_000, shape: .apple), Size(bytes: 1_000_000, shape: .apple),
        Size(bytes: 1_400_000, shape: .plain), Size(bytes: 9_000_000, shape: .apple),
        Size(bytes: 1_000_000, shape: .full), Size(bytes: 90_000_000, shape: .full),
    ])
    func `an export has the requested size within 1 percent`(_ size: Size) throws {
        let export = try SyntheticExport(.init(extent: .bytes(size.bytes), seed: 3, shape: size.shape))
        var byteCount = 0
        export.write { byteCount += $0.byteCount }
        #expect(abs(byteCount - Int(size.bytes)) <= Int(size.bytes) / 100)
    }

    @Test func `blocks are at most 1 MiB, and all but the last more than half of that`() throws {
        let export = try SyntheticExport(.init(extent: .days(5)))
        var blocks: [Int] = []
        export.write { blocks.append($0.byteCount) }
        #expect(blocks.count > 2)
        #expect(blocks.allSatisfy { $0 <= 1 << 20 })
        #expect(blocks.dropLast().allSatisfy { $0 > 1 << 19 })
    }

    @Test(
        arguments: [
            ("700000", 700_000), ("700000B", 700_000), ("800KB", 800_000), ("3MB", 3_000_000), ("1GB", 1_000_000_000),
            ("10gb", 10_000_000_000), ("2TB", 2_000_000_000_000), ("800KiB", 819_200), ("3MiB", 3_145_728),
            ("2GiB", 2_147_483_648), ("2 kB", nil), ("1.5GB", nil), ("GB", nil), ("-1MB", nil), ("99999999999TB", nil),
            ("", nil),
        ] as [(String, UInt64?)]
    )
    func `a size is a whole number, with or without a unit`(_ text: String, _ bytes: UInt64?) throws {
        if let bytes {
            #expect(try SyntheticExport.Extent.bytes(parsing: text) == .bytes(bytes))
        } else {
            #expect(throws: SyntheticExportError.notASize(text)) { try SyntheticExport.Extent.bytes(parsing: text) }
        }
    }

    @Test func `a size too small for one day is refused with the smallest size that is possible`() throws {
        let error = try #require(throws: SyntheticExportError.self) {
            try SyntheticExport(.init(extent: .bytes(20_000)))
        }
        guard case .sizeTooSmall(20_000, let minimum) = error else {
            Issue.record("not the expected error: \(error)")
            return
        }
        #expect((200_000...700_000).contains(minimum))
    }

    @Test(arguments: SyntheticExport.Shape.allCases, [0, 1, 2, 3] as [UInt64])
    func `a refusal names the smallest size that is accepted`(_ shape: SyntheticExport.Shape, _ seed: UInt64) throws {
        let error = try #require(throws: SyntheticExportError.self) {
            try SyntheticExport(.init(extent: .bytes(20_000), seed: seed, shape: shape))
        }
        guard case .sizeTooSmall(_, let minimum) = error else {
            Issue.record("not the expected error: \(error)")
            return
        }
        #expect(throws: Never.self) {
            try SyntheticExport(.init(extent: .bytes(minimum), seed: seed, shape: shape))
        }
        #expect(throws: SyntheticExportError.sizeTooSmall(minimum - 1, minimum: minimum)) {
            try SyntheticExport(.init(extent: .bytes(minimum - 1), seed: seed, shape: shape))
        }
    }

    @Test(arguments: [0, -4, 36_501])
    func `a number of days out of range is refused`(_ days: Int) {
        #expect(throws: SyntheticExportError.daysOutOfRange(days, allowed: 1...36_500)) {
            try SyntheticExport(.init(extent: .days(days)))
        }
    }

    @Test(arguments: [-721, 841])
    func `an offset that no zone has is refused`(_ minutes: Int) {
        #expect(throws: SyntheticExportError.offsetOutOfRange(minutes: minutes)) {
            try SyntheticExport(.init(utcOffsetMinutes: minutes))
        }
    }

    // A zip has MS-DOS's dates, which begin in 1980 and end in 2107.
    @Test(arguments: [("1989-12-31", false), ("1990-01-01", true), ("2100-12-31", true), ("2101-01-01", false)])
    func `a last day outside the years 1990 to 2100 is refused`(_ text: String, _ isTaken: Bool) throws {
        let date = try CalendarDate(parsing: text)
        let options = SyntheticExport.Options(extent: .days(1), endDate: date)
        if isTaken {
            #expect(throws: Never.self) { try SyntheticExport(options) }
        } else {
            #expect(throws: SyntheticExportError.endDateOutOfRange(date)) { try SyntheticExport(options) }
        }
    }

    @Test func `a size too large for a hundred years is refused with the largest size that is possible`() throws {
        let error = try #require(throws: SyntheticExportError.self) {
            try SyntheticExport(.init(extent: .bytes(1_000_000_000_000_000)))
        }
        guard case .sizeTooLarge(1_000_000_000_000_000, let maximum) = error else {
            Issue.record("not the expected error: \(error)")
            return
        }
        #expect(throws: Never.self) { try SyntheticExport(.init(extent: .bytes(maximum))) }
        #expect(throws: SyntheticExportError.sizeTooLarge(maximum + 1, maximum: maximum)) {
            try SyntheticExport(.init(extent: .bytes(maximum + 1)))
        }
    }

    @Test func `an error says where, what is wrong, what was expected and what to do`() {
        #expect(
            SyntheticExportError.sizeTooSmall(9, minimum: 400_000).description
                == "--size: 9 bytes are too few for one day (expected at least 400000): ask for a larger size"
        )
    }
}
