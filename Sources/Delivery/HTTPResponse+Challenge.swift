internal import HTTPTransport

extension HTTPResponse {
    /// The scheme that a 401 asks for instead of a token, such as `Basic`; `nil` where it takes tokens, or says nothing of use.
    ///
    /// It is told to people: what is no short word, as the registered schemes are, may be anything.
    ///
    /// Source: RFC 9110, section 11.6.1.
    var schemeBesidesBearer: String? {
        let fields = headers.filter { $0.name.lowercased() == "www-authenticate" }.map(\.value)
        let parts = fields.flatMap { $0.split(separator: ",") }
        // A parameter, as behind a comma within a challenge, is no scheme either.
        let words = parts.compactMap { $0.split(whereSeparator: \.isWhitespace).first }
        guard !words.contains(where: { $0.lowercased() == "bearer" }), let scheme = words.first else { return nil }
        let isWord = scheme.utf8.allSatisfy { byte in
            byte | 0x20 &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "-")
        }
        return isWord && scheme.utf8.count <= 30 ? String(scheme) : nil
    }
}
