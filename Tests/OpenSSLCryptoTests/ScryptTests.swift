import OpenSSLCrypto
import Testing

/// scrypt, checked with the test vectors of RFC 7914, section 12, except the one that takes 1 GiB.
struct ScryptTests {
    @Test(arguments: [
        Case(
            passphrase: "",
            salt: "",
            scrypt: Scrypt(costExponent: 4, blockSize: 1, parallelization: 1),
            key: "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"
                + "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906"
        ),
        Case(
            passphrase: "password",
            salt: "NaCl",
            scrypt: Scrypt(costExponent: 10, blockSize: 8, parallelization: 16),
            key: "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
                + "2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640"
        ),
        Case(
            passphrase: "pleaseletmein",
            salt: "SodiumChloride",
            scrypt: Scrypt(costExponent: 14, blockSize: 8, parallelization: 1),
            key: "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
                + "d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887"
        ),
    ])
    func `S26 the published cases give the published keys`(_ test: Case) throws {
        let passphrase = try SecretBytes(copying: test.passphrase.utf8)
        let key = try test.scrypt.deriveKey(from: passphrase, salt: Array(test.salt.utf8), byteCount: 64)
        #expect(hex(of: key) == test.key)
    }

    @Test(arguments: [
        Scrypt(costExponent: 0, blockSize: 8, parallelization: 1),
        Scrypt(costExponent: 32, blockSize: 8, parallelization: 1),
        Scrypt(costExponent: 14, blockSize: 0, parallelization: 1),
        Scrypt(costExponent: 14, blockSize: 8, parallelization: 0),
        Scrypt(costExponent: 14, blockSize: 1 << 16, parallelization: 1 << 14),
    ])
    func `S27 parameters that RFC 7914 forbids are refused`(_ scrypt: Scrypt) throws {
        let passphrase = try SecretBytes(copying: "password".utf8)
        let error = #expect(throws: CryptoError.self) {
            _ = try scrypt.deriveKey(from: passphrase, salt: [1], byteCount: 32)
        }
        #expect(error == .refused(operation: "scrypt with these parameters"))
    }

    @Test func `the keystore's parameters take 128 MiB and a little`() {
        let scrypt = Scrypt(costExponent: 17, blockSize: 8, parallelization: 1)
        #expect(scrypt.memoryByteCount == 128 << 20 + 3 * 1024)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var passphrase: String
        var salt: String
        var scrypt: Scrypt
        var key: String
        var testDescription: String { "N = 2^\(scrypt.costExponent)" }
    }
}

/// The lower-case hex digits of a secret that is only test data.
func hex(of secret: borrowing SecretBytes) -> String {
    unsafe secret.withBytes { unsafe hex(Array($0)) }
}

/// The lower-case hex digits of `bytes`.
func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
}

/// The bytes that these hex digits stand for.
func bytes(_ hex: String) -> [UInt8] {
    stride(from: 0, to: hex.utf8.count, by: 2).map { at in
        let digits = hex.utf8.dropFirst(at).prefix(2)
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
    }
}
