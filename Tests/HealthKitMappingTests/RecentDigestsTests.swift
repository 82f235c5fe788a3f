import Testing

@testable import HealthKitMapping

/// A digest that is found was remembered for exactly the same message.
struct RecentDigestsTests {
    @Test func `a digest that is found is the last one remembered for that very message`() {
        var digests = RecentDigests()
        var told: [String: UInt64] = [:]
        var answered = 0
        // Few distinct bytes, so that most messages come again and compete for places.
        var state: UInt64 = 1
        func random(below limit: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % limit)
        }
        for step in 0..<50_000 {
            let (head, rest) = (random(below: 3), random(below: 3))
            let text = (0..<1 + random(below: 16)).map { _ in UInt8(ascii: "0") + UInt8(random(below: 2)) }
            let name = "\(head) \(text) \(rest)"
            if let digest = digests.digest(of: .init(head, text, rest)) {
                answered += 1
                #expect(digest == told[name])
            }
            told[name] = UInt64(step)
            digests.remember(UInt64(step), of: .init(head, text, rest))
        }
        #expect(answered > 5_000)
    }

    @Test func `messages that differ in one byte, their head, their rest or a zero at the end differ`() {
        var digests = RecentDigests()
        let text = [UInt8](repeating: 7, count: 15)
        digests.remember(1, of: .init(1, text, 1))
        #expect(digests.digest(of: .init(1, text, 1)) == 1)
        var others: [RecentDigests.Message] = [
            .init(2, text, 1), .init(1, text, 2), .init(1, text + [0], 1), .init(1, Array(text.dropLast()), 1),
        ]
        for index in text.indices {
            var changed = text
            changed[index] = 8
            others.append(.init(1, changed, 1))
        }
        #expect(others.allSatisfy { digests.digest(of: $0) == nil })
    }

    @Test func `after everything is forgotten nothing is found`() {
        var digests = RecentDigests()
        let message = RecentDigests.Message(0, Array("72".utf8), 0)
        digests.remember(1, of: message)
        digests.removeAll()
        #expect(digests.digest(of: message) == nil)
    }

    @Test(arguments: 0...17)
    func `a short text has its bytes in order and none of those after them`(_ count: Int) {
        let bytes = (0..<17).map { UInt8(0xF0) + UInt8($0 % 15) }
        let text = unsafe (bytes + [UInt8](repeating: 0xEE, count: 16)).withUnsafeBytes {
            unsafe ShortText(UnsafeRawBufferPointer(rebasing: $0[..<count]))
        }
        guard let text else { return #expect(count == 0 || count == 17) }
        let words = unsafe withUnsafeBytes(of: (text.low.littleEndian, text.high.littleEndian)) { unsafe Array($0) }
        #expect(text.count == count)
        #expect(words == Array(bytes[..<count]) + [UInt8](repeating: 0, count: 16 - count))
    }
}

extension RecentDigests.Message {
    /// A message with a text of 1 to 16 bytes, which other bytes follow in memory.
    fileprivate init(_ head: Int, _ text: [UInt8], _ rest: Int) {
        let short = unsafe (text + [UInt8](repeating: 0xEE, count: 16)).withUnsafeBytes {
            unsafe ShortText(UnsafeRawBufferPointer(rebasing: $0[..<text.count]))
        }
        self.init(head: head, short ?? ShortText(), rest: rest)
    }
}
