/// The scopes that a sign-in asks for when the user names none: what delivering and verifying need.
///
/// Source: SMART App Launch 2.2, "Scopes and launch context".
package enum Scopes {
    /// The resource types that exports become.
    private static let written = ["Observation", "Device", "DocumentReference", "VisionPrescription"]

    /// Asks for a refresh token (OpenID Connect Core 1.0, section 11).
    package static let offlineAccess = "offline_access"

    /// `patient/Observation.crus` and so on, in the form that the server knows.
    ///
    /// A person's name and the patient in context are asked for where the server lists them, or lists nothing. Refresh
    /// tokens always are: some servers give them and don't list their scope (RFC 8414, section 2).
    static func standard(for method: SignInMethod, at server: AuthorizationServer) -> [String] {
        let isFirstVersion = server.knowsFirstVersionAlone
        let context = method == .backendService ? "system" : "patient"
        var scopes: [String] = []
        if method != .backendService {
            scopes = ["openid", "fhirUser", "launch/patient"].filter { server.scopes?.contains($0) ?? true }
            scopes.append(offlineAccess)
            // Without keys an ID token can't be checked, so none is asked for.
            if server.issuer == nil || server.jwksURL == nil {
                scopes.removeAll { $0 == "openid" || $0 == "fhirUser" }
            }
        }
        for type in written {
            scopes +=
                isFirstVersion ? ["\(context)/\(type).read", "\(context)/\(type).write"] : ["\(context)/\(type).crus"]
        }
        scopes.append(isFirstVersion ? "\(context)/Patient.read" : "\(context)/Patient.r")
        return scopes
    }

    /// Whether a scope that was granted allows all that another asks for: `system/*.cruds` covers `system/Device.crus`.
    ///
    /// - Parameters:
    ///   - granted: as the server gave it, in either version of SMART's scopes.
    ///   - requested: as it was asked for; one with a search after `?` is covered only by the same scope.
    /// - Returns: `true` for equal ones too.
    package static func allows(_ granted: String, _ requested: String) -> Bool {
        if granted == requested { return true }
        guard let granted = Parts(granted), let requested = Parts(requested) else { return false }
        return granted.context == requested.context && (granted.type == "*" || granted.type == requested.type)
            && granted.permissions.isSuperset(of: requested.permissions)
    }

    /// `patient/Observation.rs`, taken apart.
    private struct Parts {
        let context, type: Substring
        let permissions: Set<Character>

        init?(_ scope: String) {
            guard let slash = scope.firstIndex(of: "/"), let dot = scope.lastIndex(of: "."), slash < dot else {
                return nil
            }
            (context, type) = (scope[..<slash], scope[scope.index(after: slash)..<dot])
            let text = scope[scope.index(after: dot)...]
            switch text {
            case "read": permissions = ["r", "s"]
            case "write": permissions = ["c", "u", "d"]
            case "*": permissions = ["c", "r", "u", "d", "s"]
            default: permissions = Set(text)
            }
            guard !text.isEmpty, permissions.isSubset(of: "cruds") else { return nil }
        }
    }

    /// A list as people write it, such as `openid user/Observation.crus`, without repetitions.
    package static func list(_ text: String) -> [String] {
        text.split { $0 == " " || $0 == "," }.map(String.init).reduce(into: []) { list, scope in
            if !list.contains(scope) { list.append(scope) }
        }
    }
}

extension AuthorizationServer {
    /// Whether it knows only `.read` and `.write`: it says so, or says nothing and lists no others.
    ///
    /// The capabilities came with the second version of SMART's scopes.
    fileprivate var knowsFirstVersionAlone: Bool {
        if capabilities.contains("permission-v2") { return false }
        if capabilities.contains("permission-v1") { return true }
        let endings = Set(
            (scopes ?? []).compactMap { scope in
                // Not a context, such as `launch/patient`, and not a scope of OpenID.
                scope.lastIndex(of: ".").flatMap { scope[..<$0].contains("/") ? scope[$0...].dropFirst() : nil }
            }
        )
        return !endings.isDisjoint(with: ["read", "write"]) && endings.isSubset(of: ["read", "write", "*"])
    }
}
