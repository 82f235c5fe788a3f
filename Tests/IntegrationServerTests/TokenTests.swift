import JWTKit
import Testing

@testable import IntegrationServer

/// What comes with the tokens of a sign-in, how long they are valid, and what ends them.
struct TokenTests {
    @Test func `each credential opens only what it was made for`() async throws {
        try await RunningServer.run { server in
            let code = try await server.code()
            #expect(try await server.http.bearing(code).get("/fhir/Device").status == 401)
            #expect(try await server.refresh(code).json("error") == "invalid_grant")
            let tokens = try await server.exchange(code)
            let (access, refresh) = (try tokens.json("access_token"), try tokens.json("refresh_token"))
            #expect(try await server.refresh(access).json("error") == "invalid_grant")
            #expect(try await server.exchange(refresh).json("error") == "invalid_grant")
            #expect(try await server.http.bearing(refresh).get("/fhir/Device").status == 401)
            #expect(try await server.http.bearing(access).get("/fhir/Device").status == 200)
        }
    }

    @Test(arguments: [
        ("access_token", [401, 200, 200]), ("refresh_token", [401, 400, 200]), ("code", [200, 200, 200]),
    ])
    func `revoking an access token ends only that, and revoking a refresh token the whole sign-in`(
        _ name: String,
        _ statuses: [Int]
    ) async throws {
        try await RunningServer.run { server in
            let other = try await server.signedIn()
            let tokens = try await server.exchange(try await server.code())
            let http = server.http.bearing(try tokens.json("access_token"))
            let token = name == "code" ? "unknown" : try tokens.json(name)
            let answer = try await server.http.post(
                "/auth/revoke",
                RunningServer.form(["token": token, "client_id": "pghd"]),
                type: "application/x-www-form-urlencoded"
            )
            #expect(answer.status == 200)
            let after = [
                try await http.get("/fhir/Device").status,
                try await server.refresh(try tokens.json("refresh_token")).status,
                try await other.get("/fhir/Device").status,
            ]
            #expect(after == statuses)
        }
    }

    @Test func `expired tokens are remembered for a day`() async throws {
        try await RunningServer.run { server in
            let http = try await server.signedIn()
            server.clock.advance(seconds: 3_600 + 86_400)
            _ = try await server.signedIn()
            #expect(
                try await http.get("/fhir/Device").body
                    == outcome("expired", "the bearer token has expired: refresh it")
            )
            server.clock.advance(seconds: 1)
            _ = try await server.signedIn()
            #expect(
                try await http.get("/fhir/Device").body
                    == outcome("login", "the bearer token is not known here, or was revoked: sign in")
            )
        }
    }

    @Test(arguments: [
        ("launch/patient", "demo"), ("observations.write", "demo"), ("patient/*.r", "demo"), ("user/*.r", ""),
        ("openid", ""),
    ])
    func `a client is told the patient if its scope concerns one`(_ scope: String, _ patient: String) async throws {
        try await RunningServer.run { server in
            let answer = try await server.exchange(try await server.code(scope: scope))
            #expect(try answer.json("patient") == patient)
            #expect(try JSONReader.read(Array(answer.body.utf8))["expires_in"]?.integer == 3_600)
        }
    }

    @Test func `unknown scopes, and those for clients on their own, are left out`() async throws {
        try await RunningServer.run { server in
            let answer = try await server.exchange(try await server.code(scope: "patient/*.r nothing system/*.r"))
            #expect(try answer.json("scope") == "patient/*.r")
        }
    }

    @Test(arguments: ["openid", "openid fhirUser"])
    func `an ID token says who signed in, signed with the published key`(_ scope: String) async throws {
        try await RunningServer.run { server in
            let code = try await server.code(scope: scope, ["nonce": "once"])
            let text = try await server.exchange(code).json("id_token")
            let published = try await server.http.get("/auth/jwks").body
            let keys = try await JWTKeyCollection().add(jwksJSON: published)
            let token = try await keys.verify(text, as: IDToken.self)
            let addresses = server.server.addresses
            let user = scope == "openid" ? nil : "\(addresses.fhirBase)/Patient/demo"
            #expect(
                [token.iss, token.sub, token.aud, token.nonce, token.fhirUser]
                    == [addresses.issuer, "demo", "pghd", "once", user]
            )
            #expect([token.iat, token.exp] == [1_795_257_000, 1_795_260_600])
            let header = try JSONReader.read(Base64URL.decode(text.split(separator: ".")[0]) ?? [])
            let key = try JSONReader.read(Array(published.utf8))["keys"]?.elements.first
            #expect(header["kid"]?.string == key?["kid"]?.string)
        }
    }

    @Test func `an ID token says when its bearer signed in, and only the first one has the nonce`() async throws {
        try await RunningServer.run { server in
            let code = try await server.code(["nonce": "once", "max_age": "60"])
            server.clock.advance(seconds: 50)
            let first = try await server.exchange(code)
            server.clock.advance(seconds: 100)
            let second = try await server.refresh(try first.json("refresh_token"))
            let keys = try await JWTKeyCollection().add(jwksJSON: try await server.http.get("/auth/jwks").body)
            let tokens = [
                try await keys.verify(try first.json("id_token"), as: IDToken.self),
                try await keys.verify(try second.json("id_token"), as: IDToken.self),
            ]
            #expect(tokens.map(\.authTime) == [1_795_257_000, 1_795_257_000])
            #expect(tokens.map(\.iat) == [1_795_257_050, 1_795_257_150])
            #expect(tokens.map(\.nonce) == ["once", nil])
        }
    }

    @Test func `a code without its verifier is an incomplete request, and stays valid`() async throws {
        try await RunningServer.run { server in
            let code = try await server.code()
            let answer = try await server.exchange(code, ["code_verifier": nil])
            #expect(answer.status == 400)
            #expect(try answer.json("error") == "invalid_request")
            #expect(try await server.exchange(code).status == 200)
        }
    }

    @Test func `without openid there is no ID token`() async throws {
        try await RunningServer.run { server in
            let answer = try await server.exchange(try await server.code(scope: "patient/*.r fhirUser"))
            #expect(try answer.json("id_token").isEmpty)
        }
    }

    @Test(arguments: ["A", "AAAAA", "AA=", "A+A"])
    func `invalid base64url is refused`(_ text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test func `a secret has 256 bits, and no two are equal`() {
        let secrets = [Secret.make(), Secret.make()]
        #expect(secrets.map { Base64URL.decode($0)?.count } == [32, 32])
        #expect(secrets[0] != secrets[1])
    }
}
