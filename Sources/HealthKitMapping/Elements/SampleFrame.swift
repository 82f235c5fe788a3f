internal import FHIRR4
internal import HealthExport

/// What samples of every kind have in common: who wrote them with which device, when, and their metadata.
struct SampleFrame: Sendable {
    /// What stands for the source in an identity: the device's hardware, or the source name; empty where a sync
    /// identifier names the sample by itself.
    let identitySource: String
    /// The device that measured.
    var device: (number: Int32, id: ResourceID)?
    /// The app or system that wrote the sample.
    let gateway: (number: Int32, id: ResourceID)?
    /// Places that its metadata can't have: the device text already gives the UDI.
    let takenPlaces: MetadataPlaces
    /// Seconds since 1970.
    let start: Int64
    /// Seconds since 1970; never before `start`.
    let end: Int64
    /// Whether the element says that it ends before it starts.
    let endsBeforeStart: Bool
    /// Keys and values, each pair once, without empty values.
    let metadata: [(key: String, value: String)]
    /// Apple's `SyncVersion`; 0 without one.
    ///
    /// Read once: a workout's many members ask for it.
    let syncVersion: UInt64
    /// What names it in all its versions, with kind and type: `HKMetadataKeySyncIdentifier`.
    ///
    /// One that another app may use too is followed by the source name, since two apps on one phone have one hardware;
    /// the source is then part of the name as well.
    let syncIdentifier: String?

    /// Reads the frame of an element with `startDate`, `endDate`, `sourceName`, `sourceVersion`, `device`.
    ///
    /// - Returns: `nil` if a date is missing or wrong: the element is an `unusableRecord`.
    init?(_ element: HealthElement, in context: MappingContext) {
        guard let start = element.fhirInstant("startDate"), let end = element.fhirInstant("endDate") else { return nil }
        self.init(element, start: start, end: end, in: context)
    }

    /// The frame of an element whose time is elsewhere.
    init(_ element: HealthElement, start: Int64, end: Int64, in context: MappingContext) {
        let metadata = Self.metadata(of: element)
        let written = metadata.filter { !FHIRText.isBlank($0.value) }
        func value(_ key: String) -> String { Self.value(of: key, in: written) ?? "" }
        let source = context.source(
            of: element,
            DeviceMetadata(
                serialNumber: value("HKDeviceSerialNumber"),
                udiDeviceIdentifier: value("HKUDIDeviceIdentifier"),
                manufacturer: value("HKDeviceManufacturerName"),
                name: value("HKDeviceName")
            )
        )
        (device, gateway) = (source.device, source.gateway)
        takenPlaces = source.hasUDI ? .udi : []
        self.start = start
        self.end = max(start, end)
        endsBeforeStart = end < start
        self.metadata = metadata
        syncVersion = Self.syncVersion(in: metadata)
        let identifier = Self.value(of: "HKMetadataKeySyncIdentifier", in: metadata)
        let isUnique = identifier.map { $0.utf8.count >= IdentityScheme.uniqueByteCount } ?? false
        identitySource = isUnique ? "" : source.identity
        syncIdentifier = identifier.map { isUnique ? $0 : $0 + IdentityScheme.separator + source.name }
    }

    /// The frame of a sample that has a device and a time, and no element.
    init(device text: DeviceText, start: Int64, end: Int64, in context: MappingContext) {
        let source = context.source(measuring: text)
        (identitySource, device, gateway) = (source.identity, source.device, source.gateway)
        takenPlaces = []
        self.start = start
        self.end = max(start, end)
        endsBeforeStart = end < start
        metadata = []
        syncVersion = 0
        syncIdentifier = nil
    }

    /// The value of a metadata key; of several the greater one, byte by byte, since their order has no meaning.
    subscript(_ key: String) -> String? { Self.value(of: key, in: metadata) }

    /// The same, among entries.
    static func value(of key: String, in metadata: [(key: String, value: String)]) -> String? {
        var greatest: String?
        for entry in metadata where entry.key.isExactly(key) {
            if greatest.map({ IdentityScheme.inByteOrder($0, entry.value) }) ?? true { greatest = entry.value }
        }
        return greatest
    }

    /// The greatest version, since their order has no meaning.
    private static func syncVersion(in metadata: [(key: String, value: String)]) -> UInt64 {
        var version: UInt64 = 0
        for entry in metadata where entry.key.isExactly("HKMetadataKeySyncVersion") {
            version = max(version, RecordMetadata.syncVersion(entry.value.utf8))
        }
        return version
    }

    /// The `MetadataEntry` children, each pair once: Apple writes a workout's twice.
    static func metadata(of element: HealthElement) -> [(key: String, value: String)] {
        // By their bytes: text that compares equal may differ in them.
        let entries = entries(of: element)
        guard entries.count > 1 else { return entries }
        var known: Set<MetadataPair> = []
        return entries.filter { known.insert(MetadataPair(key: $0.key, value: $0.value)).inserted }
    }

    /// The `MetadataEntry` children that have a key and a value.
    static func entries(of element: HealthElement) -> [(key: String, value: String)] {
        element.children.compactMap { entry in
            guard entry.name == .metadataEntry, let key = entry["key"], let value = entry["value"] else { return nil }
            return (key, value)
        }
    }
}

// What an identity has after its value. A meal comes after one empty field and an external UUID after two, since what
// comes before may be missing.
extension SampleFrame {
    /// The food.
    var foodSuffix: String { suffix("HKFoodType", separatorCount: 1) }

    /// The meal.
    var mealSuffix: String { suffix("HKFoodMeal", separatorCount: 2) }

    /// The app's own id: several samples may share one.
    var externalUUIDSuffix: String { suffix("HKExternalUUID", separatorCount: 3) }

    private func suffix(_ key: String, separatorCount: Int) -> String {
        self[key].map { String(repeating: IdentityScheme.separator, count: separatorCount) + $0 } ?? ""
    }
}

extension HealthElement {
    /// The instant of an attribute such as `startDate`; `nil` if it is absent, not a date, or outside FHIR's years.
    func fhirInstant(_ name: String) -> Int64? {
        instant(name).flatMap { FHIRDateTime.range.contains($0) ? $0 : nil }
    }
}
