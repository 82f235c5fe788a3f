internal import FHIRR4
internal import HealthExport
internal import OpenSSLCrypto

/// How resources are named: identity scheme `pghd1`, which never changes.
///
///     id     = "h" + first 32 hex digits of SHA-256( head ‖ tail )
///     head   = "pghd1" ␟ subject ␟ kind ␟ type ␟ source, zero bytes to a multiple of 64
///     tail   = start ␟ end ␟ value
///
/// ␟ is U+001F. `docs/formats.md` describes every field byte by byte, and an independent script recomputes all ids of
/// the samples from that page alone.
package struct IdentityScheme: Sendable {
    /// The scheme's name, the first field of everything that is hashed.
    package static let name = "pghd1"

    /// Whose data it is: `Patient/ID`.
    let subject: String
    let hash: KeyedSHA256
    /// The hash state after the head of elements' digests.
    let elementHead: SHA256Midstate

    /// The scheme for one subject.
    ///
    /// - Parameters:
    ///   - subject: `Patient/ID`.
    ///   - key: makes every id an HMAC, so that nobody without the key can guess values from ids.
    package init(subject: String, key: [UInt8]?) {
        self.subject = subject
        hash = KeyedSHA256(key: key)
        elementHead = hash.head(paddedWithZeros: Array(Self.name.utf8))
    }

    /// The hash state after the head for samples of one kind, type and source.
    func head(kind: String, type: String, source: String) -> SHA256Midstate {
        let fields = [Self.name, subject, kind, Self.aliases.value(ofExactly: type) ?? type, source]
        return hash.head(paddedWithZeros: Array(fields.joined(separator: Self.separator).utf8))
    }

    /// Two names of one type, frozen with the scheme: the SDK's constant and what exports use.
    private static let aliases = [
        "HKCategoryTypeIdentifierEnvironmentalAudioExposureEvent": "HKCategoryTypeIdentifierAudioExposureEvent"
    ]

    /// The id and digest of a resource that its naming fields describe completely, such as a Device.
    func described(kind: String, type: String, fields: [String]) -> (id: ResourceID, digest: UInt64) {
        let tail = Array(fields.joined(separator: Self.separator).utf8)
        let digest = unsafe tail.withUnsafeBytes { bytes in
            unsafe hash.digest(head(kind: kind, type: type, source: ""), tail: bytes)
        }
        return (ResourceID(high: digest.first, low: digest.second), digest.third)
    }

    static let separator = "\u{1F}"
    static let separatorByte: UInt8 = 0x1F
    /// A sync identifier of at least so many bytes, such as a UUID, names a sample by itself; a shorter one, such as a
    /// row number, may be another app's too.
    static let uniqueByteCount = 32
}

/// What a sample is, as a word in its identity's head.
package enum SampleKind: String, Sendable {
    /// `HKQuantityTypeIdentifier…`
    case quantity = "Quantity"
    /// `HKCategoryTypeIdentifier…`
    case category = "Category"
    /// A `Record` of any other type, such as `HKDataTypeSleepDurationGoal`.
    case data = "Data"

    /// Whether `type` is a category's, by its bytes: asked for every record.
    package static func isCategory(_ type: UnsafeRawBufferPointer) -> Bool {
        guard type.count >= 24, unsafe type[2] == UInt8(ascii: "C") else { return false }
        let prefix: StaticString = "HKCategoryTypeIdentifier"
        return prefix.withUTF8Buffer { unsafe type.starts(with: $0) }
    }

    /// The kind of samples of a type, by its prefix.
    package init(type: String) {
        self =
            type.beginsExactly(with: "HKQuantityTypeIdentifier")
            ? .quantity : type.beginsExactly(with: "HKCategoryTypeIdentifier") ? .category : .data
    }
}
