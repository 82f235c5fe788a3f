/// A growing run of JSON text as raw bytes: the form in which resources are written.
///
/// Appending never makes a `String` and allocates only when the capacity doubles;
/// `removeAll()` keeps the memory, so one value serves a whole run. About 0.05 ns a
/// byte for a long piece. Numbers are copied as text and never become binary ones.
@safe
@usableFromInline
package struct JSONBytes: ~Copyable, @unchecked Sendable {  // sole owner of its memory; moves as a whole
    @usableFromInline internal var base: UnsafeMutableRawPointer
    @usableFromInline internal var capacity: Int
    /// Bytes written so far.
    @inlinable
    package var count: Int { length }
    @usableFromInline internal var length: Int

    /// An empty run with room for `capacity` bytes.
    package init(capacity: Int = 4096) {
        self.capacity = max(capacity, 64)
        unsafe base = .allocate(byteCount: self.capacity, alignment: 16)
        length = 0
    }

    deinit { unsafe base.deallocate() }

    /// Forgets the bytes and keeps the memory.
    @inlinable
    package mutating func removeAll() { length = 0 }

    /// Forgets the bytes and keeps memory for at most `limit` of them.
    package mutating func removeAll(keepingAtMost limit: Int) {
        length = 0
        // Memory that was never written to costs nothing.
        if capacity > limit { self = JSONBytes(capacity: limit) }
    }

    /// Forgets everything from `count` bytes on.
    @inlinable
    package mutating func truncate(to count: Int) { length = min(length, max(count, 0)) }

    /// Lends the bytes to `body`; the pointer is invalid afterwards.
    @inlinable
    package borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeRawBufferPointer(start: base, count: count))
    }

    /// Makes room for `extra` more bytes and returns where they go; `advance(by:)` counts them.
    @inlinable
    package mutating func reserve(_ extra: Int) -> UnsafeMutableRawPointer {
        if count + extra > capacity { grow(to: count + extra) }
        return unsafe base + count
    }

    /// Counts `written` bytes that were put where `reserve(_:)` said.
    ///
    /// They may be no more than were reserved.
    @inlinable
    @unsafe
    package mutating func advance(by written: Int) { length += written }

    /// Appends a copy of `bytes`.
    @inlinable
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        let target = unsafe reserve(bytes.count)
        unsafe target.copyMemory(from: start, byteCount: bytes.count)
        length += bytes.count
    }

    /// Appends one byte.
    @inlinable
    package mutating func append(_ byte: UInt8) {
        unsafe reserve(1).storeBytes(of: byte, as: UInt8.self)
        length += 1
    }

    /// Appends the UTF-8 of `text` as it stands, without escaping.
    package mutating func append(_ text: String) {
        unsafe text.utf8.span.withUnsafeBufferPointer { unsafe append(UnsafeRawBufferPointer($0)) }
    }

    /// Appends a literal of the program.
    @inlinable
    package mutating func append(literal text: StaticString) {
        unsafe append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends the bytes of `array`.
    package mutating func append(_ array: [UInt8]) {
        unsafe array.withUnsafeBytes { unsafe append($0) }
    }

    /// Appends `bytes`, which must be UTF-8, as a JSON string with its quotes.
    ///
    /// Escapes what RFC 8259, section 7, demands and nothing more.
    package mutating func appendString(_ bytes: UnsafeRawBufferPointer) {
        // Most strings need no escape.
        let plain = unsafe Self.plainPrefix(of: bytes)
        if plain == bytes.count, let source = bytes.baseAddress {
            let target = unsafe reserve(plain + 2)
            unsafe target.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
            unsafe (target + 1).copyMemory(from: source, byteCount: plain)
            unsafe target.storeBytes(of: UInt8(ascii: "\""), toByteOffset: plain + 1, as: UInt8.self)
            return unsafe advance(by: plain + 2)
        }
        append(UInt8(ascii: "\""))
        var start = 0
        for index in plain..<bytes.count {
            let byte = unsafe bytes[index]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            unsafe append(UnsafeRawBufferPointer(rebasing: bytes[start..<index]))
            start = index + 1
            appendEscaped(byte)
        }
        unsafe append(UnsafeRawBufferPointer(rebasing: bytes[start...]))
        append(UInt8(ascii: "\""))
    }

    /// How many bytes precede the first group of eight in which one must be escaped: a multiple of eight, or all.
    private static func plainPrefix(of bytes: UnsafeRawBufferPointer) -> Int {
        var place = 0
        while place + 8 <= bytes.count {
            guard unsafe !escapes(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)) else { return place }
            place += 8
        }
        guard place < bytes.count else { return place }
        // The incomplete last group is read together with the bytes before it, or filled up with spaces.
        var last: UInt64 = 0x2020_2020_2020_2020
        if place > 0 {
            last = unsafe bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
        } else {
            for index in bytes.indices { last = unsafe last << 8 | UInt64(bytes[index]) }
        }
        return escapes(last) ? place : bytes.count
    }

    /// Whether one of eight bytes is escaped in JSON.
    private static func escapes(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // A byte's high bit is set if it is below 0x20, or if the XOR with the quote or the backslash leaves 0.
        let control = (word &- ones &* 0x20) & ~word
        let quote = word ^ ones &* UInt64(UInt8(ascii: "\""))
        let backslash = word ^ ones &* UInt64(UInt8(ascii: "\\"))
        let escaped = control | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
        return escaped & (ones &* 0x80) != 0
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        switch byte {
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        case 0..<0x20:
            append("\\u00")
            append(hexDigit(byte >> 4))
            append(hexDigit(byte & 15))
        default:
            append(UInt8(ascii: "\\"))
            append(byte)
        }
    }

    /// Appends `text` as a JSON string with its quotes.
    package mutating func appendString(_ text: String) {
        unsafe text.utf8.span.withUnsafeBufferPointer { unsafe appendString(UnsafeRawBufferPointer($0)) }
    }

    @usableFromInline
    @inline(never)
    mutating func grow(to needed: Int) {
        // After one large piece leave room for the small ones that follow, so that they do not double the capacity.
        let larger = max(capacity * 2, needed + needed / 8)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
        unsafe memory.copyMemory(from: base, byteCount: count)
        unsafe base.deallocate()
        unsafe base = memory
        capacity = larger
    }
}

/// The lower-case hex digit of a number below 16.
@inlinable
package func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + (value - 10)
}
