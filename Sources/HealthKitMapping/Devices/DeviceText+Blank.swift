internal import FHIRR4
internal import HealthExport

extension DeviceText {
    /// Reads a `device` attribute; a field that is blank is empty, since FHIR can't hold it.
    init(attribute text: String) {
        self.init(text)
        for field in Self.fields { self[keyPath: field] = self[keyPath: field].unlessBlank ?? "" }
    }

    /// What tells one device from another, in an order that ids and digests are frozen with.
    ///
    /// Its name may be a person's, and stands in it only where neither model nor hardware says what it is.
    var described: [String] {
        [
            manufacturer, model, hardware, software, firmware, localIdentifier, udiDeviceIdentifier, shownName,
        ]
    }

    /// Its name where nothing else says what it is, else nothing.
    var shownName: String { model.isEmpty && hardware.isEmpty ? name : "" }

    private static var fields: [WritableKeyPath<DeviceText, String>] {
        [
            \.name, \.manufacturer, \.model, \.hardware, \.firmware, \.software, \.localIdentifier,
            \.udiDeviceIdentifier,
        ]
    }
}
