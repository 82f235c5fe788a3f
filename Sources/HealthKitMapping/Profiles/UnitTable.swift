/// Apple's units in UCUM, from the map of units.
package struct UnitTable: Sendable {
    /// Units that mean the same, whatever is measured.
    let shared: [String: UnitMapping]
    /// Units by type, for types that give them a meaning of their own.
    private let own: [String: [String: UnitMapping]]

    init(_ profile: Profile<ConceptMapResource>, catalog: TypeCatalog) throws(ProfileError) {
        var shared: [String: UnitMapping] = [:]
        var own: [String: [String: UnitMapping]] = [:]
        for mapping in try profile.mappings(dependingOn: TypeCatalog.system) {
            guard let display = mapping.display else {
                throw profile.error(at: mapping.key, "no display", expected: "the label for people")
            }
            let unit = UnitMapping(ucumCode: mapping.code, display: display)
            let replaced: UnitMapping?
            if let identifier = mapping.condition {
                guard catalog.contains(identifier) else {
                    throw profile.error(
                        at: mapping.key,
                        "depends on unknown type \"\(identifier)\"",
                        expected: "a code of \(TypeCatalog.system)"
                    )
                }
                replaced = own[identifier, default: [:]].updateValue(unit, forKey: mapping.source)
            } else {
                replaced = shared.updateValue(unit, forKey: mapping.source)
            }
            guard replaced == nil else {
                throw profile.error(at: mapping.key, "two targets", expected: "one, or one for each type")
            }
        }
        for entry in catalog.entries {
            for unit in entry.appleUnits where shared[unit] == nil && own[entry.identifier]?[unit] == nil {
                throw profile.error(
                    at: unit,
                    "missing",
                    expected: "a UCUM code, since \(entry.identifier) has this unit"
                )
            }
        }
        self.shared = shared
        self.own = own
    }

    /// The units of one type.
    func lookup(for identifier: String) -> TypedLookup<UnitMapping> {
        TypedLookup(own: own[identifier] ?? [:], shared: shared)
    }

    /// Every unit's general meaning, followed by what it means for single types; sorted.
    var all: [(appleUnit: String, identifier: String?, unit: UnitMapping)] {
        shared.sorted { $0.key < $1.key }.flatMap { appleUnit, unit in
            [(appleUnit, nil, unit)]
                + own.compactMap { identifier, units in units[appleUnit].map { (appleUnit, identifier, $0) } }
                .sorted { $0.1 < $1.1 }
        }
    }

    /// `mmol/L` for `mmol<180.1558800000541>/L`: the molar mass gives the substance, which the type gives too.
    package static func withoutMolarMass(_ appleUnit: String) -> String {
        // Walking through its characters costs ten times as much as looking for the byte.
        guard appleUnit.utf8.contains(UInt8(ascii: "<")), let open = appleUnit.firstIndex(of: "<"),
            let close = appleUnit[open...].firstIndex(of: ">")
        else { return appleUnit }
        return String(appleUnit[..<open]) + appleUnit[appleUnit.index(after: close)...]
    }
}
