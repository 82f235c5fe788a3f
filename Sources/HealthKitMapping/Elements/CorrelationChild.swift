internal import FHIRR4
internal import HealthExport

/// A record inside a correlation, which is at the top of the file once more.
final class CorrelationChild: Sendable {
    let type: String
    let value: String
    let unit: String?
    /// Who measured it when, and its metadata.
    let frame: SampleFrame
    /// The id that it has as an Observation of its own.
    let id: ResourceID
    /// Its value as its identity has it.
    let identityValue: String
    private let context: MappingContext
    private let record: HealthElement

    /// Reads a child; `nil` if it is not a record that can be written.
    init?(_ record: HealthElement, in context: MappingContext) {
        guard record.name == .record, let type = record["type"], !FHIRText.isBlank(type),
            let frame = SampleFrame(record, in: context)
        else { return nil }
        self.type = type
        self.context = context
        self.record = record
        value = record["value"] ?? ""
        unit = record["unit"]
        self.frame = frame
        identityValue = Self.identityValue(type: type, unit: unit, value: value)
        let reason = frame["HKInsulinDeliveryReason"].map { IdentityScheme.separator + $0 } ?? ""
        let named = identityValue + frame.foodSuffix + reason + frame.mealSuffix + frame.externalUUIDSuffix
        // Unlike a frame's end, that of an identity may be before the start.
        let end = record.instant("endDate") ?? frame.end
        // A sync identifier names a sample by itself, without its time.
        let identifier = frame.syncIdentifier
        id = context.scheme.id(
            kind: SampleKind(type: type).rawValue,
            type: type,
            source: frame.identitySource,
            start: identifier == nil ? String(frame.start) : "",
            end: identifier == nil ? String(end) : "",
            value: identifier ?? named
        )
    }

    /// The value by the rules of docs/formats.md, "Observation of a Record".
    static func identityValue(type: String, unit: String?, value: String) -> String {
        if SampleKind(type: type) == .category { return CategoryNumbers.identityText(of: value) }
        guard let number = ExactDecimal(value) else { return value }
        guard let unit, !unit.isEmpty else { return CanonicalUnit.itself.canonical(number).text }
        guard let rule = CanonicalUnit.rule(for: unit) else {
            return CanonicalUnit.itself.canonical(number).text + " " + unit
        }
        return rule.canonical(number).text
    }

    /// Whether it comes before another in a panel: by id, of twins the higher rank, then the greater digest of the
    /// element, whatever their order in the file.
    static func isBefore(_ one: CorrelationChild, _ other: CorrelationChild) -> Bool {
        guard one.id == other.id else { return one.id < other.id }
        let (rank, rankOfOther) = (one.frame.syncVersion, other.frame.syncVersion)
        guard rank == rankOfOther else { return rank > rankOfOther }
        return one.context.scheme.digest(of: one.record) > other.context.scheme.digest(of: other.record)
    }

    /// What names a correlation in addition to its source and time: its children's types and values, sorted.
    ///
    /// A child that is repeated counts once; two that only agree in type and value are two.
    static func identityValue(of children: [CorrelationChild]) -> String {
        var known: Set<[UInt8]> = []
        return children.map { (id: $0.id.text, text: $0.type + "=" + $0.identityValue) }
            .filter { known.insert(Array(($0.id + $0.text).utf8)).inserted }
            .map(\.text).sorted(by: IdentityScheme.inByteOrder).joined(separator: IdentityScheme.separator)
    }
}
