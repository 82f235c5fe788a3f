/// The logical id of a resource: `h` and 32 hex digits, held as two numbers.
///
/// `h00112233445566778899aabbccddeeff`: 33 characters, within FHIR R4's limit of 64.
@frozen
public struct ResourceID: Hashable, Sendable, BitwiseCopyable, Comparable {
    /// The first 16 hex digits.
    public var high: UInt64
    /// The last 16 hex digits.
    public var low: UInt64

    /// How many bytes the text has.
    @usableFromInline package static let byteCount = 33
    /// `Identifier.system` of the business identifier that repeats each resource's id.
    package static let identifierSystem = "urn:uuid:5c4f3f8e-6d0a-5b56-9d0b-5f8f6e4d7a10"

    /// An id of 128 bits.
    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The id that a text such as `h00112233445566778899aabbccddeeff` shows; `nil` for any other text.
    public init?(text: String) {
        self.init(utf8: text.utf8)
    }

    /// The same from the text's bytes.
    @inlinable
    public init?(utf8 bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount, bytes.first == UInt8(ascii: "h") else { return nil }
        var (high, low): (UInt64, UInt64) = (0, 0)
        for digit in bytes.dropFirst() {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            high = high << 4 | low >> 60
            low = low << 4 | UInt64(value)
        }
        self.init(high: high, low: low)
    }

    /// Writes the 33 characters to `target`.
    @inlinable
    package func write(to target: UnsafeMutableRawPointer) { unsafe written.write(to: target) }

    /// The text, worked out once so that it can be written several times.
    @inlinable
    package var written: WrittenResourceID { WrittenResourceID(self) }

    @inlinable
    static func hexDigits(_ value: UInt32) -> UInt64 {
        // The first digit goes to the lowest byte.
        var spread = UInt64(value.byteSwapped)
        spread = (spread | spread << 16) & 0x0000_FFFF_0000_FFFF
        spread = (spread | spread << 8) & 0x00FF_00FF_00FF_00FF
        spread = (spread >> 4 | spread << 8) & 0x0F0F_0F0F_0F0F_0F0F
        let isLetter = ((spread &+ 0x0606_0606_0606_0606) >> 4) & 0x0101_0101_0101_0101
        // `isLetter` times 39, by shifts: vector instructions cannot multiply words.
        let toLetter = isLetter << 5 | isLetter << 2 | isLetter << 1 | isLetter
        return (spread &+ 0x3030_3030_3030_3030 &+ toLetter).littleEndian
    }

    /// The 33 characters.
    public var text: String {
        unsafe withUnsafeTemporaryAllocation(byteCount: Self.byteCount, alignment: 8) { buffer in
            guard let base = buffer.baseAddress else { return "" }
            unsafe write(to: base)
            return unsafe String(decoding: buffer, as: UTF8.self)
        }
    }

    /// How many bytes the UUID has.
    package static let uuidByteCount = 36

    /// The id as a UUID of version 8 (RFC 9562), for `urn:uuid:` links inside one Bundle.
    public var uuid: String {
        unsafe withUnsafeTemporaryAllocation(byteCount: Self.uuidByteCount, alignment: 8) { buffer in
            guard let base = buffer.baseAddress else { return "" }
            unsafe writeUUID(to: base)
            return unsafe String(decoding: buffer, as: UTF8.self)
        }
    }

    /// Writes the 36 characters of the UUID to `target`.
    @inlinable
    package func writeUUID(to target: UnsafeMutableRawPointer) {
        let first = high & 0xFFFF_FFFF_FFFF_0FFF | 0x8000
        let second = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let dash = UInt8(ascii: "-")
        unsafe target.storeBytes(of: Self.hexDigits(UInt32(truncatingIfNeeded: first >> 32)), as: UInt64.self)
        unsafe target.storeBytes(of: dash, toByteOffset: 8, as: UInt8.self)
        // Eight digits with a dash in the middle: the last four are written again after the dash.
        let middle = Self.hexDigits(UInt32(truncatingIfNeeded: first))
        unsafe target.storeBytes(of: middle, toByteOffset: 9, as: UInt64.self)
        unsafe target.storeBytes(of: dash, toByteOffset: 13, as: UInt8.self)
        unsafe target.storeBytes(of: UInt32(truncatingIfNeeded: middle >> 32), toByteOffset: 14, as: UInt32.self)
        unsafe target.storeBytes(of: dash, toByteOffset: 18, as: UInt8.self)
        let next = Self.hexDigits(UInt32(truncatingIfNeeded: second >> 32))
        unsafe target.storeBytes(of: UInt32(truncatingIfNeeded: next), toByteOffset: 19, as: UInt32.self)
        unsafe target.storeBytes(of: dash, toByteOffset: 23, as: UInt8.self)
        unsafe target.storeBytes(of: UInt32(truncatingIfNeeded: next >> 32), toByteOffset: 24, as: UInt32.self)
        unsafe target.storeBytes(
            of: Self.hexDigits(UInt32(truncatingIfNeeded: second)),
            toByteOffset: 28,
            as: UInt64.self
        )
    }

    /// The same order as that of the texts.
    @inlinable
    public static func < (left: ResourceID, right: ResourceID) -> Bool {
        left.high != right.high ? left.high < right.high : left.low < right.low
    }
}

/// The 33 characters of an id, as four words of eight digits after the `h`.
@frozen
@usableFromInline
package struct WrittenResourceID: Sendable, BitwiseCopyable {
    @usableFromInline let words: SIMD4<UInt64>

    @inlinable
    init(_ id: ResourceID) {
        words = SIMD4(
            ResourceID.hexDigits(UInt32(truncatingIfNeeded: id.high >> 32)),
            ResourceID.hexDigits(UInt32(truncatingIfNeeded: id.high)),
            ResourceID.hexDigits(UInt32(truncatingIfNeeded: id.low >> 32)),
            ResourceID.hexDigits(UInt32(truncatingIfNeeded: id.low))
        )
    }

    /// Writes them to `target`.
    @inlinable
    package func write(to target: UnsafeMutableRawPointer) {
        unsafe target.storeBytes(of: UInt8(ascii: "h"), as: UInt8.self)
        unsafe (target + 1).storeBytes(of: words, as: SIMD4<UInt64>.self)
    }
}

extension JSONBytes {
    /// Appends the 33 characters of an id.
    package mutating func append(_ id: ResourceID) {
        unsafe id.write(to: reserve(ResourceID.byteCount))
        unsafe advance(by: ResourceID.byteCount)
    }

    /// Appends the 36 characters of an id as a UUID.
    package mutating func append(uuidOf id: ResourceID) {
        unsafe id.writeUUID(to: reserve(ResourceID.uuidByteCount))
        unsafe advance(by: ResourceID.uuidByteCount)
    }
}
