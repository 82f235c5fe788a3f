internal import FHIRR4
internal import Glibc
internal import HealthExport
internal import OpenSSLCrypto

extension IdentityScheme {
    /// The id of a sample that is no record, by the same rule: docs/formats.md, "Ids".
    ///
    /// - Parameters:
    ///   - kind: `Workout`, `Correlation`, `Audiogram`, …
    ///   - type: Apple's type, or what stands for it.
    ///   - source: as `SampleFrame.identitySource` gives it.
    ///   - start: in seconds, or a day's text; empty where it names nothing.
    ///   - end: the same.
    ///   - value: what else names it; empty for what changes in place.
    /// - Returns: the id.
    func id(kind: String, type: String, source: String, start: String, end: String, value: String = "") -> ResourceID {
        let tail = [start, end, value].joined(separator: Self.separator)
        let digest = digest(head(kind: kind, type: type, source: source), tail)
        return ResourceID(high: digest.first, low: digest.second)
    }

    /// The id of a sample with a frame; a sync identifier names it alone, with kind, type and source.
    func id(kind: String, type: String, frame: SampleFrame, value: String = "") -> ResourceID {
        if let identifier = frame["HKMetadataKeySyncIdentifier"] {
            return id(kind: kind, type: type, source: frame.identitySource, start: "", end: "", value: identifier)
        }
        return id(
            kind: kind,
            type: type,
            source: frame.identitySource,
            start: String(frame.start),
            end: String(frame.end),
            value: value
        )
    }

    /// The digest of what an element says: docs/formats.md, "Digests".
    func digest(of element: HealthElement) -> UInt64 {
        digest(elementHead, Self.canonical(element)).first
    }

    /// The plain SHA-256 of bytes, as hex digits, for what only its bytes can name.
    func digestText(of bytes: [UInt8]) -> String {
        var state = SHA256()
        state.update(bytes)
        return state.digest().hex
    }

    /// The digest of an element and of bytes that belong to it.
    func digest(of element: HealthElement, with bytes: [UInt8]) -> UInt64 {
        let tail = Array((Self.canonical(element) + Self.separator).utf8) + bytes
        return unsafe tail.withUnsafeBytes { unsafe hash.digest(elementHead, tail: $0) }.first
    }

    /// The digest of what is known by a few fields.
    func digest(ofFields fields: [String]) -> UInt64 {
        digest(elementHead, fields.joined(separator: Self.separator)).first
    }

    private func digest(_ head: SHA256Midstate, _ tail: String) -> SHA256Digest {
        var tail = tail
        return tail.withUTF8 { unsafe hash.digest(head, tail: UnsafeRawBufferPointer($0)) }
    }

    /// An element's content as one text: what two exports of it agree on.
    ///
    /// Its name; its attributes by name, dates as instants, the device without its pointer,
    /// `creationDate` left out; its children's texts in ascending order, each once.
    static func canonical(_ element: HealthElement) -> String {
        var attributes: [String] = []
        for attribute in element.attributes where attribute.name != "creationDate" && !attribute.value.isEmpty {
            attributes.append(attribute.name + "=" + canonical(attribute))
        }
        attributes.sort(by: inByteOrder)
        var text = element.name.text
        for attribute in attributes {
            text += separator
            text += attribute
        }
        text += "{"
        var last: String?
        for child in element.children.map(canonical).sorted(by: inByteOrder) where last?.isExactly(child) != true {
            text += child
            last = child
        }
        return text + "}"
    }

    private static func canonical(_ attribute: HealthElement.Attribute) -> String {
        switch attribute.name {
        case "sourceName": return SourceName.canonical(attribute.value)
        case "device":
            let device = DeviceText(attribute: attribute.value)
            return [
                device.manufacturer, device.model, device.hardware, device.software, device.firmware,
                device.localIdentifier, device.udiDeviceIdentifier,
                device.model.isEmpty && device.hardware.isEmpty ? device.name : "",
            ].joined(separator: ",")
        default: return ExportDate.seconds(attribute.value).map { String($0) } ?? attribute.value
        }
    }

    /// The order of the bytes, on every machine.
    static func inByteOrder(_ left: String, _ right: String) -> Bool {
        var (left, right) = (left, right)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                guard let first = left.baseAddress, let second = right.baseAddress else {
                    return left.count < right.count
                }
                let order = unsafe memcmp(first, second, min(left.count, right.count))
                return order != 0 ? order < 0 : left.count < right.count
            }
        }
    }
}
