/// What FHIR R4 demands of texts that come from elsewhere.
public enum FHIRText {
    /// Whether nothing but white space is in `text`: no FHIR element may have such a value.
    ///
    /// Source: <https://hl7.org/fhir/R4/datatypes.html#string>.
    public static func isBlank(_ text: some StringProtocol) -> Bool { text.utf8.allSatisfy(isSpace) }

    /// Whether nothing but white space is in `bytes`.
    public static func isBlank(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // Nearly every text tells by its first byte.
        if let first = unsafe bytes.first, !isSpace(first) { return false }
        return unsafe bytes.allSatisfy(isSpace)
    }

    /// `text` as a FHIR `code`: no white space at its ends, and single spaces within.
    ///
    /// Source: <https://hl7.org/fhir/R4/datatypes.html#code>.
    public static func code(_ text: String) -> String {
        text.utf8.split(whereSeparator: isSpace).map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
