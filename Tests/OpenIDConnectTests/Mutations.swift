import Foundation
import Synchronization
import TestSupport

/// Documents made from seeds by small changes, the same in every run.
struct Mutations {
    /// How many documents a test tries; `PGHD_FUZZ_DOCUMENTS` sets another number.
    static let documentCount = ProcessInfo.processInfo.environment["PGHD_FUZZ_DOCUMENTS"].flatMap { Int($0) } ?? 2000

    private let seeds: [[UInt8]]
    private var numbers = RandomBits(state: 0x9E37_79B9_7F4A_7C15)

    init(of seeds: [[UInt8]]) { self.seeds = seeds }

    /// A seed with up to four changes: a byte replaced or removed, a part cut out, repeated or inserted from another
    /// seed.
    mutating func next() -> [UInt8] {
        var bytes = seeds[numbers.below(seeds.count)]
        for _ in 0...numbers.below(4) {
            let place = numbers.below(bytes.count + 1)
            let end = min(place + numbers.below(24), bytes.count)
            switch numbers.below(7) {
            case 0 where place < bytes.count: bytes[place] = UInt8(numbers.below(256))
            case 1 where place < bytes.count: bytes.remove(at: place)
            case 2: bytes.removeSubrange(place..<end)
            case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 4: bytes.insert(contentsOf: Self.words[numbers.below(Self.words.count)].utf8, at: place)
            case 5:
                let other = seeds[numbers.below(seeds.count)]
                bytes.insert(contentsOf: other.prefix(numbers.below(other.count)), at: place)
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

/// A number that increases by one each time.
final class RequestCount: Sendable {
    private let count = Atomic(0)
    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
