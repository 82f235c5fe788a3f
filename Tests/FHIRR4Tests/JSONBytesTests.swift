import FHIRR4
import Testing

/// RFC 8259, section 7.
struct JSONBytesTests {
    @Test func `only what must be escaped is escaped, at every place of a text`() {
        for byte in UInt8(0)..<128 {
            for count in 1...20 {
                for place in 0..<count {
                    var text = [UInt8](repeating: UInt8(ascii: "~"), count: count)
                    text[place] = byte
                    var json = JSONBytes()
                    unsafe text.withUnsafeBytes { unsafe json.appendString($0) }
                    let escaped = text.map(Self.escaped).joined()
                    #expect(unsafe json.withBytes { unsafe String(decoding: $0, as: UTF8.self) } == "\"\(escaped)\"")
                }
            }
        }
    }

    @Test func `characters of more than one byte stay as they are`() {
        let text = "µ血圧é\u{7F}\u{80}\u{FF}𝄞 \"血\" µµµµ"
        var json = JSONBytes()
        json.appendString(text)
        let escaped = text.replacing("\"", with: "\\\"")
        #expect(unsafe json.withBytes { unsafe String(decoding: $0, as: UTF8.self) } == "\"\(escaped)\"")
    }

    private static func escaped(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "\""): "\\\""
        case UInt8(ascii: "\\"): "\\\\"
        case UInt8(ascii: "\n"): "\\n"
        case UInt8(ascii: "\r"): "\\r"
        case UInt8(ascii: "\t"): "\\t"
        case 0..<0x20: "\\u00" + (byte < 0x10 ? "0" : "1") + String(byte & 15, radix: 16)
        default: String(UnicodeScalar(byte))
        }
    }
}
