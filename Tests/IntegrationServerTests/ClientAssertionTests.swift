import Foundation
import GRDB
import JWTKit
import Testing

@testable import IntegrationServer

/// The claims of a client's assertion, valid unless a test changes them.
private struct Claims: JWTPayload {
    var iss = "pipeline"
    var sub = "pipeline"
    var aud: String
    var exp = 1_795_257_000.0 + 300
    var nbf: Double?
    var jti = "1"

    func verify(using algorithm: some JWTAlgorithm) {}
}

struct ClientAssertionTests {
    private static let key = ES384PrivateKey()

    /// Runs `body` with a server that knows the client `pipeline` and its key.
    private static func run(_ body: @Sendable (RunningServer) async throws -> Void) async throws {
        let parameters = key.publicKey.parameters
        func urlSafe(_ text: String?) -> String {
            (text ?? "").replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }
        let point = #""kty":"EC","crv":"P-384","x":"\#(urlSafe(parameters?.x))","y":"\#(urlSafe(parameters?.y))""#
        let keys = #"{"keys":[{"alg":"ES384","kid":"k1",\#(point)},{"kid":"any",\#(point)}]}"#
        let clients = #"[{"client_id":"pipeline","jwks":\#(keys)},{"client_id":"other","jwks":\#(keys)}]"#
        try await RunningServer.run(clients: clients, body)
    }

    private static func request(
        _ server: RunningServer,
        signedBy key: ES384PrivateKey = key,
        scope: String = "system/*.cruds",
        kid: JWKIdentifier? = "k1",
        header: JWTHeader = JWTHeader(),
        fields: [String: String?] = [:],
        _ change: (inout Claims) -> Void = { _ in }
    ) async throws -> HTTPAnswer {
        var claims = Claims(aud: "\(server.server.addresses.issuer)/token")
        change(&claims)
        let keys = await JWTKeyCollection().add(ecdsa: key, kid: "k1")
        let all: [String: String?] = [
            "grant_type": "client_credentials", "scope": scope, "client_assertion_type": ClientAssertion.type,
            "client_assertion": try await keys.sign(claims, kid: kid, header: header),
        ]
        return try await server.token(all.merging(fields) { $1 })
    }

    @Test func `a client that signs gets a token without a person`() async throws {
        try await Self.run { server in
            let answer = try await Self.request(server)
            #expect(answer.status == 200)
            #expect(try answer.json("scope") == "system/*.cruds")
            #expect(try answer.json("refresh_token").isEmpty)
            let http = server.http.bearing(try answer.json("access_token"))
            #expect(try await http.put("/fhir/Observation/a", observation("\"id\":\"a\"")).status == 201)
        }
    }

    @Test func `an assertion can be used once`() async throws {
        try await Self.run { server in
            #expect(try await Self.request(server).status == 200)
            let repeated = try await Self.request(server)
            #expect(try repeated.json("error_description") == "the assertion's jti was here before")
            #expect(try await Self.request(server) { $0.jti = "2" }.status == 200)
            // Another client's assertion may have the same jti.
            #expect(try await Self.request(server) { ($0.iss, $0.sub) = ("other", "other") }.status == 200)
            // A jti is not remembered for longer than its assertion would be accepted.
            server.clock.advance(seconds: 301)
            #expect(try await Self.request(server) { ($0.jti, $0.exp) = ("3", $0.exp + 301) }.status == 200)
            let remembered = try await server.server.router.fhir.store.database.read { database in
                try String.fetchAll(database, sql: "SELECT jti FROM assertion")
            }
            #expect(remembered == ["3"])
        }
    }

    @Test(
        arguments: [
            (["client_id": "pipeline"], ""), (["client_id": "other"], "client_id is not the assertion's"),
            (["client_assertion_type": nil], "client_assertion_type is not \(ClientAssertion.type)"),
            (["client_assertion_type": "jwt"], "client_assertion_type is not \(ClientAssertion.type)"),
        ] as [([String: String?], String)]
    )
    func `the fields next to an assertion must fit it`(_ fields: [String: String?], _ what: String) async throws {
        try await Self.run { server in
            let answer = try await Self.request(server, fields: fields)
            #expect(answer.status == (what.isEmpty ? 200 : 401))
            #expect(try answer.json("error_description") == what)
        }
    }

    @Test func `an assertion may name the issuer as its audience, and a key for any algorithm`() async throws {
        try await Self.run { server in
            let issuer = server.server.addresses.issuer
            let answer = try await Self.request(server, kid: "any") { $0.aud = issuer }
            #expect(answer.status == 200)
        }
    }

    @Test(arguments: [(30, ""), (30.5, "the assertion's exp is past, or more than five minutes away")])
    func `an assertion expires within five minutes and thirty seconds`(_ more: Double, _ what: String) async throws {
        try await Self.run { server in
            let answer = try await Self.request(server) { $0.exp += more }
            #expect(try answer.json("error_description") == what)
        }
    }

    @Test(arguments: [
        ("openid", ""), ("offline_access patient/*.r", ""), ("system/*.r openid patient/*.r user/*.r", "system/*.r"),
    ])
    func `a client on its own only gets system scopes`(_ scope: String, _ granted: String) async throws {
        try await Self.run { server in
            let answer = try await Self.request(server, scope: scope)
            #expect(try answer.json("scope") == granted)
            #expect(try answer.json("error") == (granted.isEmpty ? "invalid_scope" : ""))
        }
    }

    @Test func `another key, audience, subject or time is refused`() async throws {
        try await Self.run { server in
            let start = 1_795_257_000.0
            let answers = [
                try await Self.request(server, signedBy: ES384PrivateKey()),
                try await Self.request(server) { $0.aud = "https://elsewhere.example.org/token" },
                try await Self.request(server) { $0.sub = "pghd" },
                try await Self.request(server) { ($0.iss, $0.sub) = ("pghd", "pghd") },
                try await Self.request(server) { $0.exp = start },
                try await Self.request(server) { $0.exp = start + 3_600 },
                try await Self.request(server) { $0.jti = "" },
            ]
            #expect(answers.map(\.status) == [401, 401, 401, 401, 401, 401, 401])
            #expect(
                try answers.map { try $0.json("error_description") } == [
                    "the assertion's signature is not by one of the client's keys",
                    "the assertion's aud is not the token endpoint's URL",
                    "the assertion's iss and sub name no client with keys here",
                    "the assertion's iss and sub name no client with keys here",
                    "the assertion's exp is past, or more than five minutes away",
                    "the assertion's exp is past, or more than five minutes away",
                    "the assertion's jti is empty",
                ]
            )
            let personal = try await Self.request(server, scope: "patient/*.cruds")
            #expect(try personal.json("error") == "invalid_scope")
        }
    }

    @Test(arguments: [
        (JWTHeader(fields: ["alg": "ES256"]), "the assertion's kid is of none of the client's keys for that alg"),
        (JWTHeader(fields: ["alg": "RS256"]), "the assertion's kid is of none of the client's keys for that alg"),
        (JWTHeader(fields: ["alg": "HS384"]), "the assertion's alg is none of ES256, ES384, RS256, RS384"),
        (JWTHeader(fields: ["crit": ["soon"], "soon": 1]), "the assertion's crit names an extension (expected none)"),
    ])
    func `a header with another algorithm or an unknown extension is refused`(
        _ header: JWTHeader,
        _ what: String
    ) async throws {
        try await Self.run { server in
            let answer = try await Self.request(server, header: header)
            #expect(answer.status == 401)
            #expect(try answer.json("error_description") == what)
        }
    }

    @Test func `a key is not tried with another kind of algorithm`() async throws {
        try await Self.run { server in
            let answer = try await Self.request(server, kid: "any", header: JWTHeader(fields: ["alg": "RS256"]))
            #expect(
                try answer.json("error_description")
                    == "the assertion's kid is of none of the client's keys for that alg"
            )
        }
    }

    @Test(arguments: [nil, "k2"] as [JWKIdentifier?])
    func `an assertion that names none of the client's keys is refused`(_ kid: JWKIdentifier?) async throws {
        try await Self.run { server in
            let answer = try await Self.request(server, kid: kid)
            #expect(answer.status == 401)
            #expect(
                try answer.json("error_description")
                    == "the assertion's kid is of none of the client's keys for that alg"
            )
        }
    }

    @Test func `times may have a fraction, and nbf must have passed`() async throws {
        try await Self.run { server in
            #expect(try await Self.request(server) { $0.exp += 0.5 }.status == 200)
            // Valid until its last moment, but not a second time.
            #expect(try await Self.request(server) { ($0.exp, $0.jti) = (1_795_257_000.5, "2") }.status == 200)
            #expect(try await Self.request(server) { ($0.nbf, $0.jti) = (1_795_257_030, "3") }.status == 200)
            let early = try await Self.request(server) { ($0.nbf, $0.jti) = (1_795_257_031, "4") }
            #expect(try early.json("error_description") == "the assertion's nbf is not there yet")
        }
    }

    @Test func `a number in the header that is too large for an integer does not stop the server`() async throws {
        try await Self.run { server in
            let claims = try JSONEncoder().encode(Claims(aud: "\(server.server.addresses.issuer)/token"))
            for odd in ["1e300", "9223372036854775808", "[{\"y\":-1e19}]"] {
                let header = Array(#"{"alg":"ES384","kid":"k1","x":\#(odd)}"#.utf8)
                let answer = try await server.token([
                    "grant_type": "client_credentials", "scope": "system/*.cruds",
                    "client_assertion_type": ClientAssertion.type,
                    "client_assertion": "\(Base64URL.encode(header)).\(Base64URL.encode(Array(claims))).AAAA",
                ])
                #expect(
                    try answer.json("error_description")
                        == "the assertion is not a JWT with iss, sub, aud, exp and jti"
                )
            }
        }
    }

    @Test(arguments: [
        #"{"iss":"pghd","iss":"pipeline","sub":"pipeline","aud":"a","exp":1,"jti":"1"}.AAAA"#,
        #"{"iss":"pipeline","sub":"pipeline","aud":"a","exp":1,"jti":"1"}."#,
        #"{"iss":"pipeline","sub":"pipeline","aud":"a","exp":1,"jti":"1"}.A"#,
    ])
    func `claims with a duplicated name, or without a signature, are refused`(_ rest: String) async throws {
        try await Self.run { server in
            let parts = rest.split(separator: "}.", omittingEmptySubsequences: false)
            let texts = [#"{"alg":"ES384","kid":"k1"}"#, "\(parts[0])}"].map { Base64URL.encode(Array($0.utf8)) }
            let answer = try await server.token([
                "grant_type": "client_credentials", "scope": "system/*.cruds",
                "client_assertion_type": ClientAssertion.type,
                "client_assertion": "\(texts[0]).\(texts[1]).\(parts[1])",
            ])
            #expect(
                try answer.json("error_description") == "the assertion is not a JWT with iss, sub, aud, exp and jti"
            )
        }
    }

    @Test(arguments: ["[]", #"[""]"#, #""""#, "[[]]", "7", "null", "{}"])
    func `an invalid audience does not stop the server`(_ audience: String) async throws {
        try await Self.run { server in
            let texts = [
                #"{"alg":"ES384","kid":"k1"}"#,
                #"{"iss":"pipeline","sub":"pipeline","aud":\#(audience),"exp":1795257300,"jti":"1"}"#,
            ].map { Base64URL.encode(Array($0.utf8)) }
            for path in ["token", "revoke", "device_authorization"] {
                let form = RunningServer.form([
                    "client_assertion_type": ClientAssertion.type, "client_assertion": "\(texts[0]).\(texts[1]).AAAA",
                ])
                let answer = try await server.http.post(
                    "/auth/\(path)",
                    form,
                    type: "application/x-www-form-urlencoded"
                )
                #expect(400..<500 ~= answer.status)
            }
            #expect(try await server.http.get("/health").status == 200)
        }
    }

    @Test func `a client with keys must sign`() async throws {
        try await Self.run { server in
            let answer = try await server.token(
                ["grant_type": "client_credentials", "scope": "system/*.cruds", "client_id": "pipeline"]
            )
            #expect(try answer.json("error") == "invalid_client")
        }
    }
}
