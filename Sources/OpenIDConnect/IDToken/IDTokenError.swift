/// Why an ID token can't be trusted; no case holds a claim's value.
public enum IDTokenError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Not three parts of base64url with JSON objects in the first two.
    case malformed
    /// `alg` is not allowed.
    case algorithm
    /// `alg` is allowed, but not one that the server announced.
    case unannouncedAlgorithm(String)
    /// `crit` names an extension that must be understood.
    case criticalExtension
    /// No usable key of the server has this `kid`.
    case unknownKey
    /// The signature was not made with that key.
    case signature
    /// The claim is missing or does not have the required value; `name` is, for example, `iss`.
    case claim(name: String)
    /// `aud` does not name this client.
    case audience(clientID: String)
    /// `exp` has passed, even with five minutes of grace.
    case expired
    /// `iat` or `nbf` lies more than five minutes ahead.
    case notYetValid
    /// There is none although `openid` was granted.
    case missing

    /// What is wrong, for the people who run the server.
    public var description: String {
        switch self {
        case .malformed: "it is not a signed JWT"
        case .algorithm: "its alg is not allowed (expected RS, PS or ES with SHA-256 to SHA-512)"
        case .unannouncedAlgorithm(let name):
            "its alg is \(name) (expected one of id_token_signing_alg_values_supported in the server's own document)"
        case .criticalExtension: "it has a critical extension (expected none)"
        case .unknownKey: "its key is not among the server's (expected one in jwks_uri)"
        case .signature: "its signature is wrong"
        case .claim(let name): "its \(name) is missing, or not the expected one"
        case .audience: "its aud is not this client"
        case .expired: "it has expired (expected a new one; is this machine's clock right?)"
        case .notYetValid: "it is from the future (is this machine's clock right?)"
        case .missing: "there is none (expected one for the scope openid)"
        }
    }

    /// What to do about it.
    var advice: String {
        switch self {
        case .audience(let clientID): "tell the server's operator: this client's aud must be '\(clientID)'"
        case .missing: "tell the server's operator, or name scopes without openid with --scope"
        case .claim(name: "nonce"), .unknownKey, .signature, .expired, .notYetValid: "sign in again"
        case .malformed, .algorithm, .unannouncedAlgorithm, .criticalExtension, .claim: "tell the server's operator"
        }
    }
}
