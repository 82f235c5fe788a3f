import TestSupport
import Testing

@testable import Delivery

struct LineReaderTests {
    @Test(arguments: [
        [], [0], [1, 0, 2], [(1 << 18) - 2, 3], [(1 << 18) - 1, 3], [1 << 18, 3], [5, 1 << 20, 5, 700_000, 1],
    ])
    func `lines of any length are read whole, and the last one with or without a line feed`(_ counts: [Int]) throws {
        let folder = try TemporaryFolder()
        let lines = counts.enumerated().map { [123] + [UInt8](repeating: UInt8($0 + 65), count: $1) + [10] }
        for (name, expected) in [("a", lines), ("b", lines + [[123, 90]])] {
            let reader = try LineReader(path: folder.write(expected.joined(), to: name))
            var found: [[UInt8]] = []
            while let line = try reader.next() { found.append(line) }
            #expect(found == expected)
            #expect(reader.number == expected.count)
        }
    }

    @Test func `a long line that does not begin like ours is not read to its end`() throws {
        let folder = try TemporaryFolder()
        let bytes = Array("{}\n".utf8) + [UInt8](repeating: 0, count: 1 << 20)
        let path = try folder.write(bytes, to: "a")
        let reader = try LineReader(path: path)
        #expect(try reader.next() == Array("{}\n".utf8))
        #expect(throws: DeliveryError.notABundle(path: path, line: 2)) { try reader.next() }
    }
}
