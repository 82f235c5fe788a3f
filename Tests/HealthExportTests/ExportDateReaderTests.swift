import HealthExport
import Testing

struct ExportDateReaderTests {
    /// Each text is read after every other one, so that every remembered state meets every text.
    @Test func `a reader that remembers the last date gives the same answers as one that does not`() {
        let texts = [
            "2024-03-31 01:59:59 +0100", "2024-03-31 03:00:00 +0200", "2024-03-31 23:59:59 -0130",
            "2024-02-29 00:00:00 +0000", "2023-02-29 00:00:00 +0000", "2024-03-31 24:00:00 +0100",
            "2024-03-31 23:60:00 +0100", "2024-03-31 23:00:60 +0100", "2024-03-31 2a:00:00 +0100",
            "2024-03-31 23-00:00 +0100", "2024-03-31 23:00:00_+0100", "2024-03-31T23:00:00 +0100",
            "2024-03-31 23:00:00 *0100", "2024-03-31 23:00:00 +01000", "", "1969-12-31 23:59:59 +0000",
            "0001-01-01 00:00:00 +0000", "9999-12-31 23:59:59 -1400", "2024-03-31 :9:00:00 +0100",
            "2024-03-31 \u{B1}9:00:0 +0100",
        ]
        for first in texts {
            for second in texts {
                var reader = ExportDateReader()
                _ = unsafe seconds(first) { unsafe reader.seconds($0) }
                let remembered = unsafe seconds(second) { unsafe reader.seconds($0) }
                let fresh = unsafe seconds(second) { unsafe ExportDate.seconds($0) }
                #expect(remembered == fresh, "\(second) after \(first)")
            }
        }
    }

    @Test(arguments: [(1900, false), (2000, true), (2100, false), (2023, false), (2024, true), (2400, true)])
    func `29 February exists in Gregorian leap years only`(_ year: Int, _ isLeap: Bool) {
        let text = "\(year)-02-29 12:00:00 +0000"
        let found = unsafe seconds(text) { unsafe ExportDate.seconds($0) }
        #expect((found != nil) == isLeap)
    }

    private func seconds(_ text: String, _ read: (UnsafeRawBufferPointer) -> Int64?) -> Int64? {
        let bytes = Array(text.utf8)
        return unsafe bytes.withUnsafeBytes { unsafe read($0) }
    }
}
