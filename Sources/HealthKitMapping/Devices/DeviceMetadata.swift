/// What a sample's metadata says about the device that measured it, where the device text does not.
///
///     <MetadataEntry key="HKDeviceManufacturerName" value="Omron"/>
///
/// Source: <https://developer.apple.com/documentation/healthkit/samples/metadata_keys>, "Device".
struct DeviceMetadata: Sendable {
    /// `HKDeviceSerialNumber`.
    var serialNumber = ""
    /// `HKUDIDeviceIdentifier`: the FDA's identifier.
    var udiDeviceIdentifier = ""
    /// `HKDeviceManufacturerName`.
    var manufacturer = ""
    /// `HKDeviceName`.
    var name = ""

    /// All four, for a lookup key.
    var fields: [String] { [serialNumber, udiDeviceIdentifier, manufacturer, name] }
}
