import GRDB
import Testing

@testable import IntegrationServer

struct DeviceFlowTests {
    private static func start(_ server: RunningServer) async throws -> (code: String, userCode: String) {
        let answer = try await server.http.post(
            "/auth/device_authorization",
            RunningServer.form(["client_id": "pghd", "scope": "patient/*.cruds"]),
            type: "application/x-www-form-urlencoded"
        )
        #expect(answer.status == 200)
        return (try answer.json("device_code"), try answer.json("user_code"))
    }

    private static func poll(_ server: RunningServer, _ code: String) async throws -> String {
        let answer = try await server.token(
            ["grant_type": GrantType.deviceCode.rawValue, "device_code": code, "client_id": "pghd"]
        )
        return answer.status == 200 ? "token" : try answer.json("error")
    }

    @Test func `a device waits, is told to slow down, and gets its token after the code is entered`() async throws {
        try await RunningServer.run { server in
            let (code, userCode) = try await Self.start(server)
            #expect(try await Self.poll(server, code) == "authorization_pending")
            #expect(try await Self.poll(server, code) == "slow_down")
            server.clock.advance(seconds: 9)
            #expect(try await Self.poll(server, code) == "slow_down")
            server.clock.advance(seconds: 15)
            #expect(try await Self.poll(server, code) == "authorization_pending")
            let lowerCase = userCode.lowercased().replacing("-", with: " ")
            let page = try await server.http.get("/auth/device?\(RunningServer.form(["user_code": lowerCase]))")
            #expect(page.status == 200)
            #expect(try await Self.poll(server, code) == "token")
            #expect(try await Self.poll(server, code) == "invalid_grant")
        }
    }

    @Test func `unfinished authorizations are forgotten after a day or two`() async throws {
        try await RunningServer.run { server in
            for _ in 0..<3 { _ = try await Self.start(server) }
            server.clock.advance(seconds: 2 * 86_400)
            for _ in 0..<2 { _ = try await Self.start(server) }
            let count = try await server.server.router.fhir.store.database.read { database in
                try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM authorization")
            }
            #expect(count == 2)
        }
    }

    @Test func `an old device code is refused as expired`() async throws {
        try await RunningServer.run { server in
            let (code, _) = try await Self.start(server)
            server.clock.advance(seconds: 600)
            #expect(try await Self.poll(server, code) == "expired_token")
        }
    }

    @Test(arguments: [(599, 200), (600, 404)])
    func `an old user code is refused as unknown`(_ seconds: Int64, _ status: Int) async throws {
        try await RunningServer.run { server in
            let (_, userCode) = try await Self.start(server)
            server.clock.advance(seconds: seconds)
            #expect(try await server.http.get("/auth/device?user_code=\(userCode)").status == status)
        }
    }

    @Test func `without auto-approval a code needs the password`() async throws {
        try await RunningServer.run({ $0.approvesAutomatically = false }) { server in
            let (code, userCode) = try await Self.start(server)
            #expect(try await server.http.get("/auth/device?user_code=\(userCode)").body.contains("type=\"password\""))
            #expect(try await Self.poll(server, code) == "authorization_pending")
            func enter(_ password: String?, _ decision: String) async throws -> Int {
                let fields = ["user_code": userCode, "password": password, "patient": "p1", "decision": decision]
                return try await server.http.post(
                    "/auth/device",
                    RunningServer.form(fields),
                    type: "application/x-www-form-urlencoded"
                ).status
            }
            #expect(try await enter("guess", "allow") == 403)
            #expect(try await enter(nil, "allow") == 403)
            #expect(try await enter(server.server.addresses.password, "allow") == 200)
            #expect(try await enter(server.server.addresses.password, "allow") == 404)
            #expect(try await Self.poll(server, code) == "token")
        }
    }

    @Test func `a link to the page can't deny access`() async throws {
        try await RunningServer.run({ $0.approvesAutomatically = false }) { server in
            let (code, userCode) = try await Self.start(server)
            let page = try await server.http.get("/auth/device?user_code=\(userCode)&decision=deny")
            #expect(page.body.contains("type=\"password\""))
            #expect(try await Self.poll(server, code) == "authorization_pending")
        }
    }

    @Test func `of several decisions at once only the first counts`() async throws {
        try await RunningServer.run({ $0.approvesAutomatically = false }) { server in
            let (code, userCode) = try await Self.start(server)
            let fields = ["user_code": userCode, "patient": "p1", "password": server.server.addresses.password]
            let answers = try await withThrowingTaskGroup { group in
                for decision in ["allow", "deny", "allow", "deny", "allow", "deny"] {
                    group.addTask {
                        try await server.http.post(
                            "/auth/device",
                            RunningServer.form(fields.merging(["decision": decision]) { $1 }),
                            type: "application/x-www-form-urlencoded"
                        )
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.map(\.status).sorted() == [200, 404, 404, 404, 404, 404])
            let isDenied = answers.contains { $0.body.contains("The device gets no access.") }
            #expect(try await Self.poll(server, code) == (isDenied ? "access_denied" : "token"))
        }
    }

    @Test func `the device gets the patient that was entered`() async throws {
        try await RunningServer.run({ $0.approvesAutomatically = false }) { server in
            let (code, userCode) = try await Self.start(server)
            let fields = [
                "user_code": userCode, "password": server.server.addresses.password, "patient": "p9",
                "decision": "allow",
            ]
            _ = try await server.http.post(
                "/auth/device",
                RunningServer.form(fields),
                type: "application/x-www-form-urlencoded"
            )
            let answer = try await server.token(
                ["grant_type": GrantType.deviceCode.rawValue, "device_code": code, "client_id": "pghd"]
            )
            #expect(try answer.json("patient") == "p9")
        }
    }

    @Test func `a device is told where to ask, how often and for how long`() async throws {
        try await RunningServer.run { server in
            let answer = try await server.http.post(
                "/auth/device_authorization",
                RunningServer.form(["client_id": "pghd", "scope": "patient/*.cruds"]),
                type: "application/x-www-form-urlencoded"
            )
            let url = "\(server.server.addresses.issuer)/device"
            let (code, userCode) = (try answer.json("device_code"), try answer.json("user_code"))
            #expect(
                answer.body == """
                    {"device_code":"\(code)","user_code":"\(userCode)","verification_uri":"\(url)",\
                    "verification_uri_complete":"\(url)?user_code=\(userCode)","expires_in":600,"interval":5}
                    """
            )
        }
    }

    @Test func `a code that the person denies is refused`() async throws {
        try await RunningServer.run({ $0.approvesAutomatically = false }) { server in
            let (code, userCode) = try await Self.start(server)
            _ = try await server.http.post(
                "/auth/device",
                "user_code=\(userCode)&decision=deny",
                type: "application/x-www-form-urlencoded"
            )
            #expect(try await Self.poll(server, code) == "access_denied")
        }
    }
}
