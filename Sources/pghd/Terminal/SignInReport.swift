import FHIRR4
import OpenIDConnect

/// What `login` and `status` say about a sign-in, without any token.
///
/// The keys of its JSON are stable.
struct SignInReport: Encodable {
    let server: String
    let signedIn: Bool
    let method: SignInMethod
    let clientID: String
    let issuer: String?
    let subject: Who?
    let scopes: Scopes
    /// When the access token ends; `renewable` says whether a new one comes without a person.
    let accessTokenExpires: String?
    let renewable: Bool
    /// When the refresh token ends, unless it is used before.
    let refreshTokenExpires: String?
    let clockSkewSeconds: Int?
    /// Whether the server has said that it lets the client renew tokens for as long as nobody signs out.
    private let isLasting: Bool

    struct Who: Encodable {
        let id, name, fhirUser, patient: String?
    }

    struct Scopes: Encodable {
        let requested, granted, notGranted, notRequested: [String]
    }

    private enum CodingKeys: String, CodingKey {
        case server, signedIn, method
        case clientID = "clientId"
        case issuer, subject, scopes, accessTokenExpires, renewable, refreshTokenExpires, clockSkewSeconds
    }

    init(_ credential: Credential, clockSkewSeconds: Int?) {
        let granted = credential.tokens?.grantedScopes ?? []
        let requested = credential.requestedScopes
        server = credential.server
        method = credential.method
        clientID = credential.clientID
        issuer = credential.issuer
        subject = credential.subject.map {
            Who(id: $0.identifier, name: $0.name, fhirUser: $0.fhirUser, patient: $0.patient)
        }
        scopes = Scopes(
            requested: requested,
            granted: granted,
            notGranted: credential.tokens == nil
                ? []
                : requested.filter { scope in
                    !granted.contains { OpenIDConnect.Scopes.allows($0, scope) }
                },
            notRequested: granted.filter { !requested.contains($0) }
        )
        let expiry = credential.tokens?.expiry
        accessTokenExpires = expiry.map {
            FHIRDateTime.utcText(Int64($0.wallSeconds))
        }
        let isService = credential.method == .backendService
        let refreshExpiry = isService ? nil : credential.tokens?.refreshExpiry
        refreshTokenExpires = refreshExpiry.map { FHIRDateTime.utcText(Int64($0.wallSeconds)) }
        let hasEnded = refreshExpiry.map { $0.secondsLeft() <= 0 } ?? false
        renewable = credential.tokens.map { isService || ($0.refreshToken != nil && !hasEnded) } ?? false
        isLasting = isService || granted.contains(OpenIDConnect.Scopes.offlineAccess)
        signedIn = credential.tokens != nil && (renewable || expiry.map { $0.secondsLeft() > 0 } ?? true)
        self.clockSkewSeconds = clockSkewSeconds
    }

    var json: String { ReportForm.json(self) }

    /// Server and state: what `status` says.
    var shortText: String {
        table([("signed in", who)] + (signedIn ? [("until", until)] : []))
    }

    /// All of it: what `login` and `status --verbose` say.
    var text: String {
        var lines = [("signed in", who), ("until", until)]
        if !signedIn { lines.removeLast() }
        if let patient = subject?.patient { lines.append(("patient", patient)) }
        if let fhirUser = subject?.fhirUser { lines.append(("user", fhirUser)) }
        if let issuer { lines.append(("issuer", issuer)) }
        lines.append(("client", clientID))
        lines.append((signedIn ? "granted" : "asks for", list(signedIn ? scopes.granted : scopes.requested)))
        if !scopes.notGranted.isEmpty { lines.append(("not granted", list(scopes.notGranted))) }
        if !scopes.notRequested.isEmpty { lines.append(("not asked for", list(scopes.notRequested))) }
        if let clockSkewSeconds {
            let direction = clockSkewSeconds > 0 ? "ahead of" : "behind"
            lines.append(("clock", "\(abs(clockSkewSeconds)) s \(direction) the server's: check this machine's time"))
        }
        return table(lines)
    }

    private func table(_ lines: [(String, String)]) -> String { ReportForm.table(server, lines) }

    private var who: String {
        guard signedIn else { return "no" }
        if method == .backendService { return "as the service \(clientID)" }
        return subject?.name ?? subject?.id ?? "yes; the server does not say who"
    }

    private var until: String {
        guard renewable else {
            return accessTokenExpires.map { "\($0), the access token's end" } ?? "the server ends it"
        }
        if let refreshTokenExpires { return "\(refreshTokenExpires), unless a run renews it before" }
        return isLasting ? "you sign out; renewed by itself" : "you sign out or the server ends it; renewed by itself"
    }

    private func list(_ scopes: [String]) -> String { scopes.isEmpty ? "nothing" : scopes.joined(separator: " ") }
}
