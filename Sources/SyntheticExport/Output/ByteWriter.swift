/// Collects bytes in one block of 1 MiB and lends each full block to a drain.
///
/// It owns its memory, needs no more for a longer export, and never throws: a drain
/// that returns `false` stops it, and later bytes are dropped. So the generators need
/// no `try`; they check ``isStopped`` once for each day.
@safe
struct ByteWriter: ~Copyable {
    static let blockByteCount = 1 << 20

    private let block: UnsafeMutableRawPointer
    private var filledByteCount = 0
    private var drainedByteCount: UInt64 = 0
    private let drain: (RawSpan) -> Bool
    /// Whether the drain has refused a block.
    private(set) var isStopped = false

    /// All bytes appended so far.
    var byteCount: UInt64 { drainedByteCount + UInt64(filledByteCount) }

    init(drain: @escaping (RawSpan) -> Bool) {
        unsafe block = UnsafeMutableRawPointer.allocate(byteCount: Self.blockByteCount, alignment: 64)
        self.drain = drain
    }

    deinit { unsafe block.deallocate() }

    mutating func append(_ text: StaticString) {
        let count = text.utf8CodeUnitCount
        makeRoom(for: count)
        unsafe (block + filledByteCount).copyMemory(from: text.utf8Start, byteCount: count)
        filledByteCount += count
    }

    /// Appends a text of any length.
    mutating func append(string text: String) {
        for byte in text.utf8 { append(byte) }
    }

    mutating func append(_ byte: UInt8) {
        makeRoom(for: 1)
        unsafe block.storeBytes(of: byte, toByteOffset: filledByteCount, as: UInt8.self)
        filledByteCount += 1
    }

    /// Lends the bytes that are left to the drain; call it once, at the end.
    mutating func flush() {
        if filledByteCount > 0, !isStopped {
            let bytes = unsafe RawSpan(_unsafeStart: block, byteCount: filledByteCount)
            isStopped = !drain(bytes)
        }
        drainedByteCount += UInt64(filledByteCount)
        filledByteCount = 0
    }

    /// Makes sure that the next `count` bytes fit into the block, so that no write needs a bounds check of its own.
    @inline(__always)
    private mutating func makeRoom(for count: Int) {
        guard count > Self.blockByteCount - filledByteCount else { return }
        flush()
        precondition(count <= Self.blockByteCount, "one piece of text is longer than a block")
    }
}

extension ByteWriter {
    /// Gives `body` a drain that lends its blocks to `sink`, and refuses more once `sink` has thrown.
    ///
    /// - Throws: what `sink` throws.
    static func lending<Failure: Error>(
        to sink: (RawSpan) throws(Failure) -> Void,
        _ body: (@escaping (RawSpan) -> Bool) -> Void
    ) throws(Failure) {
        var failure: Failure?
        withoutActuallyEscaping(sink) { sink in
            body { block in
                do throws(Failure) {
                    try sink(block)
                    return true
                } catch {
                    failure = error
                    return false
                }
            }
        }
        if let failure { throw failure }
    }
}

// MARK: - Digits

extension ByteWriter {
    /// Appends `number` as two digits; it must be below 100.
    @inline(__always)
    mutating func appendPair(_ number: Int) {
        makeRoom(for: 2)
        storePair(number, at: filledByteCount)
        filledByteCount += 2
    }

    /// Appends a number that is not negative, without leading zeros.
    mutating func append(_ number: Int) {
        precondition(number >= 0, "an export holds no negative number")
        appendPadded(number, width: Self.digitCount(of: number))
    }

    /// Appends a number with leading zeros, as `width` digits, which must be enough for it.
    mutating func appendPadded(_ number: Int, width: Int) {
        makeRoom(for: width)
        var rest = UInt64(number)
        var end = filledByteCount + width
        while end - filledByteCount >= 2 {
            let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
            end -= 2
            storePair(Int(truncatingIfNeeded: pair), at: end)
            rest = quotient
        }
        if end > filledByteCount {
            unsafe block.storeBytes(
                of: UInt8(truncatingIfNeeded: rest % 10) + 0x30,
                toByteOffset: end - 1,
                as: UInt8.self
            )
        }
        filledByteCount += width
    }

    /// Appends `mantissa` times ten to the power of `-decimals`, with all its decimals, and `-` if it is negative.
    ///
    /// `append(signed: -4500, decimals: 3)` appends `-4.500`.
    mutating func append(signed mantissa: Int, decimals: Int) {
        if mantissa < 0 { append(UInt8(ascii: "-")) }
        let (whole, part) = abs(mantissa).quotientAndRemainder(dividingBy: FixedPoint.powerOfTen(decimals))
        append(whole)
        append(UInt8(ascii: "."))
        appendPadded(part, width: decimals)
    }

    /// Appends the last `width` hexadecimal digits of `number`, in lower case.
    mutating func appendHexadecimal(_ number: UInt64, width: Int) {
        var shift = width * 4
        while shift > 0 {
            shift -= 4
            let digit = UInt8(truncatingIfNeeded: number >> UInt64(shift)) & 0xF
            append(digit < 10 ? 0x30 + digit : 0x57 + digit)
        }
    }

    @inline(__always)
    private func storePair(_ number: Int, at offset: Int) {
        let tens = number / 10
        let pair = UInt16(truncatingIfNeeded: tens | (number - tens * 10) << 8) &+ 0x3030
        unsafe block.storeBytes(of: pair.littleEndian, toByteOffset: offset, as: UInt16.self)
    }

    private static func digitCount(of number: Int) -> Int {
        var count = 1
        var limit = 10
        while number >= limit {
            count += 1
            let (next, overflow) = limit.multipliedReportingOverflow(by: 10)
            if overflow { break }
            limit = next
        }
        return count
    }
}
