/// OAuth's error codes, such as `invalid_grant`.
///
/// Source: RFC 6749, sections 4.1.2.1 and 5.2, and the registry of OAuth's extension errors.
enum ErrorCode {
    /// The code where it has the form of one; `nil` for other text.
    ///
    /// It is shown to people and logs: text that does not look like one of OAuth's codes may be a token or a name.
    static func word(_ text: String) -> String? {
        let isWord = text.utf8.allSatisfy { $0 &- UInt8(ascii: "a") < 26 || $0 == UInt8(ascii: "_") }
        return isWord && (1...40).contains(text.utf8.count) ? text : nil
    }
}
