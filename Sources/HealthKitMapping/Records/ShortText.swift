/// A text of at most sixteen bytes as a value: the first byte is the lowest of `low`, and zeros follow the last.
struct ShortText: BitwiseCopyable {
    static let maximumByteCount = 16

    let low: UInt64
    let high: UInt64
    let count: Int

    /// No bytes.
    init() {
        low = 0
        high = 0
        count = 0
    }

    /// The bytes of a text of one to sixteen bytes; `nil` for any other.
    ///
    /// Sixteen bytes must be readable in any case.
    @inline(__always)
    init?(_ text: UnsafeRawBufferPointer) {
        let count = text.count
        guard count > 0, count <= Self.maximumByteCount, let base = text.baseAddress else { return nil }
        let words = unsafe base.loadUnaligned(as: SIMD2<UInt64>.self)
        // Ones for the bytes that are present, from the lowest.
        let ones = UInt64.max &>> UInt64(truncatingIfNeeded: -count &* 8)
        low = words[0].littleEndian & (count < 8 ? ones : .max)
        high = words[1].littleEndian & (count > 8 ? ones : 0)
        self.count = count
    }
}
