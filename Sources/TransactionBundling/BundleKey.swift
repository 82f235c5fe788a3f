internal import FHIRR4
internal import OpenSSLCrypto

/// The idempotency key of a Bundle: a SHA-256 over what its bytes depend on.
///
///     key = SHA-256( "pghd1" ␟ mapping version ␟ options ␟ subject ␟ { id digest } )
///
/// ids in ascending order, 16 bytes each, and 8 of each digest; ␟ is U+001F. Equal keys
/// mean equal bytes, on every machine, in every season, with any number of threads
/// (docs/formats.md, "Keys").
package struct BundleKey: Sendable {
    /// `Identifier.system` of `Bundle.identifier`.
    package static let identifierSystem = "urn:uuid:0b8f1c52-53a5-5a1e-8c5e-0e6a3d9f2b47"

    private let prefix: SHA256

    /// Whether a text has the form of a key: 64 hex digits in lower case.
    package static func isKey(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy(\.isLowercaseHex)
    }

    /// The part that all Bundles of a run share.
    ///
    /// - Parameters:
    ///   - scheme: the identity scheme, `pghd1`.
    ///   - mappingVersion: the version of `profiles/`, such as `1`.
    ///   - options: the options that change bytes, such as `conditional;time-zone=Europe/Paris`.
    ///   - subject: `Patient/ID`.
    package init(scheme: String, mappingVersion: String, options: String, subject: String) {
        var state = SHA256()
        state.update([scheme, mappingVersion, options, subject, ""].joined(separator: "\u{1F}"))
        prefix = state
    }

    /// The 64 hex digits for members in the order of their ids.
    func hex(_ members: [Member], _ scratch: inout JSONBytes) -> String {
        scratch.removeAll()
        let size = 24
        var target = unsafe scratch.reserve(size * members.count)
        for member in members {
            unsafe target.storeBytes(of: member.id.high.bigEndian, as: UInt64.self)
            unsafe target.storeBytes(of: member.id.low.bigEndian, toByteOffset: 8, as: UInt64.self)
            unsafe target.storeBytes(of: member.digest.bigEndian, toByteOffset: 16, as: UInt64.self)
            unsafe target += size
        }
        unsafe scratch.advance(by: size * members.count)
        var state = prefix
        unsafe scratch.withBytes { unsafe state.update($0) }
        return state.digest().hex
    }

    /// Sorts by id; no two in a group are equal.
    ///
    /// Ids are hashes, so their first byte spreads them evenly over 256 places, which leaves a step or two for the
    /// insertion. A comparison sort took three times as long.
    static func sort(_ members: [Member], into sorted: inout [Member]) {
        sorted.removeAll(keepingCapacity: true)
        sorted.append(contentsOf: members)
        guard members.count > 1 else { return }
        var starts = InlineArray<257, Int>(repeating: 0)
        for member in members { starts[Int(member.id.high >> 56) + 1] += 1 }
        for place in 1..<257 { starts[place] += starts[place - 1] }
        var sorted = sorted.mutableSpan
        for member in members {
            let bucket = Int(member.id.high >> 56)
            sorted[starts[bucket]] = member
            starts[bucket] += 1
        }
        for place in 1..<sorted.count {
            let member = sorted[place]
            var hole = place
            while hole > 0, member.id < sorted[hole - 1].id {
                sorted[hole] = sorted[hole - 1]
                hole -= 1
            }
            sorted[hole] = member
        }
    }

    /// One resource of a Bundle, as far as the key is concerned.
    struct Member: BitwiseCopyable {
        var id: ResourceID
        var digest: UInt64
        /// Its place in the group.
        var row: Int32
    }
}

extension UInt8 {
    /// Whether this is the ASCII of a hex digit in lower case.
    package var isLowercaseHex: Bool { (0x30...0x39).contains(self) || (0x61...0x66).contains(self) }
}
