internal import FHIRR4
internal import HealthExport

/// What every record must have to be used, wherever it is; one directly below the root needs its dates too.
package enum RecordRequirement {
    /// Whether a record has a type that is not blank, and a source name no longer than any real one.
    ///
    /// - Parameters:
    ///   - type: the attribute's bytes.
    ///   - sourceName: the same.
    ///   - isRaw: whether they contain unresolved entities.
    /// - Returns: whether it can be used.
    package static func isMet(
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
