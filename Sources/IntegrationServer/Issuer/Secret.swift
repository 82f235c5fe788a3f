import Crypto

/// Random tokens, and hashes of them: the store keeps hashes only.
enum Secret {
    /// 256 random bits as base64url.
    static func make() -> String { Base64URL.encode((0..<32).map { _ in UInt8.random(in: 0...255) }) }

    static func hash(_ text: String) -> [UInt8] { hash(Array(text.utf8)) }

    static func hash(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

    /// Whether two texts are equal, in a time that reveals nothing.
    static func isEqual(_ first: String, _ second: String) -> Bool {
        zip(hash(first), hash(second)).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

/// Base64 with `-` and `_`, without padding (RFC 4648, section 5).
enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << ((3 - group.count) * 8)
            for position in 0...group.count { text.append(alphabet[bits >> (18 - position * 6) & 63]) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// `nil` for any other character and for a single letter at the end.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        guard text.utf8.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        var (bits, count) = (0, 0)
        for letter in text.utf8 {
            guard let value = alphabet.firstIndex(of: letter) else { return nil }
            bits = (bits << 6 | value) & 0xFFFF
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
        }
        return bytes
    }
}
