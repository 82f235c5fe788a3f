import Foundation
import HTTPTransport
import JWTKit
import OpenSSLCrypto
import Testing

@testable import OpenIDConnect

struct ClientKeyTests {
    private let endpoint = "https://login.example.org/token"

    private func parts(_ token: Secret) throws -> (header: [String: Any], claims: [String: Any]) {
        let parts = token.revealed.split(separator: ".").map { Base64URL.bytes($0) ?? [] }
        func object(_ bytes: [UInt8]) throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        }
        return (try object(parts[0]), try object(parts[1]))
    }

    @Test(arguments: ClientKey.Algorithm.allCases)
    func `S19 an assertion is signed by the registered key and has the claims that SMART asks for`(
        _ algorithm: ClientKey.Algorithm
    ) async throws {
        let key = try ClientKey(new: algorithm)
        let instant = ClockReading.now()
        let token = try await ClientAssertion.make(
            clientID: "service-1",
            key: key,
            tokenEndpoint: HTTPURL(endpoint),
            at: instant
        )
        let (header, claims) = try parts(token)
        #expect(header["alg"] as? String == algorithm.rawValue)
        #expect(header["kid"] as? String == key.keyID)
        #expect(header["typ"] as? String == "JWT")
        #expect(Set(claims.keys) == ["iss", "sub", "aud", "exp", "iat", "jti"])
        #expect(claims["iss"] as? String == "service-1")
        #expect(claims["sub"] as? String == "service-1")
        #expect(claims["aud"] as? String == endpoint)
        #expect(claims["iat"] as? Int == instant.wallSeconds)
        #expect(claims["exp"] as? Int == instant.wallSeconds + 240)
        // A server checks with the public key set that was printed for it.
        let server = JWTKeyCollection()
        try await server.add(jwksJSON: key.publicKeySet())
        let payload = try await server.verify(token.revealed, as: Payload.self)
        #expect(payload.iss == "service-1")
    }

    private struct Payload: JWTPayload {
        let iss: String
        func verify(using algorithm: some JWTAlgorithm) {}
    }

    @Test func `S19 each assertion has its own jti`() async throws {
        let key = try ClientKey(new: .es384)
        var names: Set<String> = []
        for _ in 0..<20 {
            let token = try await ClientAssertion.make(clientID: "s", key: key, tokenEndpoint: HTTPURL(endpoint))
            names.insert(try #require(try parts(token).claims["jti"] as? String))
        }
        #expect(names.count == 20)
    }

    @Test(arguments: ClientKey.Algorithm.allCases)
    func `S19 only the public half is printed`(_ algorithm: ClientKey.Algorithm) throws {
        let key = try ClientKey(new: algorithm)
        let set = try JSONSerialization.jsonObject(with: Data(key.publicKeySet().utf8)) as? [String: [[String: Any]]]
        let members = try #require(set?["keys"]?.first)
        let expected: Set<String> =
            algorithm == .es384
            ? ["kty", "crv", "x", "y", "alg", "kid", "use", "key_ops"]
            : ["kty", "n", "e", "alg", "kid", "use", "key_ops"]
        #expect(Set(members.keys) == expected)
        #expect(members["kid"] as? String == key.keyID)
        #expect(members["key_ops"] as? [String] == ["verify"])
        if algorithm == .rs384 { #expect(Base64URL.bytes(members["n"] as? String ?? "")?.count == 384) }
    }

    // RFC 7638, section 3.1 hashes the required members in alphabetical order.
    @Test func `a key's id is the thumbprint of its public half`() throws {
        let key = try ClientKey(new: .es384)
        let set = try JSONSerialization.jsonObject(with: Data(key.publicKeySet().utf8)) as? [String: [[String: Any]]]
        let members = try #require(set?["keys"]?.first)
        let required = ["crv", "kty", "x", "y"].map { "\"\($0)\":\"\(members[$0] as? String ?? "")\"" }
        var hash = SHA256()
        hash.update("{\(required.joined(separator: ","))}")
        #expect(key.keyID == Base64URL.text(hash.digest().bytes))
    }

    @Test func `a key is kept as it was made, separate from the sign-in`() async throws {
        let store = MemoryTokenStore()
        let server = "https://fhir.example.org"
        #expect(try await ClientKey(of: server, in: store) == nil)
        let key = try ClientKey(new: .es384)
        try await key.save(for: HTTPURL(server), in: store)
        #expect(try await ClientKey(of: server, in: store) == key)
        #expect(await store.names() == ["key https://fhir.example.org"])
        #expect(try await StoredSignIns.all(in: store).isEmpty)
    }

    @Test func `a key that was stored meanwhile stays, and another one is not printed`() async throws {
        let store = MemoryTokenStore()
        let (first, second) = (try ClientKey(new: .es384), try ClientKey(new: .es384))
        let server = try HTTPURL("https://fhir.example.org")
        #expect(try await first.save(for: server, in: store, replaces: false))
        let isKept = try await second.save(for: server, in: store, replaces: false) { throw DiskFull() }
        #expect(!isKept)
        #expect(try await ClientKey(of: server.text, in: store) == first)
        await #expect(throws: DiskFull.self) { try await second.save(for: server, in: store) { throw DiskFull() } }
        #expect(try await ClientKey(of: server.text, in: store) == first)
        #expect(try await second.save(for: server, in: store))
        #expect(try await ClientKey(of: server.text, in: store) == second)
    }

    @Test func `an entry that is not a key is an error`() async {
        let store = MemoryTokenStore(["key s": Array("{}".utf8)])
        await #expect(throws: OpenIDConnectError.unusableClientKey) { _ = try await ClientKey(of: "s", in: store) }
    }
}
