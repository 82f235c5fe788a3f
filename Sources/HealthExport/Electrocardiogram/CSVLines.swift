/// The lines of a text file, without their line ends: LF, CR LF or CR.
struct CSVLines {
    private var rest: ArraySlice<UInt8>
    private let start: Int
    /// The number of the last line that `next` returned, from 1; `place` is where it begins.
    private(set) var number = 0
    private var place = 0

    /// The lines of `bytes`, without a byte order mark.
    init(_ bytes: ArraySlice<UInt8>) {
        start = bytes.startIndex
        rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
    }

    /// The next line; `nil` at the end.
    mutating func next() -> ArraySlice<UInt8>? {
        guard !rest.isEmpty else { return nil }
        number += 1
        place = rest.startIndex - start
        guard let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else {
            defer { rest = [] }
            return rest
        }
        let line = rest[..<end]
        let isPair = rest[end] == 0x0D && end + 1 < rest.endIndex && rest[end + 1] == 0x0A
        rest = rest[(end + (isPair ? 2 : 1))...]
        return line
    }

    /// Whether a line holds nothing but spaces and separators.
    static func isBlank(_ line: ArraySlice<UInt8>) -> Bool {
        line.allSatisfy { [0x20, 0x09, UInt8(ascii: ","), UInt8(ascii: ";")].contains($0) }
    }

    /// A fault in the last line returned.
    func fault(_ kind: Malformation.Kind) -> ElectrocardiogramFault {
        ElectrocardiogramFault(kind: kind, byte: UInt64(place), line: UInt64(max(number, 1)))
    }
}

/// A line of two fields: `Device,"Watch7,12"`, or a label alone.
struct CSVRow {
    let label: String
    let value: String
    /// Whether a separator follows the label.
    let hasValue: Bool

    /// Reads a line: the first comma, semicolon or tab outside quotes is the separator; further ones belong to the
    /// value, whether it is quoted or not.
    init(_ line: ArraySlice<UInt8>) {
        var rest = line.drop { $0 == 0x20 }
        let quoted = Self.quoted(&rest)
        let separator = rest.firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") || $0 == 0x09 }
        label = Self.text(quoted ?? Array(rest[..<(separator ?? rest.endIndex)]))
        hasValue = separator != nil
        guard let separator else {
            value = ""
            return
        }
        var field = rest[(separator + 1)...].drop { $0 == 0x20 }
        value = Self.text(Self.quoted(&field) ?? Array(field))
    }

    /// The text of a quoted field, in which `""` is a quotation mark; `nil` if none begins here.
    private static func quoted(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        let mark = UInt8(ascii: "\"")
        guard rest.first == mark else { return nil }
        var text: [UInt8] = []
        var index = rest.startIndex + 1
        while index < rest.endIndex {
            if rest[index] == mark {
                guard index + 1 < rest.endIndex, rest[index + 1] == mark else { break }
                index += 1
            }
            text.append(rest[index])
            index += 1
        }
        rest = rest[min(index + 1, rest.endIndex)...]
        return text
    }

    /// The text with plain spaces, none at its ends, and no control characters.
    private static func text(_ bytes: [UInt8]) -> String {
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars.map { scalar -> Unicode.Scalar in
            scalar.properties.isWhitespace || scalar.properties.generalCategory == .control ? " " : scalar
        }
        var text = String.UnicodeScalarView(scalars)[...]
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
