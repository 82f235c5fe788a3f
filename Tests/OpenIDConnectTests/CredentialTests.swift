import Testing

@testable import OpenIDConnect

/// What a keystore keeps of a sign-in.
struct CredentialTests {
    private static let credential = Credential(
        server: "https://fhir.example.org",
        method: .authorizationCode,
        clientID: "pghd",
        issuer: nil,
        endpoints: TokenEndpoints(token: "https://fhir.example.org/token", revocation: nil),
        requestedScopes: []
    )

    @Test func `S21 a credential never prints its tokens`() throws {
        var credential = Self.credential
        credential.tokens = Tokens(
            accessToken: Secret("CANARY"),
            expiry: nil,
            refreshToken: Secret("CANARY"),
            grantedScopes: []
        )
        var text = "\(credential) \(String(reflecting: credential))"
        dump(credential, to: &text)
        #expect(!text.contains("CANARY"))
        #expect(try Credential(entry: credential.encoded()) == credential)
    }

    @Test(arguments: ["", "{}", "[]", "{\"version\":2}", "{\"version\":1,\"credential\":{\"server\":\"CANARY\"}}"])
    func `an entry of another form is refused without being quoted`(_ text: String) {
        #expect(throws: OpenIDConnectError.unreadableEntry) { try Credential(entry: Array(text.utf8)) }
    }

    @Test(arguments: [#""wallSeconds":"#, #""bootSeconds":"#, #""lifetimeSeconds":"#])
    func `an entry with a time that no clock has shown is refused`(_ name: String) throws {
        var credential = Self.credential
        let expiry = TokenExpiry(lifetimeSeconds: 300)
        credential.tokens = Tokens(accessToken: Secret("a"), expiry: expiry, refreshToken: nil, grantedScopes: [])
        let text = String(decoding: try credential.encoded(), as: UTF8.self)
        let number = try #require(text.firstRange(of: name)).upperBound
        for time in ["-1", "253402300800", "\(Int.min)"] {
            let changed = text[..<number] + time + text[number...].drop { $0.isNumber }
            #expect(throws: OpenIDConnectError.unreadableEntry, "\(time)") {
                try Credential(entry: Array(changed.utf8))
            }
        }
        #expect(try Credential(entry: Array(text.utf8)) == credential)
    }
}
