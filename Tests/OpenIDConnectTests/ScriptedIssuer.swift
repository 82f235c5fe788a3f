import Foundation
import HTTPTransport
import JWTKit
import OpenIDConnect
import Synchronization
import TestSupport

/// A FHIR base and its issuer on one loopback port, correct in everything except what a test changes.
///
/// It signs with parts of jwt-kit that the code under test does not use.
final class ScriptedIssuer: Sendable {
    typealias Request = ScriptedServer.Request
    typealias Reply = ScriptedServer.Reply

    let server: ScriptedServer
    private let state: State

    /// Answers a request before the issuer does; `nil` leaves it to the issuer.
    typealias Override = @Sendable (Request, _ base: String) -> Reply?

    private final class State: Sendable {
        let base = Mutex("")
        let nonce = Mutex<String?>(nil)
        let tokenCount = Atomic(0)
        let override: Override
        init(_ override: @escaping Override) { self.override = override }
    }

    init(_ override: @escaping Override = { _, _ in nil }) throws {
        let state = State(override)
        self.state = state
        server = try ScriptedServer { request in
            let base = state.base.withLock(\.self)
            return state.override(request, base) ?? Self.answer(request, base: base, state: state)
        }
        state.base.withLock { $0 = server.url }
    }

    var base: String { server.url }
    /// The FHIR base.
    var fhir: HTTPURL { get throws { try HTTPURL(serverBase: base + "/r4") } }
    /// The requests to one path.
    func requests(_ path: String) -> [Request] { server.requests.filter { $0.path == path } }

    /// The documents that the issuer returns; tests change them.
    static func smartConfiguration(_ base: String) -> [String: Any] {
        [
            "issuer": base, "authorization_endpoint": base + "/authorize", "token_endpoint": base + "/token",
            "revocation_endpoint": base + "/revoke", "device_authorization_endpoint": base + "/device",
            "jwks_uri": base + "/jwks", "code_challenge_methods_supported": ["S256"],
            "capabilities": ["permission-v2", "sso-openid-connect"], "grant_types_supported": ["authorization_code"],
        ]
    }

    static func openIDConfiguration(_ base: String) -> [String: Any] {
        [
            "issuer": base, "authorization_endpoint": base + "/authorize", "token_endpoint": base + "/token",
            "jwks_uri": base + "/jwks", "code_challenge_methods_supported": ["S256"],
            "id_token_signing_alg_values_supported": ["ES256"],
        ]
    }

    static func json(_ object: Any, status: Int = 200) -> Reply {
        let data = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
        let text = String(decoding: data ?? Data(), as: UTF8.self)
        return .response(status, headers: ["Content-Type": "application/json"], body: text)
    }

    private static func answer(_ request: Request, base: String, state: State) -> Reply {
        switch request.path {
        case "/r4/.well-known/smart-configuration": return json(smartConfiguration(base))
        case "/.well-known/openid-configuration": return json(openIDConfiguration(base))
        case "/jwks": return .response(200, body: SigningKey.issuer.publicSet)
        case "/authorize":
            state.nonce.withLock { $0 = request.query["nonce"] }
            let query = "code=code-1&state=\(request.query["state"] ?? "")"
            return .response(302, headers: ["Location": "\(request.query["redirect_uri"] ?? "")?\(query)"])
        case "/token": return token(request, base: base, state: state)
        case "/device":
            return json([
                "device_code": "device-1", "user_code": "WDJB-MJHT", "verification_uri": base + "/code",
                "expires_in": 600, "interval": 5,
            ])
        case "/revoke": return .response(200)
        default: return .response(404)
        }
    }

    private static func token(_ request: Request, base: String, state: State) -> Reply {
        let number = state.tokenCount.add(1, ordering: .relaxed).newValue
        var answer: [String: Any] = [
            "access_token": "access-\(number)", "token_type": "Bearer", "expires_in": 3600,
            "refresh_token": "refresh-\(number)",
        ]
        switch request.form["grant_type"] {
        case "authorization_code", "urn:ietf:params:oauth:grant-type:device_code":
            var claims = Claims(issuer: base)
            claims.nonce = state.nonce.withLock(\.self)
            answer["id_token"] = SigningKey.issuer.signedNow(claims)
            answer["patient"] = "p123"
            answer["scope"] = "openid patient/Observation.crus"
        case "client_credentials": answer["refresh_token"] = nil
        default: break
        }
        return json(answer)
    }
}

/// The claims of a valid ID token; tests change them.
struct Claims: JWTPayload {
    var iss: String?
    var sub: String? = "alice-1"
    var aud: [String]? = ["pghd"]
    var azp: String?
    var exp: Int? = ClockReading.now().wallSeconds + 600
    var iat: Int? = ClockReading.now().wallSeconds
    var nbf: Int?
    var nonce: String?
    var preferred_username: String? = "alice"
    var email: String?
    var name: String?
    var fhirUser: String? = "Practitioner/7"

    init(issuer: String?) { iss = issuer }

    func verify(using algorithm: some JWTAlgorithm) {}
}

/// A key pair that signs ID tokens.
struct SigningKey: Sendable {
    let name: String
    let key: ES256PrivateKey

    static let issuer = SigningKey(name: "k1", key: ES256PrivateKey())
    static let other = SigningKey(name: "k2", key: ES256PrivateKey())

    /// The public half as a member of a JWK Set.
    var publicKey: String {
        let point = key.publicKey.parameters
        func plain(_ text: String?) -> String {
            (text ?? "").replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }
        return """
            {"kty":"EC","crv":"P-256","kid":"\(name)","use":"sig","alg":"ES256",\
            "x":"\(plain(point?.x))","y":"\(plain(point?.y))"}
            """
    }

    var publicSet: String { "{\"keys\":[\(publicKey)]}" }

    /// The compact JWT of `claims`.
    func signed(_ claims: some JWTPayload, header: JWTHeader = [:]) async -> String {
        let keys = JWTKeyCollection()
        let kid = JWKIdentifier(string: name)
        await keys.add(ecdsa: key, kid: kid)
        return (try? await keys.sign(claims, kid: kid, header: header)) ?? ""
    }

    /// The same for a server's thread, which may block.
    ///
    /// It does not run in the pool, whose threads may all be waiting for commands that need this answer.
    func signedNow(_ claims: Claims) -> String {
        let result = Mutex("")
        let done = DispatchSemaphore(value: 0)
        Task.detached(executorPreference: OwnThreads()) {
            let token = await signed(claims)
            result.withLock { $0 = token }
            done.signal()
        }
        done.wait()
        return result.withLock(\.self)
    }
}

/// Runs each step of a task on a new thread.
private final class OwnThreads: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
