internal import COpenSSL

/// Bytes that nobody can guess, of OpenSSL's generator.
public enum SecureRandom {
    /// `count` bytes, such as 32 for a code verifier.
    ///
    /// - Throws: ``SecureRandomError`` when the system gave the generator no seed.
    public static func bytes(_ count: Int) throws(SecureRandomError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard unsafe RAND_bytes(&bytes, CInt(count)) == 1 else { throw SecureRandomError() }
        return bytes
    }
}

/// The generator has no seed: nothing that needs a secret can be made.
public struct SecureRandomError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong and what to do next.
    public var description: String { "no random bytes (expected a seeded generator): restart the machine" }
}
