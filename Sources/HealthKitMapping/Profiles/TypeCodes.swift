import FHIRR4

/// Each type's standard codes and its category, from the map of types.
struct TypeCodes {
    private static let categorySystem = "http://terminology.hl7.org/CodeSystem/observation-category"

    private let profile: Profile<ConceptMapResource>
    private var standard: [String: [StandardCoding]] = [:]
    private var categories: [String: [String]] = [:]

    init(_ profile: Profile<ConceptMapResource>, catalog: TypeCatalog) throws(ProfileError) {
        self.profile = profile
        for mapping in try profile.mappings(dependingOn: CodeSystem.ucum) {
            guard catalog.contains(mapping.source) else {
                throw profile.error(at: mapping.key, "unknown type", expected: "a code of \(TypeCatalog.system)")
            }
            if mapping.system == Self.categorySystem {
                categories[mapping.source, default: []].append(mapping.code)
            } else {
                let coding = Coding(system: mapping.system, code: mapping.code, display: mapping.display)
                standard[mapping.source, default: []].append(
                    StandardCoding(coding: coding, ucumCode: mapping.condition)
                )
            }
        }
    }

    /// The standard codes, in the order of the file.
    func codings(of identifier: String) -> [StandardCoding] { standard[identifier] ?? [] }

    /// The category: exactly one for each type, since a server finds Observations by it.
    func category(of identifier: String) throws(ProfileError) -> String {
        let codes = categories[identifier] ?? []
        guard let code = codes.first, codes.count == 1 else {
            throw profile.error(
                at: identifier,
                "\(codes.count) categories",
                expected: "exactly one code of \(Self.categorySystem)"
            )
        }
        return code
    }
}
