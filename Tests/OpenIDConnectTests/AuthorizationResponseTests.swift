import Testing

@testable import OpenIDConnect

struct AuthorizationResponseTests {
    private let request: AuthorizationRequest
    private let issuer = "https://login.example.org"
    private var state: String { request.state.revealed }

    init() throws {
        request = try AuthorizationRequest(
            clientID: "pghd",
            redirectURI: "http://127.0.0.1:41231/callback",
            scopes: ["openid"],
            audience: "https://fhir.example.org/r4"
        )
    }

    private func code(_ query: String, _ server: AuthorizationServer? = nil) throws -> String {
        let server = try server ?? .sample()
        return try AuthorizationResponse.code(query: query, request: request, server: server).revealed
    }

    @Test func `the code in the answer to our own request is accepted`() throws {
        #expect(try code("code=a%2Fb+c&state=\(state)&session_state=x") == "a/b c")
    }

    @Test func `S7 an answer without our state is refused`() {
        let shorter = String(state.dropLast())
        let other = String(state.dropLast()) + (state.hasSuffix("A") ? "B" : "A")
        for wrong in ["", "&state=", "&state=\(shorter)", "&state=\(other)", "&state=\(state)x", "&STATE=\(state)"] {
            #expect(throws: OpenIDConnectError.wrongState) { try code("code=c\(wrong)") }
        }
    }

    @Test func `S7 an error without our state is ignored`() {
        #expect(throws: OpenIDConnectError.wrongState) { try code("error=access_denied") }
    }

    @Test(arguments: ["state", "code", "iss", "error"])
    func `S7 a repeated field is refused`(_ name: String) {
        #expect(throws: OpenIDConnectError.wrongState) {
            try code("code=c&state=\(state)&\(name)=\(name == "state" ? state : "x")&\(name)=x")
        }
    }

    /// It may be anything that somebody could make the browser send.
    @Test func `an error that does not look like one of OAuth's is not repeated`() {
        for text in ["CANARY", "a%20b", "", String(repeating: "a", count: 41)] {
            #expect(throws: OpenIDConnectError.refused(code: nil, status: nil)) {
                try code("error=\(text)&state=\(state)")
            }
        }
    }

    @Test func `S9 an iss is compared byte for byte`() throws {
        let server = try AuthorizationServer.sample(issuer: issuer + "/K")
        #expect(try code("code=c&state=\(state)&iss=\(issuer)/K", server) == "c")
        // The Kelvin sign, which Unicode treats as equal to K.
        #expect(throws: OpenIDConnectError.wrongIss(expected: issuer + "/K")) {
            try code("code=c&state=\(state)&iss=\(issuer)/%E2%84%AA", server)
        }
    }

    /// RFC 6749, section 4.1.2: what is not recognized must be ignored.
    @Test(arguments: [
        "user=M%FCller", "session_state=a&session_state=a", "error_description=verweigert+f%FCr", "error_uri=%zz",
        "%FC=1", "scope=100%",
    ])
    func `S7 fields of the server's own change nothing, however they are written`(_ others: String) throws {
        #expect(try code("code=c&\(others)&state=\(state)") == "c")
        #expect(throws: OpenIDConnectError.refused(code: "access_denied", status: nil)) {
            try code("\(others)&error=access_denied&state=\(state)")
        }
        #expect(
            CallbackPage.response(query: "\(others)&error=access_denied").contains("The server said: access_denied.")
        )
    }

    @Test func `S9 an iss must be the issuer's`() throws {
        #expect(try code("code=c&state=\(state)&iss=https%3A%2F%2Flogin.example.org") == "c")
        for iss in ["https://evil.example.org", "https://login.example.org/", ""] {
            #expect(throws: OpenIDConnectError.wrongIss(expected: issuer)) {
                try code("code=c&state=\(state)&iss=\(iss)")
            }
        }
    }

    @Test func `S9 if a server says that it sends an iss, it must`() throws {
        let server = try AuthorizationServer.sample(namesIss: true)
        #expect(throws: OpenIDConnectError.wrongIss(expected: issuer)) { try code("code=c&state=\(state)", server) }
        #expect(try code("code=c&state=\(state)&iss=\(issuer)", server) == "c")
    }

    @Test func `S9 an iss of a server without an issuer can't be checked and is refused`() throws {
        let server = try AuthorizationServer.sample(issuer: nil)
        let error = OpenIDConnectError.unknownIss
        #expect(throws: error) { try code("code=c&state=\(state)&iss=\(issuer)", server) }
        #expect(
            error.description
                == "the browser's answer names an issuer, and nothing says whether it is the right one (expected one that "
                + "the server's documents name): name the issuer with --issuer"
        )
        #expect(throws: OpenIDConnectError.wrongIss(expected: issuer)) {
            try code("code=c&state=\(state)", .sample(issuer: nil, namesIss: true))
        }
    }

    @Test func `S9 an error from another issuer is refused as such`() {
        #expect(throws: OpenIDConnectError.wrongIss(expected: issuer)) {
            try code("error=access_denied&state=\(state)&iss=https://evil.example.org")
        }
    }

    @Test(arguments: ["CANARY", "eyJ.x", "anna 1980", "", String(repeating: "a", count: 41)])
    func `text that is not an OAuth error code is not shown`(_ text: String) {
        #expect(ErrorCode.word(text) == nil)
        #expect(ErrorCode.word("temporarily_unavailable") == "temporarily_unavailable")
    }

    @Test func `only the code of a refusal is shown`() {
        #expect(throws: OpenIDConnectError.refused(code: "access_denied", status: nil)) {
            try code("error=access_denied&error_description=CANARY&state=\(state)")
        }
    }

    @Test(arguments: ["", "code=&"]) func `an answer without code is refused`(_ field: String) {
        #expect(throws: OpenIDConnectError.noCode) { try code("\(field)state=\(state)") }
    }

    @Test(arguments: [
        ("http://127.0.0.1:41231/callback?code=c&state=s", "code=c&state=s"),
        ("  http://127.0.0.1:41231/callback?code=c\n&state=s#x \r\n", "code=c&state=s"),
    ])
    func `the query of a pasted address is taken`(_ text: String, _ query: String) throws {
        #expect(try AuthorizationResponse.query(pasted: text, redirectURI: request.redirectURI) == query)
    }

    @Test(arguments: [
        "code=c", "http://127.0.0.1:41231/callback", "http://127.0.0.1:41232/callback?code=c",
        "https://login.example.org/authorize?code=c", "http://127.0.0.1:41231/callback2?code=c",
    ])
    func `a pasted address other than the redirect is refused`(_ text: String) {
        #expect(throws: OpenIDConnectError.notTheRedirect) {
            try AuthorizationResponse.query(pasted: text, redirectURI: request.redirectURI)
        }
    }
}
