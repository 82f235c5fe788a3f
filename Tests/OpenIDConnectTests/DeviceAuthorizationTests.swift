import HTTPTransport
import Synchronization
import TestSupport
import Testing

@testable import OpenIDConnect

struct DeviceAuthorizationTests {
    private let client: HTTPClient

    init() throws { client = try HTTPClient() }

    /// Signs in by device code at a token endpoint that gives these answers in turn; `waits` are in seconds.
    private func run(
        _ answers: [ScriptedServer.Reply],
        device: [String: Any] = [:]
    ) async throws -> (
        result: Result<Credential, any Error>, waits: [Int], browser: ScriptedBrowser, issuer: ScriptedIssuer
    ) {
        let rest = Mutex(answers)
        let changes = device.mapValues { "\($0)" }
        let issuer = try ScriptedIssuer { request, base in
            if request.path == "/token" { return rest.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
            guard request.path == "/device", !changes.isEmpty else { return nil }
            var document: [String: Any] = [
                "device_code": "device-1", "user_code": "WDJB-MJHT", "verification_uri": base + "/code",
                "expires_in": 600, "interval": 5,
            ]
            for (name, value) in changes { document[name] = Int(value).map { $0 as Any } ?? value }
            if changes["interval"] == "" { document["interval"] = nil }
            return ScriptedIssuer.json(document)
        }
        let waits = Waits()
        let signIn = SignIn(client: client, store: MemoryTokenStore()) { waits.add($0) }
        var request = SignIn.Request(server: try issuer.fhir, method: .deviceCode, clientID: "pghd")
        request.scopes = ["openid", "patient/Observation.crus"]
        let browser = ScriptedBrowser()
        let result: Result<Credential, any Error>
        do {
            result = .success(try await signIn.run(request, with: browser).credential)
        } catch {
            result = .failure(error)
        }
        return (result, waits.seconds, browser, issuer)
    }

    private static func refusal(_ code: String) -> ScriptedServer.Reply {
        ScriptedIssuer.json(["error": code], status: 400)
    }

    private func error(_ result: Result<Credential, any Error>) -> OpenIDConnectError? {
        do {
            _ = try result.get()
            return nil
        } catch { return error as? OpenIDConnectError }
    }

    @Test func `S14 the token endpoint is polled at the interval until the person has agreed`() async throws {
        let run = try await run([Self.refusal("authorization_pending"), Self.refusal("authorization_pending")])
        let credential = try run.result.get()
        #expect(run.waits == [5, 5, 5])
        #expect(credential.subject?.name == "alice")
        #expect(run.browser.texts.count == 1)
        #expect(run.browser.texts.first?.contains("WDJB-MJHT") == true)
        #expect(
            run.issuer.requests("/device").map(\.form)
                == [["client_id": "pghd", "scope": "openid patient/Observation.crus"]]
        )
        #expect(
            run.issuer.requests("/token").map(\.form)
                == Array(
                    repeating: [
                        "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": "device-1",
                        "client_id": "pghd",
                    ],
                    count: 3
                )
        )
    }

    @Test func `S14 each slow_down adds five seconds for good`() async throws {
        let run = try await run([
            Self.refusal("slow_down"), Self.refusal("authorization_pending"), Self.refusal("slow_down"),
        ])
        _ = try run.result.get()
        #expect(run.waits == [5, 10, 10, 15])
    }

    @Test(arguments: [
        ScriptedServer.Reply.response(429), .response(500), .response(502), .response(503), .response(504),
        .hangUp,
    ])
    func `a server that is too busy while the person types is asked again`(_ reply: ScriptedServer.Reply) async throws {
        let run = try await run([reply], device: ["expires_in": "600.0"])
        _ = try run.result.get()
        #expect(run.waits == [5, 10])
    }

    @Test func `if a server stays too busy to the end, the error names it and not the person`() async throws {
        let run = try await run([.response(503), .response(503), .response(503)], device: ["expires_in": 40])
        #expect(error(run.result) == .unexpectedStatus(place: run.issuer.base + "/token", status: 503))
        #expect(run.waits == [5, 10, 20])
        let answers = [ScriptedServer.Reply.response(503), Self.refusal("authorization_pending")]
        let last = try await self.run(answers, device: ["expires_in": 20])
        #expect(error(last.result) == .deviceCodeExpired)
    }

    @Test func `S14 an expired code is not polled any more`() async throws {
        let pending = Array(repeating: Self.refusal("authorization_pending"), count: 50)
        let run = try await run(pending, device: ["expires_in": 22])
        #expect(error(run.result) == .deviceCodeExpired)
        #expect(run.waits == [5, 5, 5, 5])
    }

    /// Lifetime and interval as the server gives them, and the waits if nobody agrees.
    @Test(arguments: [
        ("600", "", Array(repeating: 5, count: 120)), ("3", "0", [1, 1, 1]), ("3", "-7", [1, 1, 1]), ("-1", "1", [1]),
        ("999999", "999999", Array(repeating: 300, count: 12)),
    ])
    func `S14 unreasonable times from the server are limited`(
        _ lifetime: String,
        _ interval: String,
        _ waits: [Int]
    ) async throws {
        let pending = Array(repeating: Self.refusal("authorization_pending"), count: waits.count)
        let run = try await run(pending, device: ["expires_in": lifetime, "interval": interval])
        #expect(error(run.result) == .deviceCodeExpired)
        #expect(run.waits == waits)
    }

    @Test(arguments: [400, 401, 403])
    func `if a server gives no code, the error says why`(_ status: Int) async throws {
        let issuer = try ScriptedIssuer { request, _ in
            request.path == "/device" ? ScriptedIssuer.json(["error": "unauthorized_client"], status: status) : nil
        }
        let request = SignIn.Request(server: try issuer.fhir, method: .deviceCode, clientID: "pghd")
        await #expect(throws: OpenIDConnectError.refused(code: "unauthorized_client", status: status)) {
            try await SignIn(client: client, store: MemoryTokenStore()).run(request, with: ScriptedBrowser())
        }
    }

    @Test(arguments: [
        ("expired_token", OpenIDConnectError.deviceCodeExpired),
        ("access_denied", .refused(code: "access_denied", status: 400)),
    ])
    func `S14 a refusal ends the polling`(_ code: String, _ expected: OpenIDConnectError) async throws {
        let run = try await run([Self.refusal("authorization_pending"), Self.refusal(code)])
        #expect(error(run.result) == expected)
        #expect(run.waits == [5, 5])
    }

    @Test(arguments: [
        ("verification_uri", "http://login.example.org/code", OpenIDConnectError.insecureURL(what: "verification_uri")),
        ("verification_uri", "javascript:alert(1)", .unusableURL(what: "verification_uri", .notAbsolute)),
    ])
    func `S2 a person is not sent to an unsafe address`(
        _ name: String,
        _ value: String,
        _ expected: OpenIDConnectError
    ) async throws {
        let run = try await run([], device: [name: value])
        #expect(error(run.result) == expected)
        #expect(run.browser.texts.isEmpty)
    }

    /// Services on this machine may trust anyone who can reach them.
    @Test func `S2 a server elsewhere does not send a person to this machine`() throws {
        func prompt(_ address: String, complete: String) throws -> DeviceCodePrompt {
            let body = """
                {"device_code":"d1","user_code":"WDJB-MJHT","verification_uri":"\(address)",\
                "verification_uri_complete":"\(complete)","expires_in":600}
                """
            let answer = HTTPResponse(status: 200, headers: [], body: Array(body.utf8))
            return try DeviceAuthorization.code(
                in: JSONDocument(place: "place", response: answer),
                from: HTTPURL("https://login.example.org/device")
            ).prompt
        }
        let (here, there) = ("http://127.0.0.1:9/code", "https://login.example.org/code")
        #expect(throws: OpenIDConnectError.thisMachine(what: "verification_uri")) { try prompt(here, complete: there) }
        #expect(
            try prompt(there, complete: here)
                == DeviceCodePrompt(userCode: "WDJB-MJHT", verificationURL: there, completeURL: nil)
        )
    }

    /// It is optional (RFC 8628, section 3.2).
    @Test(arguments: ["http://login.example.org/code", "/device?user_code=X", ""])
    func `S2 a complete address that can't be used is not shown`(_ address: String) async throws {
        let run = try await run([], device: ["verification_uri_complete": address])
        _ = try run.result.get()
        let prompt = DeviceCodePrompt(
            userCode: "WDJB-MJHT",
            verificationURL: run.issuer.base + "/code",
            completeURL: nil
        )
        #expect(run.browser.texts == ["\(prompt)"])
    }

    @Test func `a user code may have eighty characters`() async throws {
        _ = try await run([], device: ["user_code": String(repeating: "X", count: 80)]).result.get()
    }

    @Test(arguments: ["\u{1B}[2JAB", "", String(repeating: "X", count: 81)])
    func `a user code that would move the cursor, or that nobody could type, is refused`(_ code: String) async throws {
        let run = try await run([], device: ["user_code": code])
        let place = run.issuer.base + "/device"
        #expect(error(run.result) == .malformedDocument(place: place, fault: "user_code is not a short code"))
    }
}

/// Records the waits without waiting.
private final class Waits: Sendable {
    private let all = Mutex<[Int]>([])
    var seconds: [Int] { all.withLock(\.self) }
    func add(_ duration: Duration) { all.withLock { $0.append(Int(duration.components.seconds)) } }
}
