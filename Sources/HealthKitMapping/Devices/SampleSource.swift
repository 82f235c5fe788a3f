internal import FHIRR4
internal import HealthExport
internal import Synchronization

/// Who wrote a sample and what measured it.
struct SampleSource: Sendable {
    /// The canonical name of the app or system that wrote.
    let name: String
    /// What the device text says.
    let text: DeviceText
    /// The device that measured.
    let device: (number: Int32, id: ResourceID)?
    /// The app or system that wrote.
    let gateway: (number: Int32, id: ResourceID)?

    /// What stands for it in an identity: the device's hardware, or the source name.
    var identity: String { text.hardware.isEmpty ? name : text.hardware }

    /// Whether the device text itself has the FDA's identifier, so that there is no place for that in metadata.
    var hasUDI: Bool { !text.udiDeviceIdentifier.isEmpty }
}

/// The sources that one worker has met: an export has few, and names one in each element.
final class SampleSources: Sendable {
    private let writer: DeviceWriter
    private let registry: DeviceRegistry
    private let known = Mutex(Known())

    private struct Known: ~Copyable {
        var sources = KeptValues<SampleSource>()
        var key = JSONBytes(capacity: 1 << 8)
    }

    /// No source yet.
    init(_ writer: DeviceWriter, _ registry: DeviceRegistry) {
        self.writer = writer
        self.registry = registry
    }

    /// The source of an element with `sourceName`, `sourceVersion`, `device`, and what its metadata says about the
    /// device.
    func source(of element: HealthElement, _ metadata: DeviceMetadata) -> SampleSource {
        source(
            name: element["sourceName"] ?? "",
            version: element["sourceVersion"] ?? "",
            device: element["device"] ?? "",
            metadata
        )
    }

    /// The source that these attributes and metadata describe.
    func source(
        name: String,
        version: String,
        device: String,
        _ metadata: DeviceMetadata
    ) -> SampleSource {
        known.withLock { known in
            known.key.removeAll()
            known.key.append(device: device)
            for field in [name, version] + metadata.fields {
                known.key.append(IdentityScheme.separatorByte)
                known.key.append(field)
            }
            return unsafe known.key.withBytes { key in
                unsafe known.sources.value(of: key) {
                    let text = DeviceText(attribute: device)
                    let name = SourceName.canonical(name)
                    return SampleSource(
                        name: name,
                        text: text,
                        device: writer.measuring(text, metadata, in: registry),
                        gateway: writer.writing(sourceName: name, version: version, in: registry)
                    )
                }
            }
        }
    }

    /// The source of a sample of which only the device is known.
    func source(measuring text: DeviceText) -> SampleSource {
        SampleSource(name: "", text: text, device: writer.measuring(text, in: registry), gateway: nil)
    }
}
