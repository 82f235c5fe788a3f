/// Finds the root element after an export's XML declaration and DOCTYPE.
///
/// Apple's internal DTD subset is broken in some versions (iOS 16.0 leaves an ATTLIST open and closes the subset
/// twice), and libxml2 reports no record at all after a broken one. So the prolog never reaches libxml2: it is skipped
/// here, byte by byte, and the parser starts at `<HealthData`. An entity declaration is refused, since references to it
/// could not be resolved; nothing that a DOCTYPE points to is ever opened.
package enum Prolog {
    /// The most bytes that a prolog may have; Apple's longest is 14 KB.
    package static let maximumByteCount = 1 << 20

    /// What `scan` found.
    enum Outcome: Equatable, Sendable {
        /// The root's start tag begins at this byte.
        case root(at: Int)
        /// The bytes end inside the prolog.
        case needsMore
        /// This is not an export that can be read.
        case refused(PrologFault)
    }

    /// Looks for `<HealthData` in `bytes`, the first ones of the file.
    ///
    /// - Parameters:
    ///   - bytes: the file from its first byte.
    ///   - isWhole: whether the file ends with them.
    /// - Returns: where the root begins, or why there is none.
    static func scan(_ bytes: UnsafeRawBufferPointer, isWhole: Bool) -> Outcome {
        var index = 0
        let count = bytes.count
        func starts(_ text: StaticString, at position: Int) -> Bool {
            guard position + text.utf8CodeUnitCount <= count else { return false }
            return text.withUTF8Buffer { wanted in
                unsafe bytes[position..<position + wanted.count].elementsEqual(wanted)
            }
        }
        func end(of text: StaticString, from position: Int) -> Int? {
            var position = position
            while position < count {
                if starts(text, at: position) { return position + text.utf8CodeUnitCount }
                position += 1
            }
            return nil
        }
        let unfinished: Outcome =
            isWhole
            ? .refused(count == 0 ? .empty : .noHealthData)
            : count >= maximumByteCount ? .refused(.noHealthData) : .needsMore

        if unsafe isWide(bytes) { return .refused(.notUTF8) }
        if starts("\u{FEFF}", at: 0) { index = 3 }
        var isInsideDoctype = false
        while index < count {
            guard unsafe bytes[index] == UInt8(ascii: "<") else {
                if !isInsideDoctype, unsafe bytes[index] > 0x20 { return .refused(.notXML) }
                index += 1
                continue
            }
            // A tag's name may be cut by the end of the buffer.
            if !isWhole, index + 16 > count { return unfinished }
            if starts("<!--", at: index) {
                guard let after = end(of: "-->", from: index + 4) else { return unfinished }
                index = after
            } else if starts("<?", at: index) {
                guard let after = end(of: "?>", from: index) else { return unfinished }
                if unsafe !declaresUTF8(bytes[index..<after]) { return .refused(.notUTF8) }
                index = after
            } else if starts("<HealthData", at: index), unsafe isNameEnd(bytes, index + 11) {
                return .root(at: index)
            } else if starts("<!DOCTYPE", at: index) {
                isInsideDoctype = true
                index += 9
            } else if starts("<!ENTITY", at: index) {
                return .refused(.entityDeclaration)
            } else if isInsideDoctype, starts("<!", at: index) {
                index += 2
            } else {
                return .refused(.noHealthData)
            }
        }
        return unfinished
    }

    private static func isNameEnd(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Bool {
        guard index < bytes.count else { return false }
        let byte = unsafe bytes[index]
        return byte <= 0x20 || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
    }

    /// Whether characters have two or four bytes: there is a byte order mark, or a zero next to `<`.
    private static func isWide(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= 2 else { return false }
        return switch unsafe (bytes[0], bytes[1]) {
        case (0xFE, 0xFF), (0xFF, 0xFE), (0x3C, 0x00), (0x00, 0x3C): true
        default: false
        }
    }

    /// Whether an XML declaration names UTF-8, ASCII, or no encoding; other instructions may say anything.
    private static func declaresUTF8(_ instruction: Slice<UnsafeRawBufferPointer>) -> Bool {
        let text = unsafe String(decoding: instruction, as: UTF8.self).lowercased()
        guard text.dropFirst("<?xml".count).first?.isWhitespace == true, text.hasPrefix("<?xml"),
            let position = text.firstRange(of: "encoding")
        else { return true }
        let value = text[position.upperBound...].drop { $0 == "=" || $0.isWhitespace }.dropFirst()
        return ["utf-8", "utf8", "us-ascii", "ascii"].contains(value.prefix { $0 != "\"" && $0 != "'" })
    }
}

/// Why a file is not an export that can be read.
public enum PrologFault: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file is empty.
    case empty
    /// The file begins with something other than markup.
    case notXML
    /// Markup, but no `<HealthData>`.
    case noHealthData
    /// The DTD declares an entity.
    case entityDeclaration
    /// The text is in UTF-16 or another encoding, or declares another.
    case notUTF8

    /// What is wrong, what was expected, and what to do.
    public var description: String {
        switch self {
        case .empty: "the file is empty (expected Apple Health's export.xml): export it again on the phone"
        case .notXML: "this is not XML (expected Apple Health's export.xml): choose the export's main XML file"
        case .noHealthData:
            "no <HealthData> element (expected Apple Health's export.xml): choose the export's main XML file"
        case .entityDeclaration:
            "the DTD declares an entity (Apple's exports declare none): refused for safety, export it again"
        case .notUTF8:
            "the XML is not UTF-8 (Apple's exports always are): take the file that Health made, or convert it, such as with "
                + "\"iconv -f WINDOWS-1252 -t UTF-8\", and let its first line say encoding=\"UTF-8\""
        }
    }
}
