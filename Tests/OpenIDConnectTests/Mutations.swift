import Foundation
import Synchronization

/// Documents made from seeds by small changes, the same in every run.
struct Mutations {
    /// How many a test tries; `PGHD_FUZZ_DOCUMENTS` raises it.
    static let documentCount = ProcessInfo.processInfo.environment["PGHD_FUZZ_DOCUMENTS"].flatMap { Int($0) } ?? 2000

    private let seeds: [[UInt8]]
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    init(of seeds: [[UInt8]]) { self.seeds = seeds }

    /// SplitMix64.
    private mutating func number(below limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((word ^ (word >> 31)) % UInt64(max(limit, 1)))
    }

    /// Up to four changes: a byte replaced, removed, doubled, a part cut out, repeated, or put in of another seed.
    mutating func next() -> [UInt8] {
        var bytes = seeds[number(below: seeds.count)]
        for _ in 0...number(below: 4) {
            let place = number(below: bytes.count + 1)
            let end = min(place + number(below: 24), bytes.count)
            switch number(below: 7) {
            case 0 where place < bytes.count: bytes[place] = UInt8(number(below: 256))
            case 1 where place < bytes.count: bytes.remove(at: place)
            case 2: bytes.removeSubrange(place..<end)
            case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 4: bytes.insert(contentsOf: Self.words[number(below: Self.words.count)].utf8, at: place)
            case 5:
                let other = seeds[number(below: seeds.count)]
                bytes.insert(contentsOf: other.prefix(number(below: other.count)), at: place)
            default: bytes = Array(bytes.prefix(place))
            }
        }
        return bytes
    }

    private static let words = [
        "null", "-1", "1e999", "9223372036854775808", "\"\"", "[]", "{}", "[[[[[[[[", "\\u0000", "\\ud800", "true",
        "\"",
        "\u{0}", "\r\n", "\u{FEFF}", ",\"access_token\":\"x\"",
    ]
}

/// A number that goes up by one each time.
final class RequestCount: Sendable {
    private let count = Atomic(0)
    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
