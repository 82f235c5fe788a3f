internal import FHIRR4
internal import HealthExport

/// What a record must have to be used at all, wherever it stands; one directly below the root needs its dates too.
public enum RecordRequirement {
    /// Whether a record has a type that is not blank, and no name of a source that is longer than any real one.
    ///
    /// - Parameters:
    ///   - type: the attribute's bytes.
    ///   - sourceName: the same.
    ///   - isRaw: whether entities stand in them unresolved.
    /// - Returns: whether it can be used.
    public static func isMet(
        type: UnsafeRawBufferPointer,
        sourceName: UnsafeRawBufferPointer,
        isRaw: Bool
    ) -> Bool {
        guard type.count > 0, unsafe !FHIRText.isBlank(type) else { return false }
        guard sourceName.count > SourceName.maximumByteCount else { return true }
        guard isRaw else { return false }
        let name = unsafe PredefinedEntities.resolved(String(decoding: sourceName, as: UTF8.self))
        return name.utf8.count <= SourceName.maximumByteCount
    }
}
