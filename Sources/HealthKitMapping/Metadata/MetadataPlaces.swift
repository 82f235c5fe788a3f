/// Which places for metadata a resource has; what finds none becomes an extension.
struct MetadataPlaces: OptionSet, Sendable {
    let rawValue: UInt8

    /// The elements of an Observation, such as `category` and `method`.
    static let elements = MetadataPlaces(rawValue: 1)
    /// Components of any unit, which R4's vital-signs profiles don't allow.
    static let components = MetadataPlaces(rawValue: 2)
    /// A number of its own: a comparator can stand before it, and a reference range is its.
    static let number = MetadataPlaces(rawValue: 4)
    /// A further category, which what is a laboratory's anyway does not take.
    static let laboratory = MetadataPlaces(rawValue: 8)
    /// A Device that has no UDI of its own.
    static let udi = MetadataPlaces(rawValue: 16)

    /// Those of an Observation that claims a vital-signs profile and has no number of its own.
    static let vitalSignsPanel: MetadataPlaces = [.elements, .laboratory, .udi]
    /// Those of any other one without a number of its own.
    static let panel: MetadataPlaces = [.vitalSignsPanel, .components]
}
