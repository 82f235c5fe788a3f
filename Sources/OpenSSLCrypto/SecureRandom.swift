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
    /// - Throws: ``CryptoError/noRandomness`` when the system gives none.
    public static func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = unsafe bytes.withUnsafeMutableBytes { bytes in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
                return unsafe getrandom(rest.baseAddress, rest.count, 0)
            }
            // A signal may come before all bytes of a long request are there, or before the generator has its seed.
            guard got > 0 || errno == EINTR else { throw .noRandomness }
            filled += max(got, 0)
        }
        return bytes
    }
}
