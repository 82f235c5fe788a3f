/// Which of the scopes that a client asks for are granted.
enum GrantedScope {
    /// Limits, since each request reads the scopes of its token again.
    private static let (maximumByteCount, maximumCount) = (8 << 10, 100)

    /// For a person's sign-in: everything known but `system/`.
    static func forPerson(_ requested: String) throws(OAuthFault) -> String {
        try granted(requested) { $0.context != .system }
    }

    /// For a client by itself (SMART backend services): `system/` alone.
    static func forClient(_ requested: String) throws(OAuthFault) -> String {
        try granted(requested, words: []) { $0.context == .system }
    }

    /// A refresh may ask for less (RFC 6749, section 6).
    static func narrowed(_ scope: String, to requested: String?) throws(OAuthFault) -> String {
        guard let requested else { return scope }
        let had = Set(scope.split(separator: " "))
        let wanted = try words(requested)
        guard !wanted.isEmpty, wanted.allSatisfy(had.contains) else {
            throw OAuthFault(.invalidScope, "the scope is wider than what was granted")
        }
        return wanted.joined(separator: " ")
    }

    static func names(_ scope: String, _ word: String) -> Bool {
        scope.split(separator: " ").contains { $0 == word }
    }

    /// Whether the bearer is told which patient: SMART's launch context.
    static func namesPatient(_ scope: String) -> Bool {
        scope.split(separator: " ").contains {
            $0 == "launch/patient" || $0 == "observations.write" || $0.hasPrefix("patient/")
        }
    }

    /// The known scopes other than those for FHIR resources (`patient/*.cruds`).
    static let words = [
        "openid", "fhirUser", "profile", "launch/patient", "offline_access", "online_access", "observations.write",
    ]

    /// The distinct words of a scope.
    private static func words(_ scope: String) throws(OAuthFault) -> [Substring] {
        var known: Set<Substring> = []
        let words =
            scope.utf8.count > maximumByteCount ? nil : scope.split(separator: " ").filter { known.insert($0).inserted }
        guard let words, words.count <= maximumCount else {
            throw OAuthFault(
                .invalidScope,
                "the scope is too long (expected \(maximumByteCount) bytes and \(maximumCount) scopes at most)"
            )
        }
        return words
    }

    private static func granted(
        _ requested: String,
        words: [String] = words,
        _ isAllowed: (AccessScope) -> Bool
    ) throws(OAuthFault) -> String {
        let granted = try Self.words(requested).filter { word in
            words.contains { $0 == word } || AccessScope(word).map(isAllowed) ?? false
        }
        guard !granted.isEmpty else {
            throw OAuthFault(.invalidScope, "none of these scopes is granted here (see scopes_supported)")
        }
        return granted.joined(separator: " ")
    }
}
