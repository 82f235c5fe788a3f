/// A request's path and query, percent-decoded once.
struct RequestTarget: Sendable {
    /// The path's segments: `/fhir/Observation/1` is `["fhir", "Observation", "1"]`.
    let segments: [String]
    let query: [QueryItem]
    /// As it came, without the query.
    let path: String

    /// Reads an origin-form target; `nil` where a segment is empty or dots, holds a slash, a backslash or a control
    /// character, or isn't UTF-8: such paths mean different things to different programs.
    init?(_ text: String) {
        guard text.hasPrefix("/"), !text.contains("#") else { return nil }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts[0])
        var segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        if segments.last?.isEmpty ?? false { segments.removeLast() }
        var decoded: [String] = []
        for segment in segments {
            guard let name = PercentEncoding.decode(segment), !name.isEmpty, name != ".", name != "..",
                !name.unicodeScalars.contains(where: { $0 == "/" || $0 == "\\" || $0.value < 0x20 || $0.value == 0x7F })
            else { return nil }
            decoded.append(name)
        }
        self.segments = decoded
        guard let query = Self.items(parts.count > 1 ? parts[1] : "") else { return nil }
        self.query = query
    }

    /// For a query or form; each item takes far more memory than the bytes that it came in.
    static let maximumItemCount = 1_000

    /// Reads `a=1&b=2`, the form of queries and of `application/x-www-form-urlencoded` bodies; `nil` for other texts,
    /// and for more than ``maximumItemCount`` fields.
    static func items(_ text: some StringProtocol) -> [QueryItem]? {
        guard text.utf8.count(where: { $0 == UInt8(ascii: "&") }) < maximumItemCount else { return nil }
        var items: [QueryItem] = []
        for pair in text.split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(sides[0], plusIsSpace: true),
                let value = sides.count > 1 ? PercentEncoding.decode(sides[1], plusIsSpace: true) : "",
                // SQLite would end the text there, and compare less than was asked for.
                !name.utf8.contains(0), !value.utf8.contains(0)
            else { return nil }
            items.append(QueryItem(name: name, value: value))
        }
        return items
    }
}

/// A name and its value in a query.
struct QueryItem: Sendable, Equatable {
    let name: String
    let value: String
}

/// Percent-encoding (RFC 3986, section 2.1).
enum PercentEncoding {
    static func decode(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
        var bytes: [UInt8] = []
        var source = text.utf8.makeIterator()
        while let byte = source.next() {
            if byte == UInt8(ascii: "%") {
                guard let high = source.next().flatMap(hexDigitValue), let low = source.next().flatMap(hexDigitValue)
                else { return nil }
                bytes.append(high << 4 | low)
            } else {
                bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// Encodes everything but unreserved characters.
    static func encode(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.count < 2 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return encoded
    }
}
