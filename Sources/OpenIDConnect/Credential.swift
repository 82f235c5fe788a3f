internal import FoundationEssentials

/// What is kept of a sign-in to one server: who signed in where, as which client, and the tokens.
///
/// Its name in the store is ``server``. Signing out, here or by the server, removes ``tokens`` and ``subject`` and
/// keeps the rest, so that the next sign-in needs no options; forgetting the server removes the entry.
public struct Credential: Sendable, Equatable, Codable {
    /// The base URL of the FHIR server without a slash at its end, such as `https://fhir.example.org/r4`.
    public var server: String
    /// How the access token is obtained.
    public var method: SignInMethod
    /// The client's registered identifier.
    public var clientID: String
    /// The authorization server's issuer identifier; absent where a SMART server names none.
    public var issuer: String?
    /// Whether the user named the issuer, now or at an earlier sign-in; absent where only SMART's document named it.
    public var isIssuerNamed: Bool?
    /// Where tokens are issued and revoked.
    public var endpoints: TokenEndpoints
    /// The port of the loopback redirect, where the registration fixes it.
    public var redirectPort: UInt16?
    /// The scopes that the sign-in asked for.
    public var requestedScopes: [String]
    /// Whether the user named the scopes, now or at an earlier sign-in; absent where they are the usual ones.
    public var areScopesNamed: Bool?
    /// Whether the user vouches for PKCE at a server that does not list it; absent where the server does, or where no
    /// browser was used.
    public var isPKCEAssumed: Bool?
    /// The person who signed in, as far as a checked ID token or the launch context says.
    public var subject: Subject?
    /// The tokens; absent once signed out.
    public var tokens: Tokens?

    /// A sign-in without tokens yet.
    package init(
        server: String,
        method: SignInMethod,
        clientID: String,
        issuer: String?,
        endpoints: TokenEndpoints,
        requestedScopes: [String]
    ) {
        self.server = server
        self.method = method
        self.clientID = clientID
        self.issuer = issuer
        self.endpoints = endpoints
        self.requestedScopes = requestedScopes
    }
}

/// How an access token is obtained.
public enum SignInMethod: String, Sendable, Codable, CaseIterable {
    /// Code and PKCE in a browser (RFC 6749, section 4.1; RFC 7636).
    case authorizationCode
    /// A code typed in on another device (RFC 8628).
    case deviceCode
    /// A key instead of a person (SMART Backend Services).
    case backendService
}

/// The endpoints that a sign-in uses later.
public struct TokenEndpoints: Sendable, Equatable, Codable {
    /// Where tokens are asked for (RFC 6749, section 3.2).
    public var token: String
    /// Where they are revoked (RFC 7009); absent where the server has no such endpoint.
    public var revocation: String?
    /// Whether the server says that a client without a secret can't revoke them; absent where it does not.
    public var revocationWantsSecret: Bool?

    /// Both endpoints.
    package init(token: String, revocation: String?, revocationWantsSecret: Bool? = nil) {
        self.token = token
        self.revocation = revocation
        self.revocationWantsSecret = revocationWantsSecret
    }
}

/// The person who signed in.
public struct Subject: Sendable, Equatable, Codable {
    /// The issuer's identifier of the person: `sub` of the ID token.
    public var identifier: String?
    /// What the issuer calls the person: `preferred_username`, `email` or `name` of the ID token.
    public var name: String?
    /// The person's FHIR resource: SMART's `fhirUser`.
    public var fhirUser: String?
    /// The id of the patient in context: SMART's `patient`.
    public var patient: String?

    /// What is known about a person.
    public init(identifier: String? = nil, name: String? = nil, fhirUser: String? = nil, patient: String? = nil) {
        self.identifier = identifier
        self.name = name
        self.fhirUser = fhirUser
        self.patient = patient
    }
}

extension Subject: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always `<person>`.
    public var description: String { "<person>" }
    /// Always `<person>`.
    public var debugDescription: String { description }
    /// Nothing, so that `dump` shows nothing either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// What a token response gave.
public struct Tokens: Sendable, Equatable, Codable {
    /// The bearer token (RFC 6750).
    public var accessToken: Secret
    /// When it stops working; absent where the server does not say.
    public var expiry: TokenExpiry?
    /// The token that gets new tokens, where there is one.
    public var refreshToken: Secret?
    /// When that token stops working, unless it is used before; absent where the server does not say.
    public var refreshExpiry: TokenExpiry?
    /// The scopes that were granted.
    public var grantedScopes: [String]

    /// The tokens of one response.
    package init(
        accessToken: Secret,
        expiry: TokenExpiry?,
        refreshToken: Secret?,
        refreshExpiry: TokenExpiry? = nil,
        grantedScopes: [String]
    ) {
        self.accessToken = accessToken
        self.expiry = expiry
        self.refreshToken = refreshToken
        self.refreshExpiry = refreshExpiry
        self.grantedScopes = grantedScopes
    }
}

extension Credential {
    /// Removes all but what the next sign-in needs.
    mutating func removeTokens() {
        tokens = nil
        subject = nil
    }

    /// Reads an entry that ``encoded()`` wrote.
    ///
    /// - Throws: ``OpenIDConnectError/unreadableEntry`` where it is not one.
    init(entry: [UInt8]) throws(OpenIDConnectError) {
        do {
            let entry = try JSONDecoder().decode(CredentialEntry.self, from: Data(entry))
            let expiries = [entry.credential.tokens?.expiry, entry.credential.tokens?.refreshExpiry].compactMap(\.self)
            guard entry.version == CredentialEntry.currentVersion, expiries.allSatisfy(\.isPossible) else {
                throw OpenIDConnectError.unreadableEntry
            }
            self = entry.credential
        } catch {
            // A decoding error may quote what it could not read.
            throw .unreadableEntry
        }
    }

    /// The entry as JSON with sorted keys, for the store.
    ///
    /// - Throws: ``OpenIDConnectError/malformedDocument(place:fault:)`` where the server's answer made it longer than
    ///   ``maximumEntryByteCount``; ``OpenIDConnectError/unreadableEntry`` where it can't be written, which is our own
    ///   fault.
    func encoded() throws(OpenIDConnectError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let entry = CredentialEntry(version: CredentialEntry.currentVersion, credential: self)
        guard let data = try? encoder.encode(entry) else { throw .unreadableEntry }
        guard data.count <= Self.maximumEntryByteCount else {
            let fault =
                "tokens, scopes and names too long to be kept (expected \(Self.maximumEntryByteCount) bytes at most)"
            throw .malformedDocument(place: endpoints.token, fault: fault)
        }
        return Array(data)
    }

    /// No header takes a longer token, and one server's entry must leave room in the store for those of others.
    static let maximumEntryByteCount = 32 << 10
}

/// The form of an entry: the version says how to read the rest.
private struct CredentialEntry: Codable {
    static let currentVersion = 1

    let version: Int
    let credential: Credential
}
