internal import FHIRR4
internal import HealthExport

extension DeviceText {
    /// Reads a `device` attribute; a field that is blank is empty, since FHIR can't hold it.
    init(attribute text: String) {
        self.init(text)
        for field in Self.fields { self[keyPath: field] = self[keyPath: field].unlessBlank ?? "" }
    }

    private static var fields: [WritableKeyPath<DeviceText, String>] {
        [
            \.name, \.manufacturer, \.model, \.hardware, \.firmware, \.software, \.localIdentifier,
            \.udiDeviceIdentifier,
        ]
    }
}
