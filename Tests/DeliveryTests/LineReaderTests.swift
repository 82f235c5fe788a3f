import TestSupport
import Testing

@testable import Delivery

struct LineReaderTests {
    @Test(arguments: [
        [], [0], [1, 0, 2], [(1 << 18) - 2, 3], [(1 << 18) - 1, 3], [1 << 18, 3], [5, 1 << 20, 5, 700_000, 1],
    ])
    func `lines come whole, whatever their length, the last one with or without a line feed`(_ counts: [Int]) throws {
        let folder = try TemporaryFolder()
        let lines = counts.enumerated().map { [UInt8](repeating: UInt8($0 + 65), count: $1) + [10] }
        for (name, expected) in [("a", lines), ("b", lines + [[90]])] {
            let reader = try LineReader(path: folder.write(expected.joined(), to: name))
            var found: [[UInt8]] = []
            while let line = try reader.next() { found.append(line) }
            #expect(found == expected)
        }
    }
}
