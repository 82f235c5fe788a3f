/// FHIR R4's rules for texts that come from elsewhere.
///
/// White space is Unicode's `White_Space`: R4 says `\s`, which means that to some validators and ASCII's to others.
package enum FHIRText {
    /// Whether `text` has nothing but white space: no FHIR element may have such a value.
    ///
    /// Source: <https://hl7.org/fhir/R4/datatypes.html#string>.
    package static func isBlank(_ text: some StringProtocol) -> Bool {
        // For nearly every text the first byte decides.
        if let first = text.utf8.first, !mayBeginSpace(first) { return false }
        return text.unicodeScalars.allSatisfy(\.properties.isWhitespace)
    }

    /// Whether `bytes` have nothing but white space.
    package static func isBlank(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if let first = unsafe bytes.first, !mayBeginSpace(first) { return false }
        return unsafe String(decoding: bytes, as: UTF8.self).unicodeScalars.allSatisfy(\.properties.isWhitespace)
    }

    /// `text` as a FHIR `code`: no white space at its ends, and single spaces within.
    ///
    /// Source: <https://hl7.org/fhir/R4/datatypes.html#code>.
    package static func code(_ text: String) -> String {
        // Nearly all are ASCII without white space.
        var plain = text
        if plain.withUTF8({ bytes in unsafe bytes.allSatisfy { 0x20 < $0 && $0 < 0x7F } }) { return text }
        return text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace)
            .map { String($0) }.joined(separator: " ")
    }

    /// Whether white space may begin with this byte of UTF-8: U+0085 and U+00A0 begin with C2, the others beyond ASCII
    /// with E1, E2 or E3.
    private static func mayBeginSpace(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == 0xC2 || (0xE1...0xE3).contains(byte)
    }
}

extension String {
    /// The text, or `nil` if it is blank: that says no more than none.
    package var unlessBlank: String? { FHIRText.isBlank(self) ? nil : self }
}
