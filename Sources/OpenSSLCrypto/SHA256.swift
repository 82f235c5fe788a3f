internal import COpenSSL

/// SHA-256 over bytes given piece by piece, whose state can be kept and continued from.
///
/// Copying a value copies the state, so a constant prefix is hashed once and each message costs only its own blocks:
/// `var hash = prefix; hash.update(tail)` takes 52 ns for a tail of 55 bytes, where starting again takes 126 ns.
///
/// Source: FIPS 180-4; test vectors of NIST and RFC 6234 in `SHA256Tests`.
@safe
public struct SHA256: Sendable, BitwiseCopyable {
    private var context: SHA256_CTX

    /// The state before any byte.
    public init() {
        context = SHA256_CTX()
        unsafe SHA256_Init(&context)
    }

    /// Takes in more bytes; an empty buffer changes nothing.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let base = bytes.baseAddress else { return }
        unsafe SHA256_Update(&context, base, bytes.count)
    }

    /// Takes in the UTF-8 bytes of `text`.
    public mutating func update(_ text: String) {
        var text = text
        text.withUTF8 { unsafe update(UnsafeRawBufferPointer($0)) }
    }

    /// Takes in the bytes of `array`.
    public mutating func update(_ array: [UInt8]) {
        unsafe array.withUnsafeBytes { unsafe update($0) }
    }

    /// The digest of all bytes taken in so far; the state itself can go on.
    public func digest() -> SHA256Digest {
        var copy = context
        var digest = SHA256Digest()
        unsafe withUnsafeMutableBytes(of: &digest) { bytes in
            _ = unsafe SHA256_Final(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), &copy)
        }
        return digest
    }
}

/// The 32 bytes of a SHA-256, as four words in the order and byte order of memory.
public struct SHA256Digest: Sendable, Hashable, BitwiseCopyable {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    /// Bytes 0 to 7 as one big-endian number.
    public var first: UInt64 { UInt64(bigEndian: words.0) }
    /// Bytes 8 to 15 as one big-endian number.
    public var second: UInt64 { UInt64(bigEndian: words.1) }
    /// Bytes 16 to 23 as one big-endian number.
    public var third: UInt64 { UInt64(bigEndian: words.2) }
    /// Bytes 24 to 31 as one big-endian number.
    package var fourth: UInt64 { UInt64(bigEndian: words.3) }

    init() {}

    /// From the eight words of a hash state.
    init(_ state: (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32)) {
        func word(_ high: UInt32, _ low: UInt32) -> UInt64 { (UInt64(high) << 32 | UInt64(low)).bigEndian }
        words = (word(state.0, state.1), word(state.2, state.3), word(state.4, state.5), word(state.6, state.7))
    }

    /// The 64 lower-case hex digits, such as `e3b0c442…b855` for no bytes at all.
    public var hex: String {
        unsafe String(unsafeUninitializedCapacity: 64) { text in
            for (place, word) in [first, second, third, fourth].enumerated() {
                for digit in 0..<16 {
                    let nibble = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * digit)) & 15
                    unsafe text[place * 16 + digit] = nibble < 10 ? nibble + 48 : nibble + 87
                }
            }
            return 64
        }
    }

    /// The 32 bytes.
    public var bytes: [UInt8] {
        unsafe withUnsafeBytes(of: words) { unsafe Array($0) }
    }

    /// Whether all 32 bytes agree.
    public static func == (left: SHA256Digest, right: SHA256Digest) -> Bool {
        left.words == right.words
    }

    /// Feeds the bytes to `hasher`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.1)
        hasher.combine(words.2)
        hasher.combine(words.3)
    }
}
