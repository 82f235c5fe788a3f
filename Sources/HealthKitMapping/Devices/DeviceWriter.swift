internal import FHIRR4
internal import HealthExport

/// Writes the two Devices a sample can have: the one that measured, and the app that wrote.
///
/// A Device's id covers everything that its bytes say, so the same device is the same resource in every export. A
/// device's own `name` may be a person's (`Sam's iPhone`) and changes when it is renamed; it is used only if neither
/// model nor hardware says what the device is.
struct DeviceWriter: Sendable {
    let scheme: IdentityScheme
    let form: EntryForm

    /// The device that `device="<<HKDevice: …>"` describes; `nil` if it describes nothing.
    ///
    /// What the text leaves out may be in a sample's metadata; a serial number is only there.
    func measuring(
        _ text: DeviceText,
        _ metadata: DeviceMetadata = DeviceMetadata(),
        in registry: DeviceRegistry
    ) -> (number: Int32, id: ResourceID)? {
        let serialNumber = metadata.serialNumber.unlessBlank ?? ""
        var text = text
        if text.udiDeviceIdentifier.isEmpty {
            text.udiDeviceIdentifier = metadata.udiDeviceIdentifier.unlessBlank ?? ""
        }
        if text.manufacturer.isEmpty { text.manufacturer = metadata.manufacturer.unlessBlank ?? "" }
        if text.name.isEmpty { text.name = metadata.name.unlessBlank ?? "" }
        let fields = text.described + (serialNumber.isEmpty ? [] : [serialNumber])
        guard fields.contains(where: { !$0.isEmpty }) else { return nil }
        let identity = scheme.described(kind: "Device", type: "HKDevice", fields: fields)
        let number = registry.number(of: identity.id) {
            encode(identity, claiming: ProfileURL.measuringDevice) { json in
                identifiers(identity.id, localIdentifier: text.localIdentifier, &json)
                if !text.udiDeviceIdentifier.isEmpty {
                    json.append(",\"udiCarrier\":[{\"deviceIdentifier\":")
                    json.appendString(text.udiDeviceIdentifier)
                    json.append("}]")
                }
                string("manufacturer", text.manufacturer, &json)
                string("serialNumber", serialNumber, &json)
                names([(text.model, "model-name"), (text.shownName, "user-friendly-name")], &json)
                // Apple's hardware names a model, other makers' a version of one
                // (docs/decisions/0002-device-identity.md).
                let isModel = DeviceText.isAppleModel(text.hardware)
                string("modelNumber", isModel ? text.hardware : text.model, &json)
                let hardware = isModel ? "" : text.hardware
                versions([("software", text.software), ("firmware", text.firmware), ("hardware", hardware)], &json)
            }
        }
        return (number, identity.id)
    }

    /// The app or system that wrote the sample; `nil` without a name.
    func writing(sourceName: String, version: String, in registry: DeviceRegistry) -> (number: Int32, id: ResourceID)? {
        guard !FHIRText.isBlank(sourceName) else { return nil }
        let version = version.unlessBlank ?? ""
        let identity = scheme.described(kind: "Device", type: "HKSource", fields: [sourceName, version])
        let number = registry.number(of: identity.id) {
            encode(identity, claiming: ProfileURL.writingDevice) { json in
                identifiers(identity.id, localIdentifier: "", &json)
                names([(sourceName, "user-friendly-name")], &json)
                versions([("software", version)], &json)
            }
        }
        return (number, identity.id)
    }

    private func encode(
        _ identity: (id: ResourceID, digest: UInt64),
        claiming profile: String,
        _ body: (inout JSONBytes) -> Void
    ) -> EncodedDevice {
        var json = JSONBytes(capacity: 1024)
        form.writeOpening(.device, identity.id, to: &json)
        json.append(",\"meta\":{\"profile\":[\"\(profile)\"]}")
        body(&json)
        json.append(",\"patient\":{\"reference\":")
        json.appendString(scheme.subject)
        json.append("}")
        form.writeClosing(.device, identity.id, to: &json)
        return EncodedDevice(
            id: identity.id,
            digest: identity.digest,
            json: unsafe json.withBytes { unsafe Array($0) }
        )
    }

    private func identifiers(_ id: ResourceID, localIdentifier: String, _ json: inout JSONBytes) {
        json.append(",\"identifier\":[{\"system\":")
        json.appendString(ResourceID.identifierSystem)
        json.append(",\"value\":\"\(id.text)\"}")
        if !localIdentifier.isEmpty {
            json.append(",{\"use\":\"secondary\",\"type\":{\"text\":\"HKDevice.localIdentifier\"},\"value\":")
            json.appendString(localIdentifier)
            json.append("}")
        }
        json.append("]")
    }

    private func string(_ key: String, _ value: String, _ json: inout JSONBytes) {
        guard !value.isEmpty else { return }
        json.append(",\"\(key)\":")
        json.appendString(value)
    }

    private func names(_ names: [(String, String)], _ json: inout JSONBytes) {
        var opening = ",\"deviceName\":["
        for (name, type) in names where !name.isEmpty {
            json.append(opening)
            json.append("{\"name\":")
            json.appendString(name)
            json.append(",\"type\":\"\(type)\"}")
            opening = ","
        }
        if opening == "," { json.append("]") }
    }

    private func versions(_ versions: [(String, String)], _ json: inout JSONBytes) {
        var opening = ",\"version\":["
        for (type, value) in versions where !value.isEmpty {
            json.append(opening)
            json.append("{\"type\":{\"text\":\"\(type)\"},\"value\":")
            json.appendString(value)
            json.append("}")
            opening = ","
        }
        if opening == "," { json.append("]") }
    }
}
