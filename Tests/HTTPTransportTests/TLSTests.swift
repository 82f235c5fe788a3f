import Foundation
import Glibc
import HTTPTransport
import TestSupport
import Testing

/// Tests with servers that others wrote: OpenSSL's own, and nghttpd, which only speaks HTTP/2.
struct TLSTests {
    private let servers: TLSServers

    init() throws { servers = try TLSServers() }

    @Test func `S38 a certificate of an unknown authority is refused, one in the given file is not`() async throws {
        try servers.makeCertificate("server")
        let file = servers.folder.path("server.pem")
        try await servers.withServer("server") { url in
            await #expect(throws: HTTPError.untrustedCertificate(origin: url.origin)) {
                try await HTTPClient().send(HTTPRequest(.get, url))
            }
            let response = try await HTTPClient(caFile: file).send(HTTPRequest(.get, url))
            #expect(response.status == 200)
        }
    }

    /// The status of the answer to a request, or else why there is none.
    private func told(_ url: HTTPURL, caFile: String, method: HTTPRequest.Method = .get) async -> String {
        let request = HTTPRequest(method, url, body: method == .post ? Array("body".utf8) : nil)
        do throws(HTTPError) {
            return "\(try await HTTPClient(caFile: caFile).send(request).status)"
        } catch {
            return error.description
        }
    }

    @Test func `S38 a given file replaces the system's authorities, and the advice changes no file`() async throws {
        try servers.makeCertificate("server")
        try servers.makeCertificate("other")
        let (file, quoted) = (servers.folder.path("anna's ca.pem"), servers.folder.path("anna'\\''s ca.pem"))
        try servers.folder.write(Data(contentsOf: URL(filePath: servers.folder.path("other.pem"))), to: "anna's ca.pem")
        try await servers.withServer("server") { url in
            #expect(
                await told(url, caFile: file)
                    == "\(url.origin): its certificate can't be trusted (expected one of an authority in '\(file)', which stand in "
                    + "place of the system's): for both, run cat /etc/ssl/certs/ca-certificates.crt '\(quoted)' > "
                    + "'\(quoted).all', and give that with --ca-file"
            )
        }
    }

    @Test func `the advice to join two files works where a name begins with a hyphen`() {
        let error = HTTPError.untrustedCertificate(origin: "https://fhir.example.org", caFile: "-ca.pem")
        let command = "cat /etc/ssl/certs/ca-certificates.crt './-ca.pem' > './-ca.pem.all'"
        #expect(error.description.contains("for both, run \(command), and"))
    }

    @Test func `S38 a certificate for another name is refused, and told as that`() async throws {
        try servers.makeCertificate("server", subject: "DNS:fhir.example.org")
        try await servers.withServer("server") { url in
            #expect(
                await told(url, caFile: servers.folder.path("server.pem"))
                    == "\(url.origin): its certificate is for another host (expected one for 127.0.0.1): ask its operator for the "
                    + "address that the certificate names"
            )
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
        try servers.makeCertificate("server", from: start, to: end)
        try await servers.withServer("server") { url in
            await #expect(throws: HTTPError.certificateOutOfDate(origin: url.origin, hasExpired: hasExpired)) {
                try await HTTPClient(caFile: servers.folder.path("server.pem")).send(HTTPRequest(.get, url))
            }
        }
    }

    @Test func `a server without TLS 1.2 is refused`() async throws {
        try servers.makeCertificate("server")
        try await servers.withServer("server", ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"]) { url in
            await #expect(throws: HTTPError.noTLS(origin: url.origin)) {
                try await HTTPClient(caFile: servers.folder.path("server.pem")).send(HTTPRequest(.get, url))
            }
        }
    }

    @Test(arguments: [HTTPRequest.Method.get, .post])
    func `a server that requires a client certificate is reported, and has not received the request`(
        _ method: HTTPRequest.Method
    ) async throws {
        try servers.makeCertificate("server")
        try await servers.withServer("server", ["-Verify", "1", "-tls1_3"]) { url in
            let error = HTTPError.clientCertificateWanted(origin: url.origin)
            let request = HTTPRequest(method, url, body: method == .post ? Array("body".utf8) : nil)
            await #expect(throws: error) {
                try await HTTPClient(caFile: servers.folder.path("server.pem")).send(request)
            }
            #expect(error.isBeforeSending)
        }
    }

    private func clientCertificateWanted(_ url: HTTPURL) -> String {
        "\(url.origin): the server wants a client certificate, which pghd can't give (expected a token to be enough): ask its "
            + "operator for an address without"
    }

    @Test(arguments: [HTTPRequest.Method.get, .post])
    func `a server that asks for a client certificate and then fails the handshake is told as wanting one`(
        _ method: HTTPRequest.Method
    ) async throws {
        try servers.makeCertificate("server")
        // OpenSSL has no alert of its own for this before TLS 1.3: it answers with handshake_failure.
        try await servers.withServer("server", ["-Verify", "1", "-tls1_2"]) { url in
            let told = await told(url, caFile: servers.folder.path("server.pem"), method: method)
            #expect(told == clientCertificateWanted(url))
        }
    }

    @Test(arguments: [42, 116] as [UInt8])
    func `an alert about a client's certificate is enough to tell that one is wanted`(_ alert: UInt8) async throws {
        try servers.makeCertificate("server")
        try await servers.withAlert(alert) { port in
            let url = try HTTPURL("https://127.0.0.1:\(port)/")
            #expect(await told(url, caFile: servers.folder.path("server.pem")) == clientCertificateWanted(url))
        }
    }

    @Test func `a handshake that fails although no client certificate was asked for is told as such`() async throws {
        try servers.makeCertificate("server")
        // A cipher for keys of another kind than the server's.
        try await servers.withServer("server", ["-tls1_2", "-cipher", "ECDHE-RSA-AES128-GCM-SHA256"]) { url in
            #expect(
                await told(url, caFile: servers.folder.path("server.pem"))
                    == "\(url.origin): TLS failed (expected TLS 1.2 or later): check that the port speaks https, and wants no "
                    + "client certificate, which pghd can't give"
            )
        }
    }

    @Test func `a server that only asks for a client certificate gets the request`() async throws {
        try servers.makeCertificate("server")
        for version in ["-tls1_2", "-tls1_3"] {
            try await servers.withServer("server", ["-verify", "1", version]) { url in
                #expect(await told(url, caFile: servers.folder.path("server.pem")) == "200")
            }
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
        let path = servers.folder.path("ca.pem")
        if let text { try servers.folder.write(text.utf8, to: "ca.pem") }
        try servers.makeCertificate("server")
        try await servers.withServer("server") { url in
            await #expect(throws: HTTPError.unusableCAFile(path: path)) {
                try await HTTPClient(caFile: path).send(HTTPRequest(.get, url))
            }
        }
    }

    @Test func `HTTP 2 is used with a server that only speaks it, for twenty requests at once`() async throws {
        try servers.makeCertificate("server")
        try servers.folder.makeFolder("pages")
        for number in 0..<20 { try servers.folder.write("page \(number)".utf8, to: "pages/\(number)") }
        // nghttpd does not say which port it got, so a free one is chosen here.
        let port = try ScriptedServer { _ in .hangUp }.port
        let process = try servers.start([
            "nghttpd", "-a", "127.0.0.1", "-d", servers.folder.path("pages"), "\(port)",
            servers.folder.path("server.key"), servers.folder.path("server.pem"),
        ])
        defer {
            servers.stop(process)
        }
        let client = try HTTPClient(caFile: servers.folder.path("server.pem"))
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
