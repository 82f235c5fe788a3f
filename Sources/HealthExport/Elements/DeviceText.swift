/// The fields of a `device` attribute without its run-time pointer.
///
/// `<<HKDevice: 0x283336ee0>, name:Apple Watch, manufacturer:Apple Inc., model:Watch,
/// hardware:Watch4,2, software:5.1.1>`. The address differs from object to object, also
/// inside one export, and `creation date` is the object's, so neither is kept. A value may
/// hold commas (`Watch4,2`); a field begins where `, ` is followed by a known name and `:`.
/// Text of another form is kept whole as `name`.
public struct DeviceText: Sendable, Hashable {
    /// What people call it: `Apple Watch`.
    public var name = ""
    /// `Apple Inc.`.
    public var manufacturer = ""
    /// `Watch`.
    public var model = ""
    /// `Watch4,2`.
    public var hardware = ""
    /// A device's firmware version.
    public var firmware = ""
    /// `5.1.1`.
    public var software = ""
    /// An identifier that the phone gave the device.
    public var localIdentifier = ""
    /// The device identifier part of a UDI.
    public var udiDeviceIdentifier = ""

    /// Whether no field was found: then there is no device to write.
    public var isEmpty: Bool { self == DeviceText(fields: [:]) }

    /// Reads the attribute's text, entities already resolved.
    public init(_ text: String) {
        var rest = Substring(text)
        if rest.hasPrefix("<<HKDevice:"), let close = rest.firstIndex(of: ">") {
            rest = rest[rest.index(after: close)...]
            if rest.hasSuffix(">") { rest = rest.dropLast() }
            if rest.hasPrefix(", ") { rest = rest.dropFirst(2) }
        } else {
            self.init(fields: ["name": String(rest)])
            return
        }
        var fields: [String: String] = [:]
        var current: String?
        for part in rest.split(separator: ", ", omittingEmptySubsequences: false) {
            if let colon = part.firstIndex(of: ":"), Self.fieldNames.contains(String(part[..<colon])) {
                let field = String(part[..<colon])
                fields[field] = String(part[part.index(after: colon)...])
                current = field
            } else if let current {
                fields[current, default: ""] += ", " + part
            }
        }
        self.init(fields: fields)
    }

    private init(fields: [String: String]) {
        name = fields["name"] ?? ""
        manufacturer = fields["manufacturer"] ?? ""
        model = fields["model"] ?? ""
        hardware = fields["hardware"] ?? ""
        firmware = fields["firmware"] ?? ""
        software = fields["software"] ?? ""
        localIdentifier = fields["localIdentifier"] ?? ""
        udiDeviceIdentifier = fields["UDIDeviceIdentifier"] ?? ""
    }

    private static let fieldNames: Set<String> = [
        "name", "manufacturer", "model", "hardware", "firmware", "software", "localIdentifier",
        "UDIDeviceIdentifier", "creation date",
    ]

    /// Where the part of `text` begins that does not change from object to object.
    ///
    /// Past `<<HKDevice: 0x283336ee0>`, also with its entities unresolved; 0 for text of
    /// another form. For interning raw bytes.
    public static func stableStart(of text: UnsafeRawBufferPointer) -> Int {
        guard text.count > 12 else { return 0 }
        let isRaw = unsafe text[0] == UInt8(ascii: "&")
        guard unsafe isRaw || (text[0] == UInt8(ascii: "<") && text[1] == UInt8(ascii: "<")) else { return 0 }
        let close = isRaw ? UInt8(ascii: ";") : UInt8(ascii: ">")
        // Raw, the third semicolon ends the `&gt;` behind the pointer.
        var missing = isRaw ? 3 : 1
        for index in 2..<min(text.count, 56) where unsafe text[index] == close {
            missing -= 1
            if missing == 0 { return index + 1 }
        }
        return 0
    }
}
