internal import COpenSSL
internal import Glibc

/// Bytes that nobody can guess, from the system's generator.
///
/// Not from OpenSSL's, which needs memory for it and fails where there is none.
///
/// Source: getrandom(2).
public enum SecureRandom {
    /// `count` bytes, such as 32 for a code verifier.
    ///
    /// - Throws: ``SecureRandomError`` when the system gives none.
    public static func bytes(_ count: Int) throws(SecureRandomError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = unsafe bytes.withUnsafeMutableBytes { bytes in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
                return unsafe getrandom(rest.baseAddress, rest.count, 0)
            }
            // A signal may come before all bytes of a long request are there, or before the generator has its seed.
            guard got > 0 || errno == EINTR else { throw SecureRandomError() }
            filled += max(got, 0)
        }
        return bytes
    }
}

/// The system gives no random bytes: nothing that needs a secret can be made.
public struct SecureRandomError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong and what to do next.
    public var description: String { Self.text }

    static let text =
        "no random bytes (expected the system's, of getrandom): allow that call where a sandbox forbids it, and try again"
}
