internal import COpenSSL

/// Comparisons whose time does not reveal where two values begin to differ.
///
/// Source: OpenSSL's `CRYPTO_memcmp`.
public enum ConstantTime {
    /// Whether both have the same bytes; lengths are not secret, so unequal ones return at once.
    public static func isEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count else { return false }
        guard let left = left.baseAddress, let base = right.baseAddress else { return true }
        return unsafe CRYPTO_memcmp(left, base, right.count) == 0
    }

    /// Whether both have the same bytes, such as the `state` sent and the `state` that came back.
    public static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        unsafe left.withUnsafeBytes { left in
            unsafe right.withUnsafeBytes { unsafe isEqual(left, $0) }
        }
    }
}
