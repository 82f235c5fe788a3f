/// The part of a FHIR resource that the mapping reads; other keys are for people and other tools.
protocol ProfileResource: Decodable, Equatable {
    static var expectedType: String { get }
    var resourceType: String { get }

    /// Reads the rows that are built into the program.
    init(_ rows: consuming ProfileRows)
}

/// FHIR's `CodeSystem`: the types that exist and what Apple says about each.
///
/// Source: <https://hl7.org/fhir/R4/codesystem.html>.
struct CodeSystemResource: ProfileResource {
    static let expectedType = "CodeSystem"

    let resourceType: String
    let version: String
    let url: String
    let concept: [Concept]

    struct Concept: Decodable, Equatable {
        let code: String
        let display: String
        let property: [Property]

        /// The values of a property, in the order of the file.
        func values(of code: String) -> [String] {
            property.filter { $0.code == code }.compactMap { $0.valueCode ?? $0.valueString }
        }
    }

    struct Property: Decodable, Equatable {
        let code: String
        let valueCode: String?
        let valueString: String?
    }

    init(_ rows: consuming ProfileRows) {
        let head = rows.next("r")
        resourceType = head?[0] ?? ""
        version = head?[1] ?? ""
        url = head?[2] ?? ""
        var concepts: [Concept] = []
        while let concept = rows.next("c") {
            var properties: [Property] = []
            while let property = rows.next("p") {
                properties.append(
                    Property(code: property[0], valueCode: property.text(1), valueString: property.text(2))
                )
            }
            concepts.append(Concept(code: concept[0], display: concept[1], property: properties))
        }
        concept = concepts
    }
}

/// FHIR's `ConceptMap`: for a code of one system, codes of others.
///
/// Source: <https://hl7.org/fhir/R4/conceptmap.html>.
struct ConceptMapResource: ProfileResource {
    static let expectedType = "ConceptMap"

    let resourceType: String
    let version: String
    let group: [Group]

    struct Group: Decodable, Equatable {
        let source: String
        let target: String
        let element: [Element]
    }

    struct Element: Decodable, Equatable {
        let code: String
        let target: [Target]
    }

    struct Target: Decodable, Equatable {
        let code: String?
        let display: String?
        let equivalence: String
        let dependsOn: [Dependency]?
    }

    /// A code that something else must have for the target to apply: here a unit or a HealthKit type.
    struct Dependency: Decodable, Equatable {
        let system: String
        let value: String
    }

    init(_ rows: consuming ProfileRows) {
        let head = rows.next("r")
        resourceType = head?[0] ?? ""
        version = head?[1] ?? ""
        var groups: [Group] = []
        while let group = rows.next("g") {
            var elements: [Element] = []
            while let element = rows.next("e") {
                var targets: [Target] = []
                while let target = rows.next("t") { targets.append(Target(target)) }
                elements.append(Element(code: element[0], target: targets))
            }
            groups.append(Group(source: group[0], target: group[1], element: elements))
        }
        group = groups
    }
}

extension ConceptMapResource.Target {
    fileprivate init(_ row: ProfileRows.Row) {
        let needs = stride(from: 3, to: row.count, by: 2).map { cell in
            ConceptMapResource.Dependency(system: row[cell], value: row[cell + 1])
        }
        self.init(
            code: row.text(0),
            display: row.text(1),
            equivalence: row[2],
            dependsOn: needs.isEmpty ? nil : needs
        )
    }
}

extension Profile<ConceptMapResource> {
    /// A target that has a code, and where it is in the file.
    struct Mapping {
        let source: String
        let system: String
        let code: String
        let display: String?
        /// The code of `dependencySystem` that must hold, if the target depends on one.
        let condition: String?
        let key: String
    }

    /// Every target that has a code, in the order of the file; `unmatched` ones have none.
    ///
    /// - Parameter dependencySystem: the only system that a target of this map may depend on.
    /// - Returns: the targets, each with its element's code.
    /// - Throws: ``ProfileError`` for a target without a code, or one that depends on anything else.
    func mappings(dependingOn dependencySystem: String) throws(ProfileError) -> [Mapping] {
        var mappings: [Mapping] = []
        for group in resource.group {
            for element in group.element {
                for target in element.target where target.equivalence != "unmatched" && target.equivalence != "disjoint"
                {
                    let key = "\(element.code) in \(group.target)"
                    guard let code = target.code else {
                        throw error(at: key, "no code", expected: "a code, or equivalence \"unmatched\"")
                    }
                    let dependencies = target.dependsOn ?? []
                    guard dependencies.count < 2, dependencies.allSatisfy({ $0.system == dependencySystem }) else {
                        throw error(at: key, "wrong dependsOn", expected: "at most one, on \(dependencySystem)")
                    }
                    mappings.append(
                        Mapping(
                            source: element.code,
                            system: group.target,
                            code: code,
                            display: target.display,
                            condition: dependencies.first?.value,
                            key: key
                        )
                    )
                }
            }
        }
        return mappings
    }
}
