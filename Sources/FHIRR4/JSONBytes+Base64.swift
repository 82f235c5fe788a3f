extension JSONBytes {
    /// Appends `bytes`, which may be a large file, as a JSON string in base64 with `=` at its end, without a second
    /// copy.
    ///
    /// Source: RFC 4648, section 4.
    mutating func appendBase64(_ bytes: [UInt8]) {
        let count = (bytes.count + 2) / 3 * 4
        let target = unsafe UnsafeMutableRawBufferPointer(start: reserve(count + 2), count: count + 2)
        unsafe target[0] = UInt8(ascii: "\"")
        unsafe target[count + 1] = UInt8(ascii: "\"")
        var place = 1
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let present = min(bytes.count - start, 3)
            var group: UInt32 = 0
            for index in 0..<3 { group = group << 8 | (index < present ? UInt32(bytes[start + index]) : 0) }
            for index in 0..<4 {
                let digit = UInt8(truncatingIfNeeded: group >> UInt32(18 - 6 * index) & 63)
                unsafe target[place + index] = index <= present ? Self.base64Digit(digit) : UInt8(ascii: "=")
            }
            place += 4
        }
        unsafe advance(by: count + 2)
    }

    private static func base64Digit(_ value: UInt8) -> UInt8 {
        switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + value - 26
        case 52..<62: UInt8(ascii: "0") + value - 52
        case 62: UInt8(ascii: "+")
        default: UInt8(ascii: "/")
        }
    }
}
