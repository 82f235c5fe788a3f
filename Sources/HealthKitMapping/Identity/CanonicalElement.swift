internal import FHIRR4
internal import Glibc
internal import HealthExport

/// An element's content as one text, which is the same in two exports of it.
///
/// Its name; its attributes by name, dates as instants, the device without its pointer,
/// `creationDate` left out; its children's texts in ascending order, each once. docs/formats.md, "Digests".
struct CanonicalElement: ~Copyable, Sendable {
    /// The text of the element that was written last.
    var text = JSONBytes(capacity: 1 << 12)
    /// Where the parts of unfinished elements are, those of the innermost last.
    private var parts = RawArray<AttributeRange>(capacity: 64)
    /// What is written for a `sourceName`.
    private var names = KeptValues<String>()
    /// What is written for a `device`.
    private var devices = KeptValues<String>()
    private var key = JSONBytes(capacity: 1 << 8)

    /// Writes the text of an element in place of the one before it.
    mutating func write(_ element: HealthElement) {
        text.removeAll()
        append(element)
    }

    /// Writes the parts one after the other, then again in their order and over the first.
    private mutating func append(_ element: HealthElement) {
        let (start, firstPart) = (text.count, parts.count)
        for attribute in element.attributes where !attribute.value.isEmpty && attribute.name != "creationDate" {
            appendPart { $0.append(attribute) }
        }
        let firstChild = parts.count
        for child in element.children { appendPart { $0.append(child) } }
        sortParts(firstPart..<firstChild)
        sortParts(firstChild..<parts.count)
        let ordered = text.count
        text.append(element.name.text)
        for place in firstPart..<firstChild {
            text.append(IdentityScheme.separatorByte)
            appendCopy(of: parts[place])
        }
        text.append(UInt8(ascii: "{"))
        for place in firstChild..<parts.count where place == firstChild || order(place - 1, place) != 0 {
            appendCopy(of: parts[place])
        }
        text.append(UInt8(ascii: "}"))
        let count = text.count - ordered
        let end = unsafe text.reserve(0)
        unsafe (end - (text.count - start)).copyMemory(from: end - count, byteCount: count)
        text.truncate(to: start + count)
        parts.truncate(to: firstPart)
    }

    private mutating func appendPart(_ body: (inout CanonicalElement) -> Void) {
        let start = text.count
        body(&self)
        parts.append(AttributeRange(start: UInt32(start), count: UInt32(text.count - start)))
    }

    private mutating func append(_ attribute: HealthElement.Attribute) {
        text.append(attribute.name)
        text.append(UInt8(ascii: "="))
        key.removeAll()
        switch attribute.name {
        case "sourceName":
            key.append(attribute.value)
            text.append(unsafe key.withBytes { unsafe names.value(of: $0) { SourceName.canonical(attribute.value) } })
        case "device":
            key.append(device: attribute.value)
            let make = { DeviceText(attribute: attribute.value).described.joined(separator: ",") }
            text.append(unsafe key.withBytes { unsafe devices.value(of: $0, orMake: make) })
        default:
            if let seconds = ExportDate.seconds(attribute.value), FHIRDateTime.range.contains(seconds) {
                text.append(String(seconds))
            } else {
                text.append(attribute.value)
            }
        }
    }

    private mutating func appendCopy(of part: AttributeRange) {
        let target = unsafe text.reserve(Int(part.count))
        unsafe target.copyMemory(from: target - (text.count - Int(part.start)), byteCount: Int(part.count))
        unsafe text.advance(by: Int(part.count))
    }

    /// Sorts them in ascending order of their bytes.
    private mutating func sortParts(_ places: Range<Int>) {
        unsafe text.withBytes { bytes in
            unsafe parts.withMutableElements { parts in
                unsafe parts[places].sort { unsafe Self.order($0, $1, bytes) < 0 }
            }
        }
    }

    private func order(_ left: Int, _ right: Int) -> Int {
        unsafe text.withBytes { unsafe Self.order(parts[left], parts[right], $0) }
    }

    /// Negative, 0 or positive, byte by byte.
    private static func order(
        _ left: AttributeRange,
        _ right: AttributeRange,
        _ bytes: UnsafeRawBufferPointer
    ) -> Int {
        guard let start = bytes.baseAddress else { return 0 }
        let common = Int(min(left.count, right.count))
        let order = unsafe memcmp(start + Int(left.start), start + Int(right.start), common)
        return order != 0 ? Int(order) : Int(left.count) - Int(right.count)
    }
}

extension JSONBytes {
    /// Appends what distinguishes one `device` attribute from another: not the address that it begins with.
    mutating func append(device text: String) {
        var text = text
        text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            let start = unsafe DeviceText.stableStart(of: bytes, isRaw: false)
            append(start > 0 ? UInt8(ascii: "<") : UInt8(ascii: "="))
            unsafe append(UnsafeRawBufferPointer(rebasing: bytes[start...]))
        }
    }
}
