/// A checked request to the authorization endpoint (RFC 6749, section 4.1.1; RFC 7636, section 4.3).
struct AuthorizationRequest: Sendable {
    let client: ClientRegistry.Client
    let redirectURI: String
    let state: String?
    let fields: FormFields

    /// - Throws: what must be shown to the person, since no client is known that could be told.
    init(_ fields: FormFields, clients: ClientRegistry) throws(OAuthFault) {
        guard let client = clients[try fields.required("client_id")] else {
            throw OAuthFault(.invalidClient, "client_id is not registered here (expected pghd or one of --clients)")
        }
        let redirectURI = try fields.required("redirect_uri")
        guard client.allows(redirectURI: redirectURI) else {
            throw OAuthFault(.invalidRequest, "redirect_uri is not this client's (expected http://127.0.0.1:PORT/…)")
        }
        self.client = client
        self.redirectURI = redirectURI
        state = fields["state"]
        self.fields = fields
    }

    /// - Throws: what is told to the client by redirect.
    func checked(fhirBase: String) throws(OAuthFault) -> (scope: String, codeChallenge: String) {
        if fields["request"] != nil {
            throw OAuthFault(.requestNotSupported, "request is not read here (expected plain parameters)")
        }
        if fields["request_uri"] != nil {
            throw OAuthFault(.requestURINotSupported, "request_uri is not read here (expected plain parameters)")
        }
        guard try fields.required("response_type") == "code" else {
            throw OAuthFault(.unsupportedResponseType, "response_type is not code")
        }
        guard let challenge = fields["code_challenge"] else {
            throw OAuthFault(.invalidRequest, "code_challenge is missing: PKCE is required")
        }
        guard fields["code_challenge_method"] == "S256" else {
            throw OAuthFault(.invalidRequest, "code_challenge_method is not S256")
        }
        guard Base64URL.decode(challenge)?.count == 32 else {
            throw OAuthFault(.invalidRequest, "code_challenge is not a SHA-256 in base64url")
        }
        // A person always signs in now, whatever the age asked for; the ID token says when.
        if let age = fields["max_age"], Int(age) ?? -1 < 0 {
            throw OAuthFault(.invalidRequest, "max_age is not a number of seconds")
        }
        if let audience = fields["aud"], audience != fhirBase, audience != "\(fhirBase)/" {
            throw OAuthFault(.invalidRequest, "aud is not this server's FHIR base")
        }
        return (try GrantedScope.forPerson(try fields.required("scope")), challenge)
    }

    /// Whether no page may be shown (OpenID Connect Core 1.0, section 3.1.2.1).
    ///
    /// - Throws: `invalid_request` where a page is asked for as well.
    func forbidsPage() throws(OAuthFault) -> Bool {
        let prompts = fields["prompt"]?.split(separator: " ") ?? []
        guard prompts.contains("none") else { return false }
        guard prompts.count == 1 else {
            throw OAuthFault(.invalidRequest, "prompt has more than none (expected it alone)")
        }
        return true
    }

    /// The client's redirect URI with an answer in its query, and the issuer that gives it (RFC 9207).
    func redirect(_ answer: [QueryItem], issuer: String) -> HTTPResponse {
        var items = answer
        if let state { items.append(QueryItem(name: "state", value: state)) }
        items.append(QueryItem(name: "iss", value: issuer))
        let query = items.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }
        let mark = redirectURI.contains("?") ? "&" : "?"
        return HTTPResponse(
            303,
            [("Location", redirectURI + mark + query.joined(separator: "&")), ("Cache-Control", "no-store")]
        )
    }

    func redirect(_ fault: OAuthFault, issuer: String) -> HTTPResponse {
        redirect(
            [
                QueryItem(name: "error", value: fault.code.rawValue),
                QueryItem(name: "error_description", value: fault.what),
            ],
            issuer: issuer
        )
    }
}
