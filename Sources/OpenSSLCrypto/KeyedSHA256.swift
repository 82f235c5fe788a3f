/// SHA-256, or HMAC-SHA-256 where a key was given, for messages that begin alike.
///
/// HMAC is two hashes that each begin with a padded key; the inner one goes on with the message, the outer one with the
/// inner one's digest, so both start from a kept state.
///
/// Source: RFC 2104, section 2; RFC 4231 for the test vectors.
public struct KeyedSHA256: Sendable, BitwiseCopyable {
    private let inner: SHA256Midstate
    private let outer: SHA256Midstate?

    /// Plain SHA-256 without a key; HMAC-SHA-256 with one, of any length.
    public init(key: [UInt8]?) {
        guard let key else {
            inner = SHA256Midstate()
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
        inner = SHA256Midstate(paddedWithZeros: block.map { $0 ^ 0x36 })
        outer = SHA256Midstate(paddedWithZeros: block.map { $0 ^ 0x5c })
    }

    /// The state after the message's head: `bytes`, and zero bytes up to a multiple of 64.
    public func head(paddedWithZeros bytes: [UInt8]) -> SHA256Midstate {
        SHA256Midstate(paddedWithZeros: bytes, after: inner)
    }

    /// The digest of the message that begins with `head` and ends with `tail`.
    public func digest(_ head: SHA256Midstate, tail: UnsafeRawBufferPointer) -> SHA256Digest {
        finished(unsafe head.digest(tail: tail))
    }

    /// The digest of a short message without a head.
    public func digest(of message: [UInt8]) -> SHA256Digest {
        unsafe message.withUnsafeBytes { unsafe digest(inner, tail: $0) }
    }

    /// The digest for a head and a tail that may be padded in place: the `SHA256Midstate.paddingByteCount` bytes after it are
    /// overwritten.
    public func digest(_ head: SHA256Midstate, paddingTail tail: UnsafeMutableRawPointer, count: Int) -> SHA256Digest {
        finished(unsafe head.digest(paddingTail: tail, count: count))
    }

    /// The same for a tail of one block at most, given by value as `SHA256Midstate` takes it.
    public func digest(_ head: SHA256Midstate, closedTail words: SIMD8<UInt64>, count: Int) -> SHA256Digest {
        finished(head.digest(closedTail: words, count: count))
    }

    private func finished(_ digest: SHA256Digest) -> SHA256Digest {
        guard let outer else { return digest }
        return unsafe withUnsafeBytes(of: digest) { unsafe outer.digest(tail: $0) }
    }
}
