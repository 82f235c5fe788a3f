import Testing

@testable import Delivery

struct BodyCipherTests {
    private let cipher: BodyCipher
    private let body = Array("an invented body".utf8)

    init() throws { cipher = try #require(BodyCipher(key: Array(repeating: 7, count: 32))) }

    @Test func `an opened body is what was sealed, and its plain text does not appear in the sealed bytes`() throws {
        let sealed = try cipher.seal(body, bundleKey: "a")
        #expect(try cipher.open(sealed, bundleKey: "a") == body)
        #expect(sealed.count == 12 + body.count + 16)
        #expect(sealed.firstRange(of: body.prefix(4)) == nil)
    }

    @Test func `sealing the same body twice gives different bytes, since each nonce is used once`() throws {
        let all = try (0..<100).map { _ in try cipher.seal(body, bundleKey: "a") }
        #expect(Set(all.map { $0.prefix(12) }).count == 100)
        #expect(Set(all.map { $0.dropFirst(12) }).count == 100)
    }

    @Test func `a body opens only with its own Bundle's key, and only if it is unchanged`() throws {
        let sealed = try cipher.seal(body, bundleKey: "a")
        #expect(throws: (any Error).self) { try cipher.open(sealed, bundleKey: "b") }
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(throws: (any Error).self) { try cipher.open(changed, bundleKey: "a") }
        }
        #expect(throws: (any Error).self) { try cipher.open([], bundleKey: "a") }
    }
}
