internal import FHIRR4
internal import HealthKitMapping
internal import TransactionBundling

extension ConversionOptions {
    /// Refuses options with which nothing would be converted, or not what was meant.
    ///
    /// - Throws: `ExportPipelineError`, with a case for each option.
    func check() throws(ExportPipelineError) {
        guard LogicalID.isValid(mapping.patientID) else { throw .patientID }
        if let zone = mapping.timeZone, !isKnownTimeZone(zone) { throw .timeZone(zone) }
        if let since = mapping.since, let until = mapping.until, since >= until { throw .span }
        if let key = mapping.identityKey, !MappingOptions.identityKeyByteCounts.contains(key.count) {
            throw .identityKey
        }
        guard limits.isUsable else { throw .limits }
    }

    /// Refuses names that are not types of samples.
    ///
    /// - Throws: `ExportPipelineError.type`.
    func checkTypes(_ table: MappingTable) throws(ExportPipelineError) {
        for type in (mapping.types ?? []).sorted() where !ElementMapper.isType(type, in: table) { throw .type(type) }
    }
}

extension BundleLimits {
    fileprivate var isUsable: Bool {
        Self.entryCounts.contains(maximumEntryCount) && Self.byteCounts.contains(maximumByteCount)
            && minimumEntryCount >= 1 && boundaryModulus >= 1
    }
}
