import OpenSSLCrypto
import Testing

@testable import CredentialStore

struct KeystoreFileTests {
    private let key: KeystoreKey
    private let bytes: [UInt8]

    init() throws {
        key = try SampleKeystore.key()
        bytes = try SampleKeystore.bytes()
    }

    @Test func `a written file can be read`() throws {
        let file = try KeystoreFile(parsing: bytes)
        #expect(try file.entries(key: key) == SampleKeystore.entries)
        #expect(file.counter == 7)
        #expect(file.derivation == key.derivation)
    }

    @Test func `S26 the key is derived by scrypt with N 2^17, r 8, p 1 and 32 random bytes of salt`() throws {
        #expect(Array(bytes[8..<12]) == [1, 17, 8, 1])
        let other = try KeystoreKey.derive(from: SecretBytes(copying: SampleKeystore.passphrase.utf8))
        #expect(other.derivation.salt.count == 32)
        #expect(other.derivation.salt != key.derivation.salt)
        let isSameKey = other.secret.isEqual(to: key.secret)
        #expect(!isSameKey)
    }

    @Test func `S27 a key is only derived with N from 2^17 to 2^19, r 8 and p 1`() throws {
        for exponent in UInt8.min...UInt8.max {
            let fault = fault(opening: replacing(9, with: exponent))
            switch exponent {
            case 17: #expect(fault == nil)
            case 18, 19: #expect(fault == .replaced)
            default: #expect(fault == .derivationOutOfBounds(costExponent: exponent))
            }
        }
        for offset in [10, 11] {
            for value in UInt8.min...UInt8.max where value != bytes[offset] {
                #expect(fault(opening: replacing(offset, with: value)) == .derivationOutOfBounds(costExponent: 17))
            }
        }
    }

    @Test func `a file may have a megabyte and no more`() throws {
        var largest = bytes
        largest += [UInt8](repeating: 0, count: (1 << 20) - bytes.count)
        _ = try KeystoreFile(parsing: largest)
        #expect(throws: KeystoreFault.tooLarge) { _ = try KeystoreFile(parsing: largest + [0]) }
    }

    @Test func `S28 each write has its own nonce, and encrypts the same entries differently`() throws {
        let writes = try (0..<100).map { _ in try SampleKeystore.bytes() }
        #expect(Set(writes.map { $0[68..<80] }).count == 100)
        #expect(Set(writes.map { $0[80...] }).count == 100)
    }

    @Test func `S29 a single changed bit anywhere is an error and gives no entry`() {
        for bit in 0..<bytes.count * 8 {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            let value = changed[bit / 8]
            let expected: KeystoreFault =
                switch bit / 8 {
                case 0..<8: .notAKeystore
                case 8: .unknownVersion(value)
                case 9: value == 19 ? .replaced : .derivationOutOfBounds(costExponent: value)
                case 10..<12: .derivationOutOfBounds(costExponent: 17)
                case 12..<60: .replaced
                default: .damaged
                }
            #expect(fault(opening: changed) == expected, "bit \(bit)")
        }
    }

    @Test func `S29 a file cut short anywhere is an error and gives no entry`() {
        for count in bytes.indices {
            let expected = count < 96 ? KeystoreFault.truncated(byteCount: count) : .damaged
            #expect(fault(opening: Array(bytes[..<count])) == expected)
        }
    }

    @Test func `S29 an additional byte is an error and gives no entry`() {
        #expect(fault(opening: bytes + [0]) == .damaged)
    }

    @Test func `S29 parts of two files with one key can't be combined`() throws {
        var entries = SampleKeystore.entries
        entries["https://fhir.example.org/r4"] = Array(#"{"refreshToken":"canary-seconds"}"#.utf8)
        let other = try SampleKeystore.bytes(entries, counter: 8)
        try #require(other.count == bytes.count)
        // The fields after the derivation, which is the same in both: counter, nonce, entries, tag.
        let fields = [60..<68, 68..<80, 80..<bytes.count - 16, bytes.count - 16..<bytes.count]
        for choice in 1..<15 {
            var mixed = bytes
            for (number, field) in fields.enumerated() where choice & 1 << number != 0 {
                mixed.replaceSubrange(field, with: other[field])
            }
            #expect(fault(opening: mixed) == .damaged, "fields \(choice)")
        }
    }

    @Test func `S29 a file that is too long is not read`() {
        #expect(fault(opening: bytes + [UInt8](repeating: 0, count: 1 << 20)) == .tooLarge)
    }

    @Test func `a file that would be too long to read is not written`() throws {
        var entries = KeystoreEntries()
        entries["https://fhir.example.org/r4"] = [UInt8](repeating: 0, count: 1 << 20)
        #expect(throws: KeystoreFault.full) { _ = try SampleKeystore.bytes(entries) }
    }

    @Test(arguments: ["", "p", "pghdkey", "{\"access_token\":1}", "-----BEGIN"])
    func `S33 a file that is not a keystore is not read as plain text`(_ text: String) {
        let isCutShort = "pghdkeys".hasPrefix(text)
        let expected = isCutShort ? KeystoreFault.truncated(byteCount: text.utf8.count) : .notAKeystore
        #expect(fault(opening: Array(text.utf8)) == expected)
    }

    private func replacing(_ offset: Int, with value: UInt8) -> [UInt8] {
        var changed = bytes
        changed[offset] = value
        return changed
    }

    /// Why the bytes don't open with the key, or `nil` if they do.
    private func fault(opening bytes: [UInt8]) -> KeystoreFault? {
        do throws(KeystoreFault) {
            _ = try KeystoreFile(parsing: bytes).entries(key: key)
            return nil
        } catch {
            return error
        }
    }
}
