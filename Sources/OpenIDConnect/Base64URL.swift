internal import FoundationEssentials

/// base64url without padding (RFC 4648, section 5), as JOSE and PKCE write bytes.
enum Base64URL {
    /// `_-8` for the bytes FF EF.
    static func text(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The bytes of `text`; `nil` where it holds another character, padding included, or bits after the last byte:
    /// otherwise several texts would be one token (RFC 4648, section 3.5).
    static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        guard text.utf8.allSatisfy(isDigit) else { return nil }
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        let standard = String(text).replacing("-", with: "+").replacing("_", with: "/") + padding
        guard let bytes = Data(base64Encoded: standard).map(Array.init), self.text(bytes).utf8.elementsEqual(text.utf8)
        else { return nil }
        return bytes
    }

    /// Whether a byte is one of the 64 characters.
    static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
