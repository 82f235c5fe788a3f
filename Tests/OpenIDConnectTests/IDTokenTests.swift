import Foundation
import HTTPTransport
import JWTKit
import OpenSSLCrypto
import TestSupport
import Testing

@testable import OpenIDConnect

struct IDTokenTests {
    private let client: HTTPClient
    private let issuer = "https://login.example.org"
    private let nonce = Secret("nonce-1")

    init() throws { client = try HTTPClient() }

    /// Checks a token with the key set that a server returns.
    private func judge(
        _ token: String,
        keySet: String = SigningKey.issuer.publicSet,
        announced: [String]? = nil,
        at instant: ClockReading = .now()
    ) async throws -> IDTokenClaims {
        let server = try ScriptedServer { _ in .response(200, body: keySet) }
        let verifier = IDTokenVerifier(
            issuer: issuer,
            clientID: "pghd",
            keys: SigningKeys(url: try HTTPURL(server.url + "/jwks"), client: client),
            announcedAlgorithms: announced
        )
        return try await verifier.claims(of: Secret(token), nonce: nonce, at: instant)
    }

    private func claims(_ change: (inout Claims) -> Void = { _ in }) -> Claims {
        var claims = Claims(issuer: issuer)
        claims.nonce = nonce.revealed
        change(&claims)
        return claims
    }

    private func refusal(_ token: String, keySet: String = SigningKey.issuer.publicSet) async -> OpenIDConnectError? {
        do {
            _ = try await judge(token, keySet: keySet)
            return nil
        } catch { return error as? OpenIDConnectError }
    }

    @Test func `a valid token is accepted`() async throws {
        let claims = try await judge(SigningKey.issuer.signed(claims()), announced: ["ES256"])
        #expect(claims.sub == "alice-1")
        #expect(claims.preferredUsername == "alice")
        #expect(claims.fhirUser == "Practitioner/7")
    }

    @Test func `S8 a missing or different nonce is refused`() async {
        for wrong in [nil, "", "nonce-2", "nonce-1 "] {
            #expect(
                await refusal(SigningKey.issuer.signed(claims { $0.nonce = wrong })) == .idToken(.claim(name: "nonce"))
            )
        }
    }

    /// A change to the claims, and the error that it causes.
    struct Change: CustomTestStringConvertible {
        let testDescription: String
        let error: IDTokenError?
        let apply: @Sendable (inout Claims) -> Void

        init(_ what: String, _ error: IDTokenError?, _ apply: @escaping @Sendable (inout Claims) -> Void) {
            testDescription = what
            self.error = error
            self.apply = apply
        }
    }

    @Test(arguments: [
        Change("iss of another", .claim(name: "iss")) { $0.iss = "https://evil.example.org" },
        Change("iss with a slash", .claim(name: "iss")) { $0.iss = "https://login.example.org/" },
        Change("no iss", .claim(name: "iss")) { $0.iss = nil },
        Change("aud of another", .audience(clientID: "pghd")) { $0.aud = ["other"] },
        Change("empty aud", .audience(clientID: "pghd")) { $0.aud = [] },
        Change("no aud", .claim(name: "aud")) { $0.aud = nil },
        Change("several aud without azp", .claim(name: "azp")) { $0.aud = ["pghd", "other"] },
        Change("several aud, azp of another", .claim(name: "azp")) {
            $0.aud = ["pghd", "other"]
            $0.azp = "other"
        },
        Change("several aud, azp ours", nil) {
            $0.aud = ["pghd", "other"]
            $0.azp = "pghd"
        },
        Change("azp of another", .claim(name: "azp")) { $0.azp = "other" },
        Change("empty sub", .claim(name: "sub")) { $0.sub = "" },
        Change("expired", .expired) { $0.exp = $0.exp.map { $0 - 600 - 301 } },
        Change("just expired", nil) { $0.exp = $0.exp.map { $0 - 600 - 200 } },
        Change("from the future", .notYetValid) { $0.iat = $0.iat.map { $0 + 400 } },
        Change("from the near future", nil) { $0.iat = $0.iat.map { $0 + 200 } },
        Change("not yet valid", .notYetValid) { $0.nbf = ClockReading.now().wallSeconds + 400 },
        Change("no exp", .claim(name: "exp")) { $0.exp = nil },
        Change("no iat", .claim(name: "iat")) { $0.iat = nil },
    ])
    func `S16 S40 each claim is checked, with a tolerance of five minutes for clocks`(_ change: Change) async {
        let token = await SigningKey.issuer.signed(claims(change.apply))
        #expect(await refusal(token) == change.error.map { .idToken($0) })
    }

    /// The time, in seconds after that at which the token was made, and whether the token is good then.
    @Test(arguments: [(-300, false), (-299, true), (899, true), (900, false)])
    func `S40 the tolerance is five minutes to the second`(_ seconds: Int, _ isGood: Bool) async throws {
        let instant = ClockReading.now()
        let token = await SigningKey.issuer.signed(
            claims {
                ($0.iat, $0.nbf, $0.exp) = (instant.wallSeconds, instant.wallSeconds, instant.wallSeconds + 600)
            }
        )
        var later = instant
        later.wallSeconds += seconds
        if isGood {
            _ = try await judge(token, at: later)
        } else {
            let error = OpenIDConnectError.idToken(seconds < 0 ? .notYetValid : .expired)
            await #expect(throws: error) { try await judge(token, at: later) }
        }
    }

    @Test func `S40 a token may not be used five minutes before its time`() async throws {
        let instant = ClockReading.now()
        let token = await SigningKey.issuer.signed(claims { $0.nbf = instant.wallSeconds + 300 })
        await #expect(throws: OpenIDConnectError.idToken(.notYetValid)) { try await judge(token, at: instant) }
    }

    @Test func `S16 iss and aud are compared byte for byte`() async throws {
        // The Kelvin sign, which Unicode treats as equal to K.
        let changes: [(IDTokenError, (inout Claims) -> Void)] = [
            (.claim(name: "iss"), { ($0.iss, $0.aud) = ("https://login.example.org/\u{212A}", ["K"]) }),
            (.audience(clientID: "K"), { ($0.iss, $0.aud) = ("https://login.example.org/K", ["\u{212A}"]) }),
        ]
        for (error, change) in changes {
            let token = await SigningKey.issuer.signed(claims(change))
            let verifier = IDTokenVerifier(
                issuer: issuer + "/K",
                clientID: "K",
                keys: try #require(Self.sharedKeys),
                announcedAlgorithms: nil
            )
            await #expect(throws: OpenIDConnectError.idToken(error)) {
                try await verifier.claims(of: Secret(token), nonce: nonce)
            }
        }
    }

    /// Claims that pghd only shows, of types that they must not have.
    private struct OddNames: JWTPayload {
        var iss = "https://login.example.org"
        var sub = "alice-1"
        var aud = "pghd"
        var exp = ClockReading.now().wallSeconds + 600
        var iat = ClockReading.now().wallSeconds
        var nonce = "nonce-1"
        var preferred_username = 7
        var email = ["a@example.org"]
        var name = false
        var fhirUser = 7.5

        func verify(using algorithm: some JWTAlgorithm) {}
    }

    @Test func `names of the wrong type do not make a token unusable`() async throws {
        let claims = try await judge(SigningKey.issuer.signed(OddNames()))
        #expect(claims.sub == "alice-1")
        #expect([claims.preferredUsername, claims.email, claims.name, claims.fhirUser] == [nil, nil, nil, nil])
    }

    @Test func `S16 a key of another kind under the token's key id is not its key`() async {
        let modulus = String(repeating: "A", count: 342)
        let keySet = "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"k1\",\"n\":\"\(modulus)\",\"e\":\"AQAB\"}]}"
        #expect(await refusal(SigningKey.issuer.signed(claims()), keySet: keySet) == .idToken(.unknownKey))
    }

    /// Claims with times as text.
    private struct TextualClaims: JWTPayload {
        var iss = "https://login.example.org"
        var sub = "alice-1"
        var aud = "pghd"
        var exp = "4102444800"
        var iat = "1704067200"

        func verify(using algorithm: some JWTAlgorithm) {}
    }

    @Test func `S16 a claim of the wrong type is named if the signature is valid`() async {
        #expect(await refusal(SigningKey.issuer.signed(TextualClaims())) == .idToken(.claim(name: "exp")))
        let forger = SigningKey(name: "k1", key: ES256PrivateKey())
        #expect(await refusal(forger.signed(TextualClaims())) == .idToken(.signature))
    }

    @Test func `S16 none and HMAC with the public key are refused`() async throws {
        let payload = await SigningKey.issuer.signed(claims()).split(separator: ".")[1]
        func header(_ alg: String) -> String {
            Base64URL.text(Array("{\"alg\":\"\(alg)\",\"typ\":\"JWT\",\"kid\":\"k1\"}".utf8))
        }
        for alg in ["none", "None", "NONE", "nOnE", "", "EdDSA"] {
            #expect(await refusal("\(header(alg)).\(payload).AA") == .idToken(.algorithm))
        }
        #expect(await refusal("\(header("none")).\(payload).") == .idToken(.malformed))
        let input = "\(header("HS256")).\(payload)"
        for key in [SigningKey.issuer.publicSet, SigningKey.issuer.key.publicKey.pemRepresentation] {
            let hash = KeyedSHA256(key: Array(key.utf8))
            var bytes = Array(input.utf8)
            let signature = unsafe bytes.withUnsafeMutableBytes {
                unsafe hash.digest(hash.head(paddedWithZeros: []), tail: UnsafeRawBufferPointer($0))
            }
            #expect(await refusal("\(input).\(Base64URL.text(signature.bytes))") == .idToken(.algorithm))
        }
    }

    @Test func `S16 an algorithm that the server did not announce is refused`() async {
        await #expect(throws: OpenIDConnectError.idToken(.unannouncedAlgorithm("ES256"))) {
            try await judge(SigningKey.issuer.signed(claims()), announced: ["RS256"])
        }
    }

    @Test(arguments: [
        (
            IDTokenError.audience(clientID: "pghd"),
            "its aud is not this client: tell the server's operator: this client's aud must be 'pghd'"
        ),
        (
            .unannouncedAlgorithm("ES256"),
            "its alg is ES256 (expected one of id_token_signing_alg_values_supported in the server's own document): tell the "
                + "server's operator"
        ),
        (
            .missing,
            "there is none (expected one for the scope openid): tell the server's operator, or name scopes without openid "
                + "with --scope"
        ),
        (.claim(name: "iss"), "its iss is missing, or not the expected one: tell the server's operator"),
        (.claim(name: "nonce"), "its nonce is missing, or not the expected one: sign in again"),
        (.signature, "its signature is wrong: sign in again"),
    ])
    func `signing in again is advised only where it may help`(_ error: IDTokenError, _ message: String) {
        #expect(OpenIDConnectError.idToken(error).description == "the ID token can't be trusted: \(message)")
    }

    @Test(arguments: ["1e300", "9223372036854775808", "[{\"y\":-1e19}]"])
    func `a number in the header that is too large for an integer does not stop the process`(_ odd: String) async {
        let header = Base64URL.text(Array("{\"alg\":\"ES256\",\"kid\":\"k1\",\"x\":\(odd)}".utf8))
        let payload = Base64URL.text(Array("{\"iss\":\"x\"}".utf8))
        #expect(await refusal("\(header).\(payload).AAAA") == .idToken(.malformed))
    }

    @Test func `S16 a critical extension is refused`() async {
        let token = await SigningKey.issuer.signed(claims(), header: ["crit": .array([.string("b64")])])
        #expect(await refusal(token) == .idToken(.criticalExtension))
    }

    @Test func `S16 a key in the token itself is ignored`() async {
        // The `jwk` in the header is the attacker's.
        let token = await SigningKey.other.signed(
            claims(),
            header: ["kid": .string("k1"), "jwk": .object(["kty": .string("EC")])]
        )
        #expect(await refusal(token) == .idToken(.unknownKey))
    }

    @Test func `S16 another key's signature under our key's id is refused`() async {
        let forger = SigningKey(name: "k1", key: ES256PrivateKey())
        #expect(await refusal(forger.signed(claims())) == .idToken(.signature))
    }

    @Test func `S16 flipping any bit of the token is noticed`() async {
        let token = Array(await SigningKey.issuer.signed(claims()).utf8)
        for index in token.indices {
            for bit in [0, 3, 5] {
                var changed = token
                changed[index] ^= 1 << bit
                // The last character of base64url text may have unused bits.
                if Base64URL.bytes(String(decoding: changed, as: UTF8.self).split(separator: ".").last ?? "")
                    == Base64URL.bytes(String(decoding: token, as: UTF8.self).split(separator: ".").last ?? ""),
                    index > token.lastIndex(of: UInt8(ascii: ".")) ?? 0
                {
                    continue
                }
                #expect(await Self.isRefused(changed, by: self))
            }
        }
    }

    /// Checked with keys that are fetched once for all.
    private static let keyServer = try? ScriptedServer { _ in .response(200, body: SigningKey.issuer.publicSet) }

    private static func isRefused(_ token: [UInt8], by test: IDTokenTests) async -> Bool {
        do {
            let keys = try #require(sharedKeys)
            let verifier = IDTokenVerifier(
                issuer: test.issuer,
                clientID: "pghd",
                keys: keys,
                announcedAlgorithms: nil
            )
            _ = try await verifier.claims(of: Secret(String(decoding: token, as: UTF8.self)), nonce: test.nonce)
            return false
        } catch { return error is OpenIDConnectError }
    }

    private static let sharedKeys = keyServer.flatMap { server in
        try? SigningKeys(url: HTTPURL(server.url), client: HTTPClient())
    }

    @Test func `S16 keys of unknown kinds do not spoil the others`() async throws {
        let keySet = """
            {"keys":[{"kty":"oct","kid":"k1","k":"AAAA"},{"kty":"LATTICE","kid":"k1"},7,\(SigningKey.issuer.publicKey)]}
            """
        _ = try await judge(SigningKey.issuer.signed(claims()), keySet: keySet)
    }

    @Test func `S16 a key for encryption or for another algorithm is not accepted for signatures`() async {
        let token = await SigningKey.issuer.signed(claims())
        let key = SigningKey.issuer.publicKey
        for other in [key.replacing("\"sig\"", with: "\"enc\""), key.replacing("ES256", with: "ES384")] {
            #expect(await refusal(token, keySet: "{\"keys\":[\(other)]}") == .idToken(.unknownKey))
        }
    }

    @Test func `S16 an RSA key below 2048 bits is not accepted for signatures`() async throws {
        // A modulus of 1024 bits; the key is refused whether or not the signature is valid.
        let modulus = Base64URL.text([0x80] + [UInt8](repeating: 1, count: 127))
        let header = Base64URL.text(Array("{\"alg\":\"RS256\",\"kid\":\"r1\"}".utf8))
        let payload = await SigningKey.issuer.signed(claims()).split(separator: ".")[1]
        let keySet = "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"r1\",\"n\":\"\(modulus)\",\"e\":\"AQAB\"}]}"
        #expect(await refusal("\(header).\(payload).AAAA", keySet: keySet) == .idToken(.signature))
    }

    @Test func `S16 an unknown key is fetched once more, and then no longer`() async throws {
        let server = try ScriptedServer { request in
            .response(
                200,
                body: request.target == "/rotated" ? SigningKey.other.publicSet : SigningKey.issuer.publicSet
            )
        }
        let keys = SigningKeys(url: try HTTPURL(server.url + "/jwks"), client: client)
        let verifier = IDTokenVerifier(issuer: issuer, clientID: "pghd", keys: keys, announcedAlgorithms: nil)
        _ = try await verifier.claims(of: Secret(SigningKey.issuer.signed(claims())), nonce: nonce)
        #expect(server.requests.count == 1)
        for _ in 0..<5 {
            await #expect(throws: OpenIDConnectError.idToken(.unknownKey)) {
                try await verifier.claims(of: Secret(SigningKey.other.signed(claims())), nonce: nonce)
            }
        }
        #expect(server.requests.count == 2)
    }

    @Test func `S16 changed keys are fetched again`() async throws {
        let fetches = RequestCount()
        let server = try ScriptedServer { _ in
            .response(200, body: fetches.next() == 1 ? SigningKey.issuer.publicSet : SigningKey.other.publicSet)
        }
        let keys = SigningKeys(url: try HTTPURL(server.url + "/jwks"), client: client)
        let verifier = IDTokenVerifier(issuer: issuer, clientID: "pghd", keys: keys, announcedAlgorithms: nil)
        _ = try await verifier.claims(of: Secret(SigningKey.issuer.signed(claims())), nonce: nonce)
        _ = try await verifier.claims(of: Secret(SigningKey.other.signed(claims())), nonce: nonce)
    }

    @Test(arguments: [
        "", ".", "..", "a.b", "a.b.c.d", "eyJhbGciOiJFUzI1NiJ9.e30.", "!.!.!",
        "eyJhbGciOiJFUzI1NiJ9.!.AA", "e30.e30.AA",
    ])
    func `S16 text that is not a signed JWT is refused`(_ token: String) async {
        #expect(await refusal(token) == .idToken(.malformed))
    }

    @Test func `S16 a token without a key id may be signed by any key of the right kind`() async throws {
        let keys = JWTKeyCollection()
        await keys.add(ecdsa: SigningKey.issuer.key)
        let token = try await keys.sign(claims())
        let set = "{\"keys\":[\(SigningKey.other.publicKey),\(SigningKey.issuer.publicKey)]}"
        #expect(try await judge(token, keySet: set).sub == "alice-1")
        #expect(await refusal(token, keySet: SigningKey.other.publicSet) == .idToken(.signature))
    }

    @Test func `S16 another spelling of the same token is refused`() async {
        let token = await SigningKey.issuer.signed(claims())
        // 64 bytes are 86 base64url digits, of which the last has four unused bits.
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let last = digits.firstIndex { $0 == token.last } ?? 0
        #expect(last % 16 == 0)
        #expect(await refusal(token.dropLast() + String(digits[last + 1])) == .idToken(.malformed))
    }

    @Test func `S42 mutated tokens are refused and crash nothing`() async {
        let token = Array(await SigningKey.issuer.signed(claims()).utf8)
        var mutations = Mutations(of: [token])
        for _ in 0..<Mutations.documentCount {
            let mutated = mutations.next()
            if mutated != token { #expect(await Self.isRefused(mutated, by: self)) }
        }
    }
}
