import Foundation
import Glibc
import HTTPTransport
import TestSupport
import Testing

/// Tests with servers that others wrote: OpenSSL's own, and nghttpd, which only speaks HTTP/2.
struct TLSTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Makes a key and a certificate for 127.0.0.1.
    private func makeCertificate(_ name: String, subject: String = "IP:127.0.0.1") throws {
        let options =
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=test "
            + "-addext subjectAltName=\(subject)"
        let process = try start(
            ["openssl"] + options.split(separator: " ").map(String.init) + [
                "-keyout", folder.path("\(name).key"), "-out", folder.path("\(name).pem"),
            ]
        )
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    /// Makes a certificate valid between two times such as `20200101000000Z`, which only `openssl ca` lets one choose.
    private func makeCertificate(_ name: String, from start: String, to end: String) throws {
        try folder.write(
            """
            [ca]
            default_ca = own
            [own]
            database = \(folder.path("index"))
            new_certs_dir = \(folder.path)
            rand_serial = yes
            default_md = sha256
            policy = any
            copy_extensions = copy
            [any]
            commonName = supplied
            """.utf8,
            to: "ca.conf"
        )
        try folder.write([], to: "index")
        let (key, wish) = (folder.path("\(name).key"), folder.path("\(name).csr"))
        for options in [
            "req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=test "
                + "-addext subjectAltName=IP:127.0.0.1 -keyout \(key) -out \(wish)",
            "ca -batch -notext -selfsign -config \(folder.path("ca.conf")) -in \(wish) -keyfile \(key) "
                + "-startdate \(start) -enddate \(end) -out \(folder.path("\(name).pem"))",
        ] {
            let process = try self.start(["openssl"] + options.split(separator: " ").map(String.init))
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
        }
    }

    private func start(_ arguments: [String], output: FileHandle = .nullDevice) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardOutput = output
        try process.run()
        return process
    }

    /// Ends a server with SIGKILL, since it may have inherited a mask that blocks other signals.
    private func stop(_ process: Process) {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Runs `body` with the address of `openssl s_server`, which answers each request with a page.
    private func withServer(
        _ certificate: String,
        _ options: [String] = [],
        _ body: (HTTPURL) async throws -> Void
    ) async throws {
        let output = folder.path("server.out")
        try Data().write(to: URL(filePath: output))
        let process = try start(
            [
                "openssl", "s_server", "-accept", "127.0.0.1:0", "-www", "-key", folder.path("\(certificate).key"),
                "-cert", folder.path("\(certificate).pem"),
            ] + options,
            output: FileHandle(forWritingTo: URL(filePath: output))
        )
        defer {
            stop(process)
        }
        var port: Substring?
        while port == nil, process.isRunning {
            let text = try String(contentsOfFile: output, encoding: .utf8)
            port = text.firstMatch(of: #/ACCEPT 127\.0\.0\.1:(\d+)\n/#)?.1
            try await Task.sleep(for: .milliseconds(1))
        }
        try await body(HTTPURL("https://127.0.0.1:\(try #require(port))/"))
    }

    @Test func `S38 a certificate of an unknown authority is refused, one in the given file is not`() async throws {
        try makeCertificate("server")
        let file = folder.path("server.pem")
        try await withServer("server") { url in
            await #expect(throws: HTTPError.untrustedCertificate(origin: url.origin)) {
                try await HTTPClient().send(HTTPRequest(.get, url))
            }
            let response = try await HTTPClient(caFile: file).send(HTTPRequest(.get, url))
            #expect(response.status == 200)
        }
    }

    @Test func `S38 a given file replaces the system's authorities`() async throws {
        try makeCertificate("server")
        try makeCertificate("other")
        try await withServer("server") { url in
            let file = folder.path("other.pem")
            let error = HTTPError.untrustedCertificate(origin: url.origin, caFile: file)
            await #expect(throws: error) { try await HTTPClient(caFile: file).send(HTTPRequest(.get, url)) }
            // Giving the same file again would change nothing.
            #expect(error.description.contains("run cat /etc/ssl/certs/ca-certificates.crt \(file) > both.pem"))
        }
    }

    @Test func `S38 a certificate for another name is refused`() async throws {
        try makeCertificate("server", subject: "DNS:fhir.example.org")
        try await withServer("server") { url in
            let file = folder.path("server.pem")
            await #expect(throws: HTTPError.untrustedCertificate(origin: url.origin, caFile: file)) {
                try await HTTPClient(caFile: file).send(HTTPRequest(.get, url))
            }
        }
    }

    @Test(arguments: [
        ("20200101000000Z", "20200201000000Z", true), ("20900101000000Z", "20900201000000Z", false),
    ])
    func `S38 a certificate that has expired or is not yet valid is reported as such`(
        _ start: String,
        _ end: String,
        _ hasExpired: Bool
    ) async throws {
        try makeCertificate("server", from: start, to: end)
        try await withServer("server") { url in
            await #expect(throws: HTTPError.certificateOutOfDate(origin: url.origin, hasExpired: hasExpired)) {
                try await HTTPClient(caFile: folder.path("server.pem")).send(HTTPRequest(.get, url))
            }
        }
    }

    @Test func `a server without TLS 1.2 is refused`() async throws {
        try makeCertificate("server")
        try await withServer("server", ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"]) { url in
            await #expect(throws: HTTPError.noTLS(origin: url.origin)) {
                try await HTTPClient(caFile: folder.path("server.pem")).send(HTTPRequest(.get, url))
            }
        }
    }

    @Test(arguments: [HTTPRequest.Method.get, .post])
    func `a server that requires a client certificate is reported, and has not received the request`(
        _ method: HTTPRequest.Method
    ) async throws {
        try makeCertificate("server")
        try await withServer("server", ["-Verify", "1", "-tls1_3"]) { url in
            let error = HTTPError.clientCertificateWanted(origin: url.origin)
            let request = HTTPRequest(method, url, body: method == .post ? Array("body".utf8) : nil)
            await #expect(throws: error) {
                try await HTTPClient(caFile: folder.path("server.pem")).send(request)
            }
            #expect(error.isBeforeSending)
        }
    }

    @Test func `a port without TLS is an error`() async throws {
        let server = try ScriptedServer { _ in .response(200) }
        let url = try HTTPURL("https://127.0.0.1:\(server.port)/")
        // The server takes the handshake for headers that never end.
        let request = HTTPRequest(.get, url, limits: HTTPLimits(connect: .milliseconds(300)))
        await #expect(throws: HTTPError.timedOut(origin: url.origin)) { try await HTTPClient().send(request) }
    }

    @Test(arguments: [nil, "no certificate at all"])
    func `an unusable file of certificates is an error that names it`(_ text: String?) async throws {
        let path = folder.path("ca.pem")
        if let text { try folder.write(text.utf8, to: "ca.pem") }
        try makeCertificate("server")
        try await withServer("server") { url in
            await #expect(throws: HTTPError.unusableCAFile(path: path)) {
                try await HTTPClient(caFile: path).send(HTTPRequest(.get, url))
            }
        }
    }

    @Test func `HTTP 2 is used with a server that only speaks it, for twenty requests at once`() async throws {
        try makeCertificate("server")
        try folder.makeFolder("pages")
        for number in 0..<20 { try folder.write("page \(number)".utf8, to: "pages/\(number)") }
        // nghttpd does not say which port it got, so a free one is chosen here.
        let port = try ScriptedServer { _ in .hangUp }.port
        let process = try start([
            "nghttpd", "-a", "127.0.0.1", "-d", folder.path("pages"), "\(port)", folder.path("server.key"),
            folder.path("server.pem"),
        ])
        defer {
            stop(process)
        }
        let client = HTTPClient(caFile: folder.path("server.pem"))
        @Sendable func page(_ number: Int) async throws -> String {
            let request = HTTPRequest(.get, try HTTPURL("https://127.0.0.1:\(port)/\(number)"))
            while true {
                do throws(HTTPError) {
                    return String(decoding: try await client.send(request).body, as: UTF8.self)
                } catch {
                    guard case .noConnection = error, process.isRunning else { throw error }
                }
            }
        }
        let pages = try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for number in 0..<20 { group.addTask { (number, try await page(number)) } }
            return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
        }
        #expect(pages == Dictionary(uniqueKeysWithValues: (0..<20).map { ($0, "page \($0)") }))
        // A request that must have its own connection can't share one.
        var alone = HTTPRequest(.get, try HTTPURL("https://127.0.0.1:\(port)/1"))
        alone.isAlone = true
        await #expect(throws: HTTPError.self) { try await client.send(alone) }
    }
}
