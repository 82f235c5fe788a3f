/// One SMART scope for resources (App Launch 2.2, section 3): `patient/Observation.cu`, `system/*.read`.
struct AccessScope: Sendable, Equatable {
    enum Context: String, Sendable {
        case patient, user, system
    }

    enum Interaction: Character, Sendable, CaseIterable {
        case create = "c"
        case read = "r"
        case update = "u"
        case delete = "d"
        case search = "s"
    }

    let context: Context
    /// `nil` for all types.
    let type: ResourceType?
    let interactions: Set<Interaction>

    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let context = Context(rawValue: String(parts[0])) else { return nil }
        let sides = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        self.context = context
        if sides[0] == "*" {
            type = nil
        } else {
            guard let type = ResourceType(rawValue: String(sides[0])) else { return nil }
            self.type = type
        }
        switch sides[1] {
        case "read": interactions = [.read, .search]
        case "write": interactions = [.create, .update, .delete]
        case "*": interactions = Set(Interaction.allCases)
        default:
            // Letters in the order of "cruds", each once.
            let letters = sides[1].compactMap(Interaction.init)
            let order = Interaction.allCases.filter(letters.contains)
            guard !letters.isEmpty, letters.count == sides[1].count, letters == order else { return nil }
            interactions = Set(letters)
        }
    }
}

/// What the bearer of an access token may do.
struct AccessGrant: Sendable, Equatable {
    let client: String
    let patient: String?
    private let scopes: [AccessScope]

    init(client: String, scopes: [String], patient: String?) {
        self.client = client
        self.patient = patient
        // The Client-Facing Integration Server's own scope: writing what a person's devices measured.
        self.scopes = scopes.compactMap { AccessScope($0 == "observations.write" ? "patient/*.cu" : $0) }
    }

    /// - Throws: status 403 without a scope for it.
    func require(_ interaction: AccessScope.Interaction, _ type: ResourceType) throws(Refusal) {
        guard !allowing(interaction, type).isEmpty else {
            throw Refusal.insufficientScope(
                "the token's scope does not allow this (expected one with \(type.rawValue).\(interaction.rawValue))"
            )
        }
    }

    /// - Throws: status 403 where only scopes for another patient allow it.
    func require(
        _ interaction: AccessScope.Interaction,
        _ type: ResourceType,
        of owner: String?
    ) throws(Refusal) {
        guard !allows(interaction, type, of: owner) else { return }
        try require(interaction, type)
        throw Refusal.insufficientScope("the token is for another patient's data")
    }

    func allows(_ interaction: AccessScope.Interaction, _ type: ResourceType, of owner: String?) -> Bool {
        guard !allowing(interaction, type).isEmpty else { return false }
        return patientLimit(interaction, type).map { $0 == owner } ?? true
    }

    /// The patient whose resources alone may be accessed; `nil` for no limit.
    func patientLimit(_ interaction: AccessScope.Interaction, _ type: ResourceType) -> String? {
        Self.isUnlimited(allowing(interaction, type)) ? nil : patient ?? ""
    }

    /// The patient among whose resources alone conditions match, whichever scope reaches them; `nil` for no limit.
    ///
    /// A client that may only create is still told that something exists.
    func matchLimit(_ type: ResourceType) -> String? {
        Self.isUnlimited(reaching(type)) ? nil : patient ?? ""
    }

    /// What the bearer may do with every patient's resources, such as `Observation.r`.
    ///
    /// A bearer that reaches at least as much gets no other answer.
    var reach: Set<String> {
        Set(
            ResourceType.allCases.flatMap { type in
                AccessScope.Interaction.allCases.filter { Self.isUnlimited(allowing($0, type)) }
                    .map { "\(type.rawValue).\($0.rawValue)" }
            }
        )
    }

    private static func isUnlimited(_ scopes: [AccessScope]) -> Bool { scopes.contains { $0.context != .patient } }

    private func allowing(_ interaction: AccessScope.Interaction, _ type: ResourceType) -> [AccessScope] {
        reaching(type).filter { $0.interactions.contains(interaction) }
    }

    private func reaching(_ type: ResourceType) -> [AccessScope] {
        scopes.filter { $0.type == nil || $0.type == type }
    }
}
