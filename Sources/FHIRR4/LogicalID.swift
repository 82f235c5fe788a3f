/// What FHIR allows as a resource's logical id: 1 to 64 letters, digits, `-` and `.`, such as `p123`.
///
/// Source: <https://hl7.org/fhir/R4/datatypes.html#id>.
package enum LogicalID {
    /// Whether `text` is one that a URL can hold: `.` and `..` would lead elsewhere (RFC 3986, section 5.2.4).
    package static func isValid(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text != "." && text != ".."
            && text.utf8.allSatisfy { byte in
                byte &- 48 < 10 || (byte | 0x20) &- 97 < 26 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            }
    }
}
