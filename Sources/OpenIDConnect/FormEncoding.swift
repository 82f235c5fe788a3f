/// `application/x-www-form-urlencoded`, for queries and for requests to the token endpoint.
///
/// Source: RFC 6749, appendix B.
enum FormEncoding {
    /// `grant_type=authorization_code&code=a%2Fb`, in the order given.
    static func text(_ fields: [(String, String)]) -> String {
        fields.map { "\(escaped($0.0))=\(escaped($0.1))" }.joined(separator: "&")
    }

    /// Reads a form.
    ///
    /// - Parameters:
    ///   - text: the form.
    ///   - names: the fields that are read; all others are ignored, however they are written. `nil` reads all.
    /// - Returns: the fields; `nil` where a name occurs twice or a byte is not encoded as it must be.
    static func fields(_ text: some StringProtocol, only names: Set<String>? = nil) -> [String: String]? {
        var fields: [String: String] = [:]
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = unescaped(parts[0])
            if let names, !(name.map(names.contains) ?? false) { continue }
            guard let name, let value = unescaped(parts.count > 1 ? parts[1] : pair.prefix(0)) else { return nil }
            guard fields.updateValue(value, forKey: name) == nil else { return nil }
        }
        return fields
    }

    private static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                let digits = Array("0123456789ABCDEF".utf8)
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes a field's bytes; `nil` where one is not encoded as it must be.
    static func unescaped(_ part: some Collection<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = part.makeIterator()
        while let byte = rest.next() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.next().flatMap(hexDigit), let low = rest.next().flatMap(hexDigit) else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
