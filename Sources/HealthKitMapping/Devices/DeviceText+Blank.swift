internal import FHIRR4
internal import HealthExport

extension DeviceText {
    /// Reads a `device` attribute; a blank field becomes empty, since FHIR can't hold it.
    init(attribute text: String) {
        self.init(text)
        for field in Self.fields { self[keyPath: field] = self[keyPath: field].unlessBlank ?? "" }
    }

    /// What distinguishes one device from another, in an order that is frozen with ids and digests.
    ///
    /// Its name may be a person's, and is included only if neither model nor hardware says what it is.
    var described: [String] {
        [
            manufacturer, model, hardware, software, firmware, localIdentifier, udiDeviceIdentifier, shownName,
        ]
    }

    /// Its name if nothing else says what it is; else nothing.
    var shownName: String { model.isEmpty && hardware.isEmpty ? name : "" }

    private static var fields: [WritableKeyPath<DeviceText, String>] {
        [
            \.name, \.manufacturer, \.model, \.hardware, \.firmware, \.software, \.localIdentifier,
            \.udiDeviceIdentifier,
        ]
    }
}
