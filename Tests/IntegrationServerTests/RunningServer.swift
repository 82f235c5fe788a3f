import Foundation
import Synchronization

@testable import IntegrationServer

/// A clock that only moves when it is told to: 2026-11-21T10:30:00Z at first.
final class StoppedClock: Sendable {
    private let milliseconds = Mutex<Int64>(1_795_257_000_000)

    var serverClock: ServerClock {
        ServerClock { self.milliseconds.withLock { $0 } }
    }

    func advance(seconds: Int64) {
        milliseconds.withLock { $0 += seconds * 1_000 }
    }
}

/// A server in memory, on a port that the system chooses, reached through real HTTP.
struct RunningServer: Sendable {
    let server: IntegrationServer
    let clock: StoppedClock
    let http: HTTPClient

    /// The scopes that a person's sign-in asks for.
    static let scope = "user/*.cruds patient/*.cruds observations.write offline_access openid"

    /// The limits of a server that also waits for clients on a busy machine.
    private static let patientLimits = {
        var limits = HTTPLimits()
        limits.headSeconds = 120
        limits.bodySeconds = 120
        return limits
    }()

    /// Runs `body` with a server that signs everybody in and accepts faults.
    static func run(
        limits: HTTPLimits = patientLimits,
        _ change: (inout IntegrationServer.Options) -> Void = { _ in },
        _ body: @Sendable (RunningServer) async throws -> Void
    ) async throws {
        var options = IntegrationServer.Options()
        options.port = 0
        options.approvesAutomatically = true
        options.isTest = true
        change(&options)
        let clock = StoppedClock()
        let server = try await IntegrationServer(options, limits: limits, clock: clock.serverClock)
        let running = Task { await server.run() }
        let port = UInt16(server.addresses.issuer.split(separator: ":")[2].split(separator: "/")[0]) ?? 0
        let result: Result<Void, any Error>
        do {
            try await body(RunningServer(server: server, clock: clock, http: HTTPClient(port: port)))
            result = .success(())
        } catch {
            result = .failure(error)
        }
        running.cancel()
        await running.value
        try result.get()
    }

    /// The same with clients other than `pghd`, as `--clients` names them.
    static func run(
        clients: String,
        approvesAutomatically: Bool = true,
        _ body: @Sendable (RunningServer) async throws -> Void
    ) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "clients-\(UUID().uuidString).json")
        try Data(clients.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await run(
            { options in
                options.clientsFile = file.path
                options.approvesAutomatically = approvesAutomatically
            },
            body
        )
    }

    /// The authorization request of RFC 7636, appendix B.
    static let codeVerifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let codeChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    static let redirectURI = "http://127.0.0.1:49321/callback"

    static func authorizationQuery(scope: String = scope, _ changes: [String: String?] = [:]) -> String {
        var fields: [String: String?] = [
            "response_type": "code", "client_id": "pghd", "redirect_uri": redirectURI, "scope": scope,
            "code_challenge": codeChallenge, "code_challenge_method": "S256",
        ]
        fields.merge(changes) { $1 }
        return form(fields)
    }

    static func form(_ fields: [String: String?]) -> String {
        fields.compactMap { name, value in value.map { "\(name)=\(PercentEncoding.encode($0))" } }.sorted()
            .joined(separator: "&")
    }

    /// A code from the authorization endpoint.
    func code(scope: String = scope, _ changes: [String: String?] = [:]) async throws -> String {
        Self.code(in: try await http.get("/auth/authorize?\(Self.authorizationQuery(scope: scope, changes))"))
    }

    private static func code(in answer: HTTPAnswer) -> String {
        let query = answer.header("Location").split(separator: "?").last ?? ""
        return RequestTarget.items(query)?.first { $0.name == "code" }?.value ?? ""
    }

    func token(_ fields: [String: String?]) async throws -> HTTPAnswer {
        try await http.post("/auth/token", Self.form(fields), type: "application/x-www-form-urlencoded")
    }

    func refresh(_ token: String, scope: String? = nil, client: String = "pghd") async throws -> HTTPAnswer {
        try await self.token(
            ["grant_type": "refresh_token", "refresh_token": token, "client_id": client, "scope": scope]
        )
    }

    func exchange(_ code: String, _ changes: [String: String?] = [:]) async throws -> HTTPAnswer {
        let fields: [String: String?] = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": Self.redirectURI, "client_id": "pghd",
            "code_verifier": Self.codeVerifier,
        ]
        return try await token(fields.merging(changes) { $1 })
    }

    /// A client whose requests carry a token with that scope.
    func signedIn(scope: String = scope) async throws -> HTTPClient {
        let answer = try await exchange(try await code(scope: scope))
        return http.bearing(try answer.json("access_token"))
    }

    /// The same for a chosen patient, on a server that asks for its password.
    func signedIn(as patient: String, scope: String = scope) async throws -> HTTPClient {
        let entered = ["password": server.addresses.password, "patient": patient, "decision": "allow"]
        let answer = try await http.post(
            "/auth/authorize",
            "\(Self.authorizationQuery(scope: scope))&\(Self.form(entered))",
            type: "application/x-www-form-urlencoded"
        )
        return http.bearing(try await exchange(Self.code(in: answer)).json("access_token"))
    }

    /// Adds fault rules.
    func ask(forFaults rules: String) async throws -> HTTPAnswer {
        try await http.bearing(server.addresses.testToken ?? "").post("/test/faults", "{\"rules\":[\(rules)]}")
    }
}
