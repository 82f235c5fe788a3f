public import HTTPTransport
internal import OpenSSLCrypto

/// Why a sign-in can't be made, used or ended.
///
/// None holds a token, a code or a claim about a person. What a server wrote is shown only where it is a plain word, an
/// address or its reason for a refusal, in quotes.
public enum OpenIDConnectError: Error, Sendable, Equatable {
    /// A request got no answer.
    case transport(HTTPError)
    /// A URL of ours or of a server's document can't be used; `what` names it, such as `token_endpoint`.
    case unusableURL(what: String, HTTPURLError)
    /// A URL with `http` that leads to another machine.
    case insecureURL(what: String)
    /// A server elsewhere names an address of this machine as its own.
    case thisMachine(what: String)
    /// The server answered with a redirect, which is never followed; `option` is what gave the address, such as
    /// `--server`.
    case redirected(place: String, option: String? = nil)
    /// The server answered with a status that says nothing about the sign-in.
    case unexpectedStatus(place: String, status: Int)
    /// A document is not what it must be.
    case malformedDocument(place: String, fault: String)

    /// There is no SMART configuration below the server's base, and no issuer was given.
    case noConfiguration(server: String, status: Int)
    /// The issuer that was named has no OpenID configuration.
    case noIssuerConfiguration(place: String, status: Int, namedBy: IssuerSource = .user)
    /// A document is for another issuer than the one that was asked.
    case wrongIssuer(expected: String, found: String, namedBy: IssuerSource = .user)
    /// The server does not list PKCE with S256, but other ways or nothing; it may offer the device flow, which needs
    /// none.
    case noS256(place: String, offersDevice: Bool = false, listsNothing: Bool = false)
    /// The server takes only authorization requests that were pushed to it; it may offer the device flow, which has
    /// none.
    case pushedRequestsOnly(place: String, offersDevice: Bool = false)
    /// The server does not offer what the sign-in needs; `what` is the document's name for it.
    case notOffered(what: String, place: String)

    /// No answer came back from the browser in time.
    case noRedirect(seconds: Int, redirectURI: String)
    /// The port of the redirect can't be listened on.
    case portTaken(port: UInt16)
    /// What was pasted is not the address that the browser was sent to.
    case notTheRedirect
    /// The answer belongs to another sign-in.
    case wrongState
    /// The answer is from another issuer, or names none although the server said that it always would.
    case wrongIss(expected: String)
    /// The answer names an issuer, and no document says which one it must be.
    case unknownIss
    /// The answer has neither a code nor an error.
    case noCode
    /// The server, or the person at it, said no; the code is OAuth's, such as `access_denied`, and the words are the
    /// server's.
    case refused(code: String?, status: Int?, words: String? = nil)
    /// The server does not know a service, or does not know its key; if it lists only the other algorithm, which that
    /// is.
    case keyRefused(status: Int?, words: String? = nil, algorithm: ClientKey.Algorithm? = nil)
    /// The code for the other device was not used in time.
    case deviceCodeExpired

    /// The ID token can't be trusted.
    case idToken(IDTokenError)

    /// Nobody is signed in there.
    case notSignedIn(server: String)
    /// The sign-in is over: the server no longer takes its refresh token, or there is none.
    case signInOver(server: String, words: String? = nil)
    /// The server, or something in front of it, refused a renewal, for a reason that does not end the sign-in or for
    /// none.
    case renewalRefused(server: String, place: String, status: Int?, code: String? = nil, words: String? = nil)
    /// The answer to a renewal is not what it must be: something in between may have written it.
    case renewalUnreadable(server: String, place: String, fault: String)
    /// The answer to a renewal is for another patient.
    case otherPatient(server: String)
    /// A renewal brought the same access token, which the FHIR server does not take.
    case unchangedToken(server: String)
    /// The token endpoint does not answer renewals, and won't; the status is `nil` where it redirects elsewhere.
    case renewalUnanswered(server: String, place: String, status: Int?)
    /// A request would have taken the token to another server.
    case foreignServer(expected: String, found: String)
    /// There is no key for the backend service.
    case noClientKey(server: String)
    /// The key of the backend service can't be used or made.
    case unusableClientKey
    /// The store's entry is not one of ours.
    case unreadableEntry
    /// The system gives no random bytes.
    case noRandomBytes
}

extension OpenIDConnectError {
    /// What said which issuer a sign-in is to have.
    public enum IssuerSource: Sendable, Equatable {
        /// The user, now or at an earlier sign-in.
        case user
        /// What the last sign-in found.
        case lastSignIn
        /// The FHIR server's document.
        case smartConfiguration
    }

    /// The error as a service gets it: what the server does not know may be its key, or `algorithm`, which the key signs with
    /// and the server does not list.
    func ofService(algorithm: ClientKey.Algorithm? = nil, listed: [String]? = nil) -> OpenIDConnectError {
        guard case .refused("invalid_client", let status, let words) = self else { return self }
        let isListed = algorithm.flatMap { listed?.contains($0.rawValue) } ?? true
        let other = isListed ? nil : ClientKey.Algorithm.allCases.first { listed?.contains($0.rawValue) ?? false }
        return .keyRefused(status: status, words: words, algorithm: other)
    }

    /// Whether the cause may be over soon, so that another try may succeed: the sign-in server is away or too busy.
    public var isPassing: Bool {
        switch self {
        case .transport(.timedOut), .transport(.connectionLost): true
        case .unexpectedStatus(_, let status): HTTPStatus.mayPass(status)
        default: spendsNothing
        }
    }

    /// Whether a request that ended this way may have been carried out.
    var maySpend: Bool {
        switch self {
        case .malformedDocument, .renewalUnreadable, .transport(.malformedResponse), .transport(.responseTooLarge): true
        default: isPassing && !spendsNothing
        }
    }

    /// Whether no request arrived, or the server put it off; if not, a refresh token that was sent may be spent.
    var spendsNothing: Bool {
        switch self {
        case .transport(.noConnection), .transport(.proxy(_, fault: .noConnection)), .transport(.unresolvedHost),
            .unexpectedStatus(_, 429), .unexpectedStatus(_, 503):
            true
        default: false
        }
    }
}

extension OpenIDConnectError: CustomStringConvertible {
    /// Where it is, what is wrong, and what to do next.
    public var description: String {
        switch self {
        case .transport(let error): error.description
        case .unusableURL(let what, let error):
            Self.isOption(what)
                ? "\(what): \(error): check the address"
                : "the server's document: \(what): \(error): tell the server's operator"
        case .insecureURL(let what):
            Self.isOption(what)
                ? "\(what): \(HTTPURLError.insecure): use the https address"
                : "the server's document: \(what): \(HTTPURLError.insecure): tell the server's operator"
        case .thisMachine(let what):
            "\(what): the server names this machine's own address (expected one of its own): tell the server's operator; "
                + "where the sign-in server does run here, name it with --issuer"
        case .redirected(let place, let option):
            "\(place): the server redirects elsewhere (expected an answer): "
                + (option.map { "check \($0), and give the address that it redirects to" }
                    ?? "tell the server's operator")
        case .unexpectedStatus(let place, let status):
            "\(place): the server answered \(status) (expected 200): "
                + (HTTPStatus.mayPass(status) ? "try again later" : "tell the server's operator")
        case .malformedDocument(let place, let fault):
            "\(place): \(fault): check the address, or tell the server's operator"
        case .noConfiguration(let server, let status):
            "\(server)/.well-known/smart-configuration: the server answered \(status) (expected a SMART configuration): "
                + "check the address, or name the sign-in server with --issuer"
        case .noIssuerConfiguration(let place, let status, let source):
            "\(place): the server answered \(status) (expected the issuer's OpenID configuration): "
                + (source == .lastSignIn
                    ? "it is the last sign-in's issuer: ask the server's operator, and name another with --issuer if it has changed"
                    : "check --issuer")
        case .wrongIssuer(let expected, let found, let source):
            "the sign-in server calls itself '\(found.quotable)' (expected '\(expected)', "
                + Self.wayOut(source, found: found.quotable)
        case .noS256(let place, let offersDevice, let listsNothing):
            listsNothing
                ? "\(place): does not list PKCE with S256 (expected it in code_challenge_methods_supported): if its "
                    + "documentation says that it requires PKCE, add --assume-pkce; if not, "
                    + Self.wayOut(offersDevice)
                : "\(place): no PKCE with S256 (expected it in code_challenge_methods_supported): "
                    + "signing in there by browser would not be safe; " + Self.wayOut(offersDevice)
        case .pushedRequestsOnly(let place, let offersDevice):
            "\(place): takes only pushed authorization requests (require_pushed_authorization_requests, expected "
                + "others too): " + Self.wayOut(offersDevice)
        case .notOffered(let what, let place):
            "\(place): no \(what) (expected one for this kind of sign-in): use another kind, see 'pghd login --help'"
        default: signInDescription
        }
    }

    /// What is wrong, for a line that says the rest.
    package var reason: String {
        switch self {
        case .transport(let error): error.reason
        case .unexpectedStatus(let place, let status): "\(place): the server answered \(status)"
        case .refused(let code, let status, let words): Self.refusal(code, status, words)
        default: description
        }
    }

    /// Whether somebody gave the address, rather than a server's document.
    private static func isOption(_ what: String) -> Bool { what.hasPrefix("--") || what == "issuer" }

    private static func wayOut(_ offersDevice: Bool) -> String {
        (offersDevice ? "sign in with --device, or " : "") + "tell the server's operator"
    }

    private static func wayOut(_ source: IssuerSource, found: String) -> String {
        switch source {
        case .user: "letter for letter): check --issuer; if it is right, tell the server's operator"
        case .lastSignIn:
            "as at the last sign-in): ask the server's operator whether it was changed; if so, add --issuer '\(found)'"
        case .smartConfiguration:
            "as the FHIR server's SMART configuration says, letter for letter): tell the server's operator"
        }
    }

    /// `invalid_client, HTTP 401, 'no such client'`.
    private static func details(_ code: String?, _ status: Int?, _ words: String?) -> String {
        [code, status.map { "HTTP \($0)" }, words.map { "'\($0)'" }].compactMap(\.self).joined(separator: ", ")
    }

    /// `the server refused: access_denied (HTTP 400, 'the person said no')`.
    package static func refusal(_ code: String?, _ status: Int?, _ words: String?) -> String {
        let details = details(nil, status, words)
        return "the server refused" + (code.map { ": \($0.quotable)" } ?? "")
            + (details.isEmpty ? "" : " (\(details))")
    }

    private var signInDescription: String {
        switch self {
        case .noRedirect(let seconds, let redirectURI):
            "no answer from the browser within \(seconds) s: sign in again; if the browser shows an error, its "
                + "redirect \(redirectURI) may not be registered: have it registered, or give the registered port with "
                + "--redirect-port"
        case .portTaken(let port):
            "--redirect-port: port \(port) is taken or not allowed (expected a free one): choose another, "
                + "or close what uses it"
        case .notTheRedirect:
            "what was pasted is not an address of this sign-in (expected http://…/callback?…): "
                + "sign in again and paste the whole address"
        case .wrongState: "the browser's answer belongs to another sign-in (expected the state we sent): sign in again"
        case .wrongIss(let expected):
            "the browser's answer does not come from '\(expected)' (expected its iss): sign in again; "
                + "if it happens twice, tell the server's operator"
        case .unknownIss:
            "the browser's answer names an issuer, and nothing says whether it is the right one (expected one that the "
                + "server's documents name): name the issuer with --issuer"
        case .noCode: "the browser's answer holds no code: sign in again"
        case .refused("invalid_client", let status, let words):
            "the server does not know this client, or wants a secret "
                + "(\(Self.details("invalid_client", status, words))): check --client-id, and have pghd registered "
                + "under it as a public client, without a secret"
        case .keyRefused(let status, let words, let algorithm):
            "the server does not know this client or its key (\(Self.details("invalid_client", status, words))): "
                + "check --client-id, and this machine's clock, whose time each signature carries; a key has to be "
                + "registered there under it (--new-key --force "
                + (algorithm.map { "--key-algorithm \($0.rawValue) makes one of the kind that the server lists" }
                    ?? "makes another") + ", and prints its public half)"
        case .refused("invalid_scope", let status, let words):
            "the server does not give all that was asked for (\(Self.details("invalid_scope", status, words)), "
                + "expected scopes that it knows and lets this client have): name others with --scope; docs/sign-in.md "
                + "says what each is for"
        case .refused(let code, let status, let words):
            Self.refusal(code, status, words) + ": sign in again, or ask the server's operator"
        case .deviceCodeExpired: "the code was not used in time: sign in again"
        case .idToken(let error): "the ID token can't be trusted: \(error): \(error.advice)"
        default: storedDescription
        }
    }

    private static func nextRun(_ server: String) -> String {
        ": the next run tries again; if it happens twice, run 'pghd login --server \(server)' again"
    }

    private var storedDescription: String {
        switch self {
        case .notSignedIn(let server): "\(server): not signed in: run 'pghd login --server \(server)'"
        case .signInOver(let server, let words):
            "\(server): the sign-in is over" + (words.map { " ('\($0)')" } ?? "")
                + ": run 'pghd login --server \(server)' again"
        case .renewalRefused(let server, let place, let status, let code, let words):
            "\(place): refused a renewal" + (code == nil ? " without a reason" : "")
                + (code == nil && status == nil ? "" : " (\(Self.details(code?.quotable, status, words)))")
                + (code == nil ? ": perhaps a gateway in front" : "") + Self.nextRun(server)
        case .renewalUnreadable(let server, let place, let fault):
            "\(place): in the answer to a renewal, \(fault): perhaps a gateway in front" + Self.nextRun(server)
        case .otherPatient(let server):
            "\(server): a renewal brought a token for another patient (expected the sign-in's): "
                + "run 'pghd login --server \(server)' again"
        case .unchangedToken(let server):
            "\(server): the server takes no token of this sign-in (401, and a renewal brought the same one): ask its "
                + "operator whether it is meant for this address, and what a gateway in front wants"
        case .renewalUnanswered(let server, let place, let status):
            "\(place): the server \(status.map { "answered \($0) to" } ?? "redirects") a renewal (expected tokens): "
                + "run 'pghd login --server \(server)' again"
        case .foreignServer(let expected, let found):
            "\(found): not the server of this sign-in (expected \(expected)): nothing was sent there"
        case .noClientKey(let server):
            "\(server): no key to sign in with: make one with 'pghd login --server \(server) --new-key' "
                + "and register its public half"
        case .unusableClientKey: "the key can't be used (expected an ES384 or RS384 key): make one with --new-key"
        case .noRandomBytes: CryptoError.noRandomness.description
        default:
            "the entry in the keystore can't be read (expected one of this version): forget the server, sign in again"
        }
    }
}

extension String {
    /// Whether `other` has the same bytes: `==` treats some letters that look alike as equal, such as K and the Kelvin
    /// sign.
    func isByteForByte(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    /// What a server wrote, fit for a message: printable ASCII, 80 characters at most.
    var quotable: String { quotable(upTo: 80) }

    /// The same with another limit.
    func quotable(upTo limit: Int) -> String {
        let bytes = utf8.prefix(limit).map {
            (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "'") ? $0 : UInt8(ascii: "?")
        }
        return String(decoding: bytes, as: UTF8.self) + (utf8.count > limit ? "…" : "")
    }
}
