import Foundation
import Testing

@testable import IntegrationServer

struct OptionTests {
    @Test(arguments: ["0.0.0.0", "192.0.2.1", "::"])
    func `options that let anybody in only work on loopback`(_ address: String) async {
        var test = IntegrationServer.Options()
        test.address = address
        test.isTest = true
        await #expect(throws: IntegrationServerError.loopbackOnly(option: "--test")) {
            try await IntegrationServer(test)
        }
        var approving = IntegrationServer.Options()
        approving.address = address
        approving.approvesAutomatically = true
        await #expect(throws: IntegrationServerError.loopbackOnly(option: "--auto-approve")) {
            try await IntegrationServer(approving)
        }
        var plain = IntegrationServer.Options()
        plain.address = address
        await #expect(throws: IntegrationServerError.baseURLMissing) { try await IntegrationServer(plain) }
    }

    @Test(arguments: [
        "https://fhir.example.org", "http://192.0.2.1:8080", "http://127.0.0.1.example.org", "http://[::2]",
    ])
    func `with a public base URL nothing lets anybody in, whatever the address`(_ url: String) async throws {
        var options = IntegrationServer.Options()
        options.port = 0
        options.baseURL = url
        var test = options
        test.isTest = true
        await #expect(throws: IntegrationServerError.loopbackOnly(option: "--test")) {
            try await IntegrationServer(test)
        }
        var approving = options
        approving.approvesAutomatically = true
        await #expect(throws: IntegrationServerError.loopbackOnly(option: "--auto-approve")) {
            try await IntegrationServer(approving)
        }
        let server = try await IntegrationServer(options)
        let host = String(url.split(separator: "/")[1])
        let steps = try #require(RequestTarget("/steps"))
        let request = HTTPRequest(method: "POST", target: steps, headers: ["host": host])
        #expect(await server.router.answer(request).status == 403)
    }

    @Test(arguments: ["http://localhost:9", "https://127.0.0.2", "http://[::1]:9"])
    func `with a loopback base URL all options work`(_ url: String) async throws {
        var options = IntegrationServer.Options()
        options.port = 0
        options.baseURL = url
        options.isTest = true
        options.approvesAutomatically = true
        #expect(try await IntegrationServer(options).addresses.issuer == "\(url)/auth")
    }

    @Test(
        arguments: [
            ("http://127.0.0.1:80", 80, "127.0.0.1"), ("http://127.0.0.1:80", 80, "localhost"),
            ("http://[::1]:80", 80, "[::1]"), ("https://fhir.example.org:443", 8_080, "fhir.example.org"),
            ("https://fhir.example.org", 8_080, "fhir.example.org:443"),
            ("http://fhir.example.org:80", 8_080, "FHIR.example.org"),
        ] as [(String, UInt16, String)]
    )
    func `the scheme's default port may be in Host or left out`(
        _ url: String,
        _ port: UInt16,
        _ host: String
    ) throws {
        let origin = try ServerOrigin(url, port: port, isLoopback: true)
        let target = try #require(RequestTarget("/health"))
        #expect(throws: Never.self) {
            try origin.admit(HTTPRequest(method: "GET", target: target, headers: ["host": host]))
        }
    }

    @Test(arguments: [("https://a.example:8443", "a.example"), ("https://a.example", "a.example:80")])
    func `another port is another server`(_ url: String, _ host: String) throws {
        let origin = try ServerOrigin(url, port: 8_080, isLoopback: true)
        let target = try #require(RequestTarget("/health"))
        #expect(throws: Refusal(421, .forbidden, "Host is not this server's (expected the one of its base URL)")) {
            try origin.admit(HTTPRequest(method: "GET", target: target, headers: ["host": host]))
        }
    }

    @Test func `beyond loopback steps are refused, since they come without a token`() async throws {
        var options = IntegrationServer.Options()
        options.address = "0.0.0.0"
        options.port = 0
        options.baseURL = "https://fhir.example.org"
        let server = try await IntegrationServer(options)
        #expect(server.addresses.issuer == "https://fhir.example.org/auth")
        let steps = RequestTarget("/steps")
        let request = HTTPRequest(method: "POST", target: try #require(steps), headers: ["host": "fhir.example.org"])
        #expect(await server.router.answer(request).status == 403)
        // A name that somebody has pointed at this machine.
        let foreign = HTTPRequest(method: "GET", target: try #require(steps), headers: ["host": "127.0.0.1"])
        #expect(await server.router.answer(foreign).status == 421)
    }

    @Test(arguments: [
        "fhir.example.org", "ftp://fhir.example.org", "https://", "https://a/b", "https://a?b", "https://u@a",
        "http://a:notaport", "http://a:", "http://a:0", "http://a:080", "http://a:+80", "http://a:65536",
        "http://[::1]:notaport",
    ])
    func `text that is not a base URL is refused`(_ text: String) async {
        var options = IntegrationServer.Options()
        options.port = 0
        options.baseURL = text
        await #expect(throws: IntegrationServerError.notABaseURL(text)) { try await IntegrationServer(options) }
    }

    @Test func `a port in use and an invalid address are reported`() async throws {
        var options = IntegrationServer.Options()
        options.port = 0
        let first = try await IntegrationServer(options)
        options.port = UInt16(first.addresses.issuer.split(separator: ":")[2].split(separator: "/")[0]) ?? 0
        await #expect(
            throws: IntegrationServerError.cannotListen(host: "127.0.0.1", port: options.port, systemError: EADDRINUSE)
        ) { try await IntegrationServer(options) }
        // Checked before anything else that such an address would require.
        for name in ["127.example", "localhost", "::x"] {
            options.address = name
            await #expect(throws: IntegrationServerError.notAnAddress(name)) { try await IntegrationServer(options) }
        }
    }

    @Test(
        arguments: [
            (EADDRINUSE, "Address already in use (expected a free port): choose another with --port"),
            (EADDRNOTAVAIL, "Cannot assign requested address (expected an address of this machine): check --address"),
        ] as [(Int32, String)]
    )
    func `the reason why it can't listen is reported with the option to change`(_ number: Int32, _ what: String) {
        let error = IntegrationServerError.cannotListen(host: "192.0.2.1", port: 8_080, systemError: number)
        #expect(error.description == "192.0.2.1:8080: can't listen, \(what)")
    }

    @Test func `data survives a restart, readable only by its owner`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "server-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (token, keys) = (TokenBox(), TokenBox())
        try await RunningServer.run({ $0.folder = folder }) { server in
            await keys.set(try await server.http.get("/auth/jwks").body)
            await token.set(try await server.exchange(try await server.code()).json("access_token"))
            let http = server.http.bearing(await token.value)
            #expect(try await http.put("/fhir/Observation/a", observation("\"id\":\"a\"")).status == 201)
        }
        try await RunningServer.run({ $0.folder = folder }) { server in
            let kept = try await server.http.bearing(await token.value).get("/fhir/Observation/a")
            #expect(kept.status == 200)
            #expect(try await server.http.get("/auth/jwks").body == keys.value)
        }
        let modes = try [folder, folder + "/server.db"].map {
            try FileManager.default.attributesOfItem(atPath: $0)[.posixPermissions] as? Int
        }
        #expect(modes == [0o700, 0o600])
    }
}

private actor TokenBox {
    var value = ""

    func set(_ value: String) {
        self.value = value
    }
}
