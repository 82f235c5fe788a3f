import Foundation
import Testing

@testable import SyntheticExport

/// The parts that rare elements are made from: occasions, waves, UUIDs and cycles.
struct OccasionTests {
    private let person = SyntheticExport.Options(seed: 3).person
    private let occasions = Occasions(stream: "test", period: 10, least: 2, since: 1000)

    @Test func `an occasion comes once in each period, and they are numbered in order`() {
        let days = occasions.all(of: person, in: stride(from: 2000, to: 2100, by: 1))
        #expect(days.count == 11 || days.count == 12)
        #expect(zip(days, days.dropFirst()).allSatisfy { $1.day - $0.day == 10 && $1.number - $0.number == 1 })
    }

    @Test(arguments: 0..<25)
    func `a single day has the least number of occasions, and an export that covers it has them too`(_ day: Int) {
        let short = occasions.all(of: person, in: stride(from: 2050 + day, to: 2051 + day, by: 1))
        #expect(short.count == 2)
        for first in [2050 + day, 2045, 2000] {
            let long = occasions.all(of: person, in: stride(from: first, to: 2100, by: 1))
            #expect(short.allSatisfy { one in long.contains { $0 == one } })
        }
    }

    @Test func `no occasion comes before the first day on which it can`() {
        #expect(occasions.all(of: person, in: stride(from: 900, to: 1000, by: 1)).isEmpty)
        #expect(occasions.all(of: person, in: stride(from: 900, to: 1010, by: 1)).count == 1)
    }

    @Test func `the integer sine is off by less than two thousandths`() {
        for part in -1500...1500 {
            let sine = Double(IntegerSine.millionths(of: part, turn: 720)) / 1_000_000
            #expect(abs(sine - sin(Double(part) / 360 * .pi)) < 0.002)
        }
    }

    @Test func `UUIDs have the form of version 4, and differ`() {
        var random = RandomSequence(seed: 1, stream: "uuid", day: 0)
        let form = /[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}/
        let uuids = (0..<100).map { _ in random.uuid() }
        #expect(uuids.allSatisfy { $0.wholeMatch(of: form) != nil })
        #expect(Set(uuids).count == 100)
    }

    @Test func `a cycle has 25 to 31 days, numbered without a gap`() {
        let days = (19_000..<20_000).map { person.dayOfCycle(on: $0) }
        #expect(zip(days, days.dropFirst()).allSatisfy { $1 == $0 + 1 || ($1 == 1 && (25...31).contains($0)) })
        #expect((34...37).contains(days.count { $0 == 1 }))
    }

    @Test(arguments: [("2024-06-30", "HKCategoryValueMenstrualFlow"), ("2024-11-30", "HKCategoryValueVaginalBleeding")])
    func `the amount of bleeding has the name that iOS used on that day`(_ end: String, _ prefix: String) throws {
        let options = SyntheticExport.Options(endDate: try CalendarDate(parsing: end), shape: .full)
        var bytes: [UInt8] = []
        var writer = ElementWriter(for: options) { block in
            unsafe block.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
            return true
        }
        for series in CycleSeries.categories { series.write(options.days(35), of: options.person, to: &writer) }
        writer.bytes.flush()
        let flows = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
            .filter { $0.contains("IdentifierMenstrualFlow") }
        #expect(!flows.isEmpty)
        #expect(flows.allSatisfy { $0.attribute("value")?.hasPrefix(prefix) == true })
    }
}
