import JWTKit

/// A client's proof of who it is: `private_key_jwt` (RFC 7523; SMART App Launch 2.2, section 5).
struct ClientAssertion: JWTPayload {
    static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    private static let algorithms = ["ES256", "ES384", "RS256", "RS384"]

    let iss: String
    let sub: String
    let aud: AudienceClaim
    let exp: Int
    let jti: String

    /// Time and the rest are checked where the clock and the metadata are.
    func verify(using algorithm: some JWTAlgorithm) {}

    /// The client that signed `text`, and the assertion.
    static func verified(
        _ text: String,
        clients: ClientRegistry,
        metadata: IssuerMetadata,
        now: Int64
    ) async throws(OAuthFault) -> (client: ClientRegistry.Client, assertion: ClientAssertion) {
        let unverified: ClientAssertion
        do {
            let parsed = try DefaultJWTParser().parse(Array(text.utf8), as: ClientAssertion.self)
            guard algorithms.contains(parsed.header.alg ?? "") else {
                throw OAuthFault(.invalidClient, "the assertion's alg is none of \(algorithms.joined(separator: ", "))")
            }
            unverified = parsed.payload
        } catch let fault as OAuthFault {
            throw fault
        } catch {
            throw OAuthFault(.invalidClient, "the assertion is no JWT with iss, sub, aud, exp and jti")
        }
        guard unverified.iss == unverified.sub, let client = clients[unverified.iss], let keys = client.keys else {
            throw OAuthFault(.invalidClient, "the assertion's iss and sub are no client with keys here")
        }
        let assertion: ClientAssertion
        do {
            assertion = try await keys.verify(text, as: ClientAssertion.self)
        } catch {
            throw OAuthFault(.invalidClient, "the assertion's signature is not by one of the client's keys")
        }
        guard assertion.aud.value.contains(where: { $0 == metadata.url("token") || $0 == metadata.issuer }) else {
            throw OAuthFault(.invalidClient, "the assertion's aud is not the token endpoint's URL")
        }
        let seconds = Int(now / 1_000)
        guard assertion.exp > seconds, assertion.exp <= seconds + 330 else {
            throw OAuthFault(.invalidClient, "the assertion's exp is past, or more than five minutes away")
        }
        guard !assertion.jti.isEmpty else { throw OAuthFault(.invalidClient, "the assertion's jti is empty") }
        return (client, assertion)
    }
}
