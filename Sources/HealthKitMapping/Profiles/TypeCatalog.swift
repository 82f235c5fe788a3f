/// The HealthKit types that exist, and words for Apple's other names that are written as codes, from the code system.
struct TypeCatalog {
    /// The system of Apple's identifiers, which HealthKitOnFHIR uses too.
    static let system = "http://developer.apple.com/documentation/healthkit"

    struct Entry {
        let identifier: String
        let display: String
        let kind: TypeMapping.Kind
        let appleUnits: [String]
        let valueSystems: [String]
    }

    /// Every type but the aliases, sorted by identifier.
    let entries: [Entry]
    let aliases: [String: String]
    /// Words for a code that is not a type, such as a metadata key.
    let otherDisplays: [String: String]
    /// The place of each identifier in `entries`.
    let positions: [String: Int]

    init(_ profile: Profile<CodeSystemResource>) throws(ProfileError) {
        guard profile.resource.url == Self.system else {
            throw profile.error(at: "url", "\"\(profile.resource.url)\"", expected: "\"\(Self.system)\"")
        }
        var aliases: [String: String] = [:]
        var entries: [Entry] = []
        var otherDisplays: [String: String] = [:]
        for concept in profile.resource.concept {
            if concept.values(of: "kind") == ["other"] {
                otherDisplays[concept.code] = concept.display
            } else if let identifier = concept.values(of: "alias-of").first {
                aliases[concept.code] = identifier
            } else {
                entries.append(try Self.entry(concept, of: profile))
            }
        }
        entries.sort { $0.identifier < $1.identifier }
        var positions: [String: Int] = [:]
        for (position, entry) in entries.enumerated() {
            guard positions.updateValue(position, forKey: entry.identifier) == nil else {
                throw profile.error(at: entry.identifier, "twice", expected: "each code once")
            }
        }
        for (alias, identifier) in aliases where positions[identifier] == nil {
            throw profile.error(at: alias, "alias of \"\(identifier)\"", expected: "a code of this file")
        }
        self.entries = entries
        self.aliases = aliases
        self.otherDisplays = otherDisplays
        self.positions = positions
    }

    /// Whether an export can hold samples of the type under this identifier.
    func contains(_ identifier: String) -> Bool { positions[identifier] != nil }

    private static func entry(
        _ concept: CodeSystemResource.Concept,
        of profile: Profile<CodeSystemResource>
    ) throws(ProfileError) -> Entry {
        let key = concept.code
        guard let kind = concept.values(of: "kind").first.flatMap(TypeMapping.Kind.init(rawValue:)) else {
            throw profile.error(at: key, "no kind", expected: "property kind, quantity or category")
        }
        let entry = Entry(
            identifier: concept.code,
            display: concept.display,
            kind: kind,
            appleUnits: concept.values(of: "unit"),
            valueSystems: concept.values(of: "value-system")
        )
        switch kind {
        case .quantity where entry.appleUnits.isEmpty:
            throw profile.error(at: key, "no unit", expected: "property unit, once or more")
        case .category where entry.valueSystems.isEmpty:
            throw profile.error(at: key, "no value system", expected: "property value-system, once or more")
        default: return entry
        }
    }
}
