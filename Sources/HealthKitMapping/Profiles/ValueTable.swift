import FHIRR4

/// Values of enumerations, from the maps of category values, metadata, workouts and the rest.
struct ValueTable: Sendable {
    /// The enumeration with the one case `notApplicable`, for samples that have no value.
    static let notApplicableSystem = appleSystems + "hkcategoryvalue"
    /// The enumeration of what is done in a workout.
    static let workoutActivitySystem = appleSystems + "hkworkoutactivitytype"
    /// Apple's enumerations are systems below this URL, named after the Swift type in lower case.
    static let appleSystems = "https://developer.apple.com/documentation/healthkit/"

    /// What a case means, whatever the type of the sample.
    let byName: [String: ValueMapping]
    private let ownByName: [String: [String: ValueMapping]]
    private let names: [Coding: String]
    private let systems: Set<String>

    init(_ profiles: [Profile<ConceptMapResource>], catalog: TypeCatalog) throws(ProfileError) {
        var shared: [String: [Coding]] = [:]
        var own: [String: [String: [Coding]]] = [:]
        var names: [Coding: String] = [:]
        for profile in profiles {
            for mapping in try profile.mappings(dependingOn: TypeCatalog.system) {
                guard mapping.display != nil || !mapping.system.hasPrefix(Self.appleSystems) else {
                    throw profile.error(at: mapping.key, "no display", expected: "the value in words")
                }
                let coding = Coding(system: mapping.system, code: mapping.code, display: mapping.display)
                if let identifier = mapping.condition {
                    guard catalog.contains(identifier) else {
                        throw profile.error(
                            at: mapping.key,
                            "depends on unknown type \"\(identifier)\"",
                            expected: "a code of \(TypeCatalog.system)"
                        )
                    }
                    own[identifier, default: [:]][mapping.source, default: []].append(coding)
                } else {
                    shared[mapping.source, default: []].append(coding)
                    // Of several names for one number the first in the file is the current one.
                    let number = Coding(system: mapping.system, code: mapping.code)
                    names[number] = names[number] ?? mapping.source
                }
            }
        }
        byName = shared.mapValues(Self.mapping)
        ownByName = own.mapValues { $0.mapValues(Self.mapping) }
        systems = Set(names.keys.map(\.system))
        self.names = names
    }

    /// A value of any enumeration, by its raw number.
    func mapping(of number: String, in system: String) -> ValueMapping? {
        names[Coding(system: system, code: number)].flatMap { byName[$0] }
    }

    /// The values of one type; without one, what they mean for any type.
    func lookup(for identifier: String? = nil) -> ValueLookup {
        let own = identifier.flatMap { ownByName[$0] } ?? [:]
        return ValueLookup(byName: TypedLookup(own: own, shared: byName), names: names)
    }

    /// Checks that each type's values come from enumerations that this map knows.
    func checkSystems(of catalog: TypeCatalog, in profile: Profile<CodeSystemResource>) throws(ProfileError) {
        for entry in catalog.entries {
            for system in entry.valueSystems where !systems.contains(system) {
                throw profile.error(
                    at: entry.identifier,
                    "unknown value-system \"\(system)\"",
                    expected: "a target of the map of category values"
                )
            }
        }
    }

    private static func mapping(_ codings: [Coding]) -> ValueMapping {
        let apple = codings.first { $0.system.hasPrefix(appleSystems) }
        let texts = [apple?.display] + codings.map(\.display) + codings.map(\.code)
        return ValueMapping(codings: codings, text: texts.compactMap(\.self).first ?? "")
    }
}

/// The values of one type, by name or by number.
struct ValueLookup: Sendable {
    let byName: TypedLookup<ValueMapping>
    /// The current name for a number of an enumeration.
    let names: [Coding: String]

    /// What a text means for a type whose values are of these enumerations; `nil` for a case of any other.
    subscript(text: String, in systems: [String]) -> ValueMapping? {
        if let mapping = byName.own.value(ofExactly: text) { return mapping }
        if let mapping = byName.shared.value(ofExactly: text),
            mapping.codings.contains(where: { systems.contains($0.system) })
        {
            return mapping
        }
        for system in systems {
            if let name = names[Coding(system: system, code: text)] { return byName[name] }
        }
        return nil
    }

    /// Every number of an enumeration with its current name and meaning, in ascending order.
    func all(in system: String) -> [(number: Int, name: String, mapping: ValueMapping)] {
        names.compactMap { coding, name in
            guard coding.system == system, let number = Int(coding.code), let mapping = byName[name] else { return nil }
            return (number, name, mapping)
        }.sorted { $0.number < $1.number }
    }
}
