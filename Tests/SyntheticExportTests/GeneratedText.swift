import Foundation
import SyntheticExport

/// A generated export in memory, cut into lines, for tests to look at.
struct GeneratedText {
    let bytes: [UInt8]
    let lines: [String]

    init(_ options: SyntheticExport.Options) throws {
        var bytes: [UInt8] = []
        try SyntheticExport(options).write { block in
            unsafe block.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
        }
        self.bytes = bytes
        lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The default week, which most tests look at.
    static let week = Result { try GeneratedText(.init(extent: .days(7))) }
    /// The same week in the plain shape.
    static let plainWeek = Result { try GeneratedText(.init(extent: .days(7), shape: .plain)) }
    /// The same week in another app's shape.
    static let appWeek = Result { try GeneratedText(.init(extent: .days(7), shape: .app)) }

    /// The same week in the shape `full`.
    static let fullWeek = Result { try GeneratedText(.init(extent: .days(7), shape: .full)) }
    /// Four weeks in the shape `full`.
    static let fullMonth = Result { try GeneratedText(.init(extent: .days(28), shape: .full)) }

    /// The week in a shape.
    static func week(_ shape: SyntheticExport.Shape) throws -> GeneratedText {
        switch shape {
        case .apple: try week.get()
        case .plain: try plainWeek.get()
        case .app: try appWeek.get()
        case .full: try fullWeek.get()
        }
    }

    /// The lines of the start tags of top-level elements with a name, such as `Record`.
    func elements(_ name: String) -> [String] {
        lines.filter { $0.hasPrefix(" <\(name) ") }
    }

    /// The `Record` tags of a quantity type, which is named without Apple's prefix, such as `HeartRate`.
    func records(ofQuantity type: String) -> [String] {
        elements("Record").filter { $0.contains("type=\"HKQuantityTypeIdentifier\(type)\"") }
    }
}

extension String {
    /// The value of an attribute in a start tag, as written.
    func attribute(_ name: String) -> String? {
        guard let start = range(after: " \(name)=\"") else { return nil }
        return String(self[start...].prefix { $0 != "\"" })
    }

    /// The names of the attributes in a start tag, in order.
    var attributeNames: [String] {
        split(separator: "\"", omittingEmptySubsequences: false)
            .filter { $0.hasSuffix("=") }
            .map { String($0.dropLast().split(separator: " ").last ?? "") }
    }

    /// The tag without the memory address in its device.
    var withoutPointer: String {
        guard let start = range(after: "HKDevice: 0x") else { return self }
        return String(self[..<start] + self[start...].drop { $0 != "&" })
    }

    private func range(after text: String) -> Index? { range(of: text, options: .literal)?.upperBound }
}
