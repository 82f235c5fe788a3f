import Foundation
import Glibc
import HTTPTransport
import TestSupport
import Testing

/// What is said of a proxy that the environment names.
///
/// Each test is a process of its own, whose environment it changes.
struct ProxyTests {
    /// Lets the environment name this proxy, and no other.
    private static func use(_ proxy: String, without hosts: String? = nil) {
        for name in ["http_proxy", "https_proxy", "all_proxy", "no_proxy"] {
            unsafe unsetenv(name)
            unsafe unsetenv(name.uppercased())
        }
        unsafe setenv("https_proxy", proxy, 1)
        if let hosts { unsafe setenv("no_proxy", hosts, 1) }
    }

    /// The status of the answer to a request, or else why there is none, in full and in a few words.
    private static func outcome(
        of url: String = "https://fhir.invalid/",
        caFile: String? = nil
    ) async throws -> (told: String, reason: String) {
        let request = HTTPRequest(.get, try HTTPURL(url))
        do throws(HTTPError) {
            return ("\(try await HTTPClient(caFile: caFile).send(request).status)", "")
        } catch {
            return (error.description, error.reason)
        }
    }

    @Test func `a proxy that wants a password is told as that, with the place where one stands`() async {
        await #expect(processExitsWith: .success) {
            let proxy = try ScriptedServer { _ in .response(407) }
            Self.use("http://name:CANARY@127.0.0.1:\(proxy.port)")
            let outcome = try await Self.outcome()
            #expect(
                outcome.told
                    == "https://fhir.invalid: the proxy of the environment answered 407: it wants a user name and a password "
                    + "(expected the right ones, by Basic authentication): write "
                    + "https_proxy=http://NAME:PASSWORD@HOST:PORT"
            )
            #expect(outcome.reason == "the proxy wants a user name and a password")
            #expect(proxy.requests.map(\.method) == ["CONNECT"])
        }
    }

    @Test func `a proxy whose rules forbid the address is told as that`() async {
        await #expect(processExitsWith: .success) {
            let proxy = try ScriptedServer { _ in .response(403) }
            Self.use("http://127.0.0.1:\(proxy.port)")
            let outcome = try await Self.outcome()
            #expect(
                outcome.told
                    == "https://fhir.invalid: the proxy of the environment answered 403: its rules forbid this address "
                    + "(expected one that leads there): ask the proxy's operator to allow it"
            )
            #expect(outcome.reason == "the proxy's rules forbid this address")
        }
    }

    @Test func `a proxy that can't reach the server is told with its status`() async {
        await #expect(processExitsWith: .success) {
            let proxy = try ScriptedServer { _ in .response(503) }
            Self.use("http://127.0.0.1:\(proxy.port)")
            let outcome = try await Self.outcome()
            #expect(
                outcome.told
                    == "https://fhir.invalid: the proxy of the environment answered 503 (expected one that leads there): "
                    + "check https_proxy and no_proxy"
            )
            #expect(outcome.reason == "the proxy leads nowhere")
        }
    }

    @Test func `a proxy where nobody listens is told as the proxy's fault`() async {
        await #expect(processExitsWith: .success) {
            for name in ["127.0.0.1", "localhost", "[::1]"] {
                Self.use("http://name:CANARY@\(name):1")
                let outcome = try await Self.outcome()
                #expect(
                    outcome.told
                        == "https://fhir.invalid: the proxy of the environment can't be reached (expected one that listens at its "
                        + "address): check https_proxy and no_proxy, and the network"
                )
                #expect(outcome.reason == "nobody listens at the proxy's address")
            }
        }
    }

    @Test func `a proxy may be named in each of four ways`() async {
        await #expect(processExitsWith: .success) {
            for name in ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
                Self.use("")
                unsafe unsetenv("https_proxy")
                unsafe setenv(name, "http://127.0.0.1:1", 1)
                let outcome = try await Self.outcome()
                #expect(outcome.reason == "nobody listens at the proxy's address")
            }
        }
    }

    @Test func `a proxy of an unknown kind or without an address is told as the proxy's fault`() async {
        await #expect(processExitsWith: .success) {
            for proxy in ["nonsense://name:CANARY@127.0.0.1:1", "http://name:CANARY@proxy.invalid:1"] {
                Self.use(proxy)
                let outcome = try await Self.outcome()
                #expect(
                    outcome.told
                        == "https://fhir.invalid: the proxy of the environment can't be used (expected one that leads there): "
                        + "check https_proxy and no_proxy"
                )
                #expect(outcome.reason == "the proxy leads nowhere")
            }
        }
    }

    @Test func `a server where nobody listens is told as the server's fault although there is a proxy`() async {
        await #expect(processExitsWith: .success) {
            // libcurl takes the first address for one far away; a connection to it ends on this machine.
            for (host, exceptions) in [("0.0.0.0", "0.0.0.0"), ("127.0.0.1", nil), ("[::1]", nil), ("localhost", nil)] {
                Self.use("http://127.0.0.1:2", without: exceptions)
                let outcome = try await Self.outcome(of: "https://\(host):1/")
                #expect(
                    outcome.told
                        == "https://\(host):1: no connection (expected a server that listens there): "
                        + "check the address, the network and the proxy"
                )
            }
        }
    }

    // MARK: - Over TLS

    @Test func `a proxy over TLS is trusted by the authorities in the given file`() async {
        await #expect(processExitsWith: .success) {
            let servers = try TLSServers()
            try servers.makeCertificate("proxy")
            try servers.makeCertificate("server", subject: "DNS:fhir.invalid")
            let files = ["proxy", "server"].map { URL(filePath: servers.folder.path("\($0).pem")) }
            try servers.folder.write(files.flatMap { try Data(contentsOf: $0) }, to: "ca.pem")
            let file = servers.folder.path("ca.pem")
            try await servers.withServer("server") { url in
                try await servers.withProxy("proxy", to: url.port) { port in
                    Self.use("https://127.0.0.1:\(port)")
                    let outcome = try await Self.outcome(caFile: file)
                    #expect(outcome.told == "200")
                }
            }
        }
    }

    @Test func `a proxy's certificate of an unknown authority is told as the proxy's`() async {
        await #expect(processExitsWith: .success) {
            let servers = try TLSServers()
            try servers.makeCertificate("proxy")
            try await servers.withProxy("proxy", to: 1) { port in
                Self.use("https://127.0.0.1:\(port)")
                let outcome = try await Self.outcome()
                #expect(
                    outcome.told
                        == "https://fhir.invalid: the certificate of the proxy of the environment can't be trusted "
                        + "(expected one of a known authority): give your organisation's authority with --ca-file"
                )
                #expect(outcome.reason == "the proxy's certificate can't be trusted")
            }
        }
    }

    @Test func `a given file replaces the system's authorities for the proxy too`() async {
        await #expect(processExitsWith: .success) {
            let servers = try TLSServers()
            try servers.makeCertificate("proxy")
            try servers.makeCertificate("other")
            let file = servers.folder.path("other.pem")
            try await servers.withProxy("proxy", to: 1) { port in
                Self.use("https://127.0.0.1:\(port)")
                let outcome = try await Self.outcome(caFile: file)
                #expect(
                    outcome.told
                        == "https://fhir.invalid: the certificate of the proxy of the environment can't be trusted (expected one of "
                        + "an authority in '\(file)', which stand in place of the system's): for both, run "
                        + "cat /etc/ssl/certs/ca-certificates.crt '\(file)' > '\(file).all', and give that with --ca-file"
                )
            }
        }
    }

    @Test func `a proxy's certificate for another host is told as the proxy's`() async {
        await #expect(processExitsWith: .success) {
            let servers = try TLSServers()
            try servers.makeCertificate("proxy", subject: "DNS:proxy.example.org")
            try await servers.withProxy("proxy", to: 1) { port in
                Self.use("https://127.0.0.1:\(port)")
                let outcome = try await Self.outcome(caFile: servers.folder.path("proxy.pem"))
                #expect(
                    outcome.told
                        == "https://fhir.invalid: the certificate of the proxy of the environment is for another host (expected "
                        + "one for the host in https_proxy): write the name there that the certificate names"
                )
                #expect(outcome.reason == "the proxy's certificate is for another host")
            }
        }
    }

    @Test func `a proxy's certificate that has expired or is not yet valid is told as the proxy's`() async {
        await #expect(processExitsWith: .success) {
            for (start, end, told, reason) in [
                (
                    "20200101000000Z", "20200201000000Z",
                    "has expired (expected one that is good now): ask its operator, and check this machine's clock",
                    "the proxy's certificate has expired"
                ),
                (
                    "20900101000000Z", "20900201000000Z",
                    "is not good yet (expected one that is good now): check this machine's clock",
                    "the proxy's certificate is not good yet"
                ),
            ] {
                let servers = try TLSServers()
                try servers.makeCertificate("proxy", from: start, to: end)
                try await servers.withProxy("proxy", to: 1) { port in
                    Self.use("https://127.0.0.1:\(port)")
                    let outcome = try await Self.outcome(caFile: servers.folder.path("proxy.pem"))
                    #expect(
                        outcome.told == "https://fhir.invalid: the certificate of the proxy of the environment \(told)"
                    )
                    #expect(outcome.reason == reason)
                }
            }
        }
    }

    @Test func `a proxy without TLS that is named as one with TLS is told as that`() async {
        await #expect(processExitsWith: .success) {
            let servers = try TLSServers()
            try await servers.withProxy(nil, to: 1) { port in
                Self.use("https://127.0.0.1:\(port)")
                let outcome = try await Self.outcome()
                #expect(
                    outcome.told
                        == "https://fhir.invalid: TLS with the proxy of the environment failed (expected TLS 1.2 or later): check "
                        + "https_proxy, where one without TLS begins with http://"
                )
                #expect(outcome.reason == "TLS with the proxy failed")
            }
        }
    }

    @Test func `a proxy that requires a client certificate is told as that`() async {
        await #expect(processExitsWith: .success) {
            let servers = try TLSServers()
            try servers.makeCertificate("proxy")
            for version in ["TLSv1_2", "TLSv1_3"] {
                try await servers.withProxy("proxy", to: 1, clientsOf: "proxy", version: version) { port in
                    Self.use("https://127.0.0.1:\(port)")
                    var outcome = try await Self.outcome(caFile: servers.folder.path("proxy.pem"))
                    // With TLS 1.3 the proxy may close the connection before its alert is read: a later try reads it.
                    for _ in 0..<50 where outcome.reason == "the connection broke" {
                        outcome = try await Self.outcome(caFile: servers.folder.path("proxy.pem"))
                    }
                    #expect(
                        outcome.told
                            == "https://fhir.invalid: the proxy of the environment wants a client certificate, which pghd can't "
                            + "give (expected a user name and a password to be enough): ask its operator for an address without"
                    )
                    #expect(outcome.reason == "the proxy wants a client certificate")
                }
            }
        }
    }
}
