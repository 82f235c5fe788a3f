/// The fields of a `device` attribute without its run-time pointer.
///
/// `<<HKDevice: 0x283336ee0>, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch4,2,
/// software:5.1.1>`. The address differs from object to object, even inside one export, and `creation date` belongs to
/// the object, so neither is kept. Nor is `bluetoothIdentifier`, by which somebody near could recognise the owner. A
/// value may hold commas (`Watch4,2`); a field begins where `, ` is followed by a known name and `:`. Once `hardware`
/// is complete, as in `hardware:Watch4,2`, an unknown field after it is dropped: ids are made from the hardware, so a
/// field that a later version of Apple's adds would change the id of every sample. Text of another form is kept whole
/// as `name`.
package struct DeviceText: Sendable, Hashable {
    /// What people call the device: `Apple Watch`.
    package var name = ""
    /// `Apple Inc.`.
    package var manufacturer = ""
    /// `Watch`.
    package var model = ""
    /// `Watch4,2`.
    package var hardware = ""
    /// A device's firmware version.
    package var firmware = ""
    /// `5.1.1`.
    package var software = ""
    /// An identifier that the phone gave the device.
    package var localIdentifier = ""
    /// The device identifier part of a UDI.
    package var udiDeviceIdentifier = ""

    /// Reads the attribute's text, in which entities are already resolved.
    ///
    /// Works on bytes: what Swift takes for one character (such as a comma and a combining accent after it) would make
    /// the fields depend on the version of Unicode.
    package init(_ text: String) {
        var rest = Array(text.utf8)[...]
        guard rest.starts(with: Self.opening.utf8), let close = rest.firstIndex(of: UInt8(ascii: ">")) else {
            self.init(fields: ["name": text])
            return
        }
        rest = rest[(close + 1)...]
        if rest.last == UInt8(ascii: ">") { rest = rest.dropLast() }
        if rest.starts(with: Self.separator.utf8) { rest = rest.dropFirst(2) }
        var fields: [String: String] = [:]
        var current: String?
        for part in Self.split(rest) {
            if let colon = part.firstIndex(of: UInt8(ascii: ":")),
                let field = Self.fieldNames.first(where: { part[..<colon].elementsEqual($0.utf8) })
            {
                fields[field] = String(decoding: part[(colon + 1)...], as: UTF8.self)
                current = field
            } else if let current, !(current == "hardware" && Self.isAppleModel(fields[current] ?? "")) {
                fields[current, default: ""] += Self.separator + String(decoding: part, as: UTF8.self)
            }
        }
        self.init(fields: fields)
    }

    private static let opening = "<<HKDevice:"
    private static let separator = ", "

    /// The parts of `text` between commas that are followed by a space.
    private static func split(_ text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var start = text.startIndex
        var index = start
        while index < text.endIndex {
            if text[index...].starts(with: separator.utf8) {
                parts.append(text[start..<index])
                index += 2
                start = index
            } else {
                index += 1
            }
        }
        return parts + [text[start...]]
    }

    private init(fields: [String: String]) {
        // Text of spaces alone says nothing, and FHIR can't represent it.
        func text(_ field: String) -> String {
            let text = fields[field] ?? ""
            return text.utf8.allSatisfy { $0 <= 0x20 } ? "" : text
        }
        name = text("name")
        manufacturer = text("manufacturer")
        model = text("model")
        hardware = text("hardware")
        firmware = text("firmware")
        software = text("software")
        localIdentifier = text("localIdentifier")
        udiDeviceIdentifier = text("UDIDeviceIdentifier")
    }

    private static let fieldNames = [
        "name", "bluetoothIdentifier", "manufacturer", "model", "hardware", "firmware", "software", "localIdentifier",
        "UDIDeviceIdentifier", "creation date",
    ]

    /// Whether a text has the form of Apple's model names: letters, digits, a comma, digits (`Watch7,1`).
    package static func isAppleModel(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard parts.count == 2 else { return false }
        let number = parts[0].drop { ($0 | 0x20) &- UInt8(ascii: "a") < 26 }
        return number.startIndex > parts[0].startIndex
            && [number, parts[1]].allSatisfy { digits in !digits.isEmpty && digits.allSatisfy { $0 &- 48 < 10 } }
    }

    /// Where the part of `text` begins that is the same for all objects of one device.
    ///
    /// It is the end of `<<HKDevice: 0x283336ee0>`, or 0. `init(_:)` reads the same fields from two texts that agree
    /// from there on. For interning raw bytes.
    ///
    /// - Parameters:
    ///   - text: the attribute's bytes.
    ///   - isRaw: whether predefined entities still stand in it: `&lt;&lt;HKDevice: …&gt;`.
    /// - Returns: an index into `text`.
    package static func stableStart(of text: UnsafeRawBufferPointer, isRaw: Bool) -> Int {
        let start: StaticString = isRaw ? "&lt;&lt;HKDevice:" : "<<HKDevice:"
        let begins = start.withUTF8Buffer { unsafe text.starts(with: $0) }
        guard begins else { return 0 }
        for index in start.utf8CodeUnitCount..<min(text.count, 64) {
            let byte = unsafe text[index]
            if byte == UInt8(ascii: ">") { return index + 1 }
            guard isRaw, byte == UInt8(ascii: "&") else { continue }
            // A pointer holds no other entity.
            let close: StaticString = "&gt;"
            let isClose = close.withUTF8Buffer { unsafe text[index...].starts(with: $0) }
            return isClose ? index + 4 : 0
        }
        return 0
    }
}
