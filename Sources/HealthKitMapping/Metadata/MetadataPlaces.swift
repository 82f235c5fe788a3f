/// Which places for metadata a resource has; what finds none becomes an extension.
struct MetadataPlaces: OptionSet, Sendable {
    let rawValue: Int

    /// The elements of an Observation, such as `category` and `method`.
    static let elements = MetadataPlaces(rawValue: 1)
    /// Components of any unit, which R4's vital-signs profiles don't allow.
    static let components = MetadataPlaces(rawValue: 2)
    /// A number of its own: a comparator can stand before it, and a reference range is its.
    static let number = MetadataPlaces(rawValue: 4)

    /// Those of a record.
    static func record(isVitalSign: Bool, hasNumber: Bool) -> MetadataPlaces {
        var places: MetadataPlaces = .elements
        if !isVitalSign { places.insert(.components) }
        if hasNumber { places.insert(.number) }
        return places
    }

    /// Those of an Observation without a number of its own.
    static let panel: MetadataPlaces = [.elements, .components]
}
