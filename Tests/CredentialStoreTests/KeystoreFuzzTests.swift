import Glibc
import OpenSSLCrypto
import TestSupport
import Testing

@testable import CredentialStore

/// Keystores and tables made from good ones by a fixed sequence of mutations, the same in each run.
///
/// 2,000 of each, unless `PGHD_FUZZ_DOCUMENTS` gives another number; the committed keystore is a seed.
struct KeystoreFuzzTests {
    private static let count = unsafe getenv("PGHD_FUZZ_DOCUMENTS").flatMap { unsafe Int(String(cString: $0)) } ?? 2000

    @Test func `S42 no mutation of a keystore opens or stops the program`() throws {
        let committed = try SampleKeystore.committed(version: 1)
        let passphrase = try SecretBytes(copying: SampleKeystore.passphrase.utf8)
        let key = try KeystoreKey.derive(KeystoreFile(parsing: committed).derivation, from: passphrase)
        let seeds = [committed, try KeystoreFile.bytes(of: KeystoreEntries(), key: key, counter: .max)]
        var mutations = Mutations(seed: 1)
        for number in 0..<Self.count {
            let seed = seeds[number % seeds.count]
            let mutant = mutations.mutant(of: seed)
            guard mutant != seed else { continue }
            #expect(throws: KeystoreFault.self, "mutant \(number)") {
                _ = try KeystoreFile(parsing: mutant).entries(key: key)
            }
        }
    }

    // Nothing from an attacker gets past the tag, but the table's reader must withstand it all the same.
    @Test func `S42 a mutated table is refused or is exactly what would be written`() throws {
        let seed = unsafe try SampleKeystore.entries.encoded().withBytes { unsafe Array($0) }
        var mutations = Mutations(seed: 2)
        for number in 0..<Self.count {
            let mutant = mutations.mutant(of: seed)
            guard let entries = try KeystoreEntries(decoding: SecretBytes(copying: mutant)) else { continue }
            let written = unsafe try entries.encoded().withBytes { unsafe Array($0) }
            #expect(written == mutant, "mutant \(number)")
        }
    }
}

/// A sequence of mutated copies.
private struct Mutations {
    private var numbers: RandomBits

    init(seed: UInt64) { numbers = RandomBits(state: seed) }

    /// A copy with one to four changes: bits, bytes at their limits, cuts, repeats, exchanges.
    mutating func mutant(of seed: [UInt8]) -> [UInt8] {
        var bytes = seed
        for _ in 0...numbers.below(4) {
            guard !bytes.isEmpty else { break }
            let at = numbers.below(bytes.count)
            switch numbers.below(7) {
            case 0: bytes[at] ^= 1 << numbers.below(8)
            case 1: bytes[at] = [0, 1, 0x7f, 0x80, 0xff][numbers.below(5)]
            case 2: bytes[at] = UInt8(numbers.below(256))
            case 3: bytes.removeSubrange(at..<min(bytes.count, at + 1 + numbers.below(8)))
            case 4: bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + 1 + numbers.below(32))], at: at)
            case 5: bytes.swapAt(at, numbers.below(bytes.count))
            default: bytes.removeSubrange(at...)
            }
        }
        return bytes
    }
}
