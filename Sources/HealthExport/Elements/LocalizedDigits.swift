/// Digits as a phone writes them in its language: `٦١` is 61.
package enum LocalizedDigits {
    /// The text with the digits, signs, marks and spaces of other scripts in ASCII.
    package static func inASCII(_ text: ArraySlice<UInt8>) -> [UInt8] {
        guard !text.allSatisfy({ $0 < 0x80 }) else { return Array(text) }
        var result: [UInt8] = []
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            switch scalar {
            case "\u{2212}": result.append(UInt8(ascii: "-"))
            case "\u{066B}": result.append(UInt8(ascii: ","))
            // Direction marks precede signs in some languages.
            case "\u{200E}", "\u{200F}", "\u{061C}", "\u{FEFF}": break
            case _ where scalar.properties.isWhitespace: result.append(0x20)
            case _ where scalar.properties.numericType == .decimal:
                result.append(48 + UInt8(scalar.properties.numericValue ?? 0))
            default: result += Array(String(scalar).utf8)
            }
        }
        return result
    }
}
