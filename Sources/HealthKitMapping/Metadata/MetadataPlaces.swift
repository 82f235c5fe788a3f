/// Which places for metadata a resource has; what has no place becomes an extension.
struct MetadataPlaces: OptionSet, Sendable {
    let rawValue: UInt8

    /// The elements of an Observation, such as `category` and `method`.
    static let elements = MetadataPlaces(rawValue: 1)
    /// Components of any unit, which R4's vital-signs profiles don't allow.
    static let components = MetadataPlaces(rawValue: 2)
    /// A number of its own, which can have a comparator and a reference range.
    static let number = MetadataPlaces(rawValue: 4)
    /// A further category, unless the resource is in category `laboratory` anyway.
    static let laboratory = MetadataPlaces(rawValue: 8)
    /// A Device that has no UDI of its own.
    static let udi = MetadataPlaces(rawValue: 16)

    /// Those of an Observation that claims a vital-signs profile and has no number of its own.
    static let vitalSignsPanel: MetadataPlaces = [.elements, .laboratory, .udi]
    /// Those of any other Observation without a number of its own.
    static let panel: MetadataPlaces = [.vitalSignsPanel, .components]
}
