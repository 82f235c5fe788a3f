/// SHA-256, or HMAC-SHA-256 where a key was given, behind one form of state.
///
/// Both can be continued from a kept state, so a prefix of the message is hashed once:
/// HMAC's inner hash starts from the padded key, and its outer one is one more block.
///
/// Source: RFC 2104, section 2; RFC 4231 for the test vectors.
public struct KeyedSHA256: Sendable, BitwiseCopyable {
    private var inner: SHA256
    private let outer: SHA256?

    /// Plain SHA-256 without a key; HMAC-SHA-256 with one, of any length.
    public init(key: [UInt8]?) {
        inner = SHA256()
        guard let key else {
            outer = nil
            return
        }
        var block = key
        if key.count > 64 {
            var hash = SHA256()
            hash.update(key)
            block = hash.digest().bytes
        }
        block += [UInt8](repeating: 0, count: 64 - block.count)
        inner.update(block.map { $0 ^ 0x36 })
        var outerHash = SHA256()
        outerHash.update(block.map { $0 ^ 0x5c })
        outer = outerHash
    }

    /// Takes in more bytes of the message.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        unsafe inner.update(bytes)
    }

    /// Takes in more bytes of the message.
    public mutating func update(_ bytes: [UInt8]) {
        inner.update(bytes)
    }

    /// The digest of the message so far; the state itself can go on.
    public func digest() -> SHA256Digest {
        guard var outer else { return inner.digest() }
        outer.update(inner.digest().bytes)
        return outer.digest()
    }
}
