import CredentialStore
import Foundation
@testable import HTTPTransport
import OpenIDConnect
import Testing

/// One process that asks for a token as a delivery does.
///
/// Tests/SignIn starts many of them at once with a real identity server; run by itself it does nothing.
struct RenewalProcess {
    private static let environment = ProcessInfo.processInfo.environment

    @Test(.enabled(if: environment["PGHD_RENEWAL_SERVER"] != nil, "Tests/SignIn runs it"))
    func `a process asks for a token`() async throws {
        let server = try HTTPURL(serverBase: value("SERVER"))
        let keystore = Keystore(path: try value("KEYSTORE"), passphrase: .file(path: try value("PASSPHRASE_FILE")))
        let tokens = try AccessTokenSource(server: server, store: keystore, client: HTTPClient(caFile: nil))
        var outcome: [String: String] = [:]
        do {
            var authorization = try await tokens.authorization(for: server)
            if try value("REJECTING") == "1" {
                authorization = try await tokens.authorization(for: server, replacing: authorization)
            }
            outcome["authorization"] = authorization?.value
        } catch {
            outcome["error"] = "\(error)"
        }
        let output = try URL(filePath: value("OUTPUT"))
        try JSONEncoder().encode(outcome).write(to: output)
    }

    private func value(_ name: String) throws -> String {
        let environment = Self.environment
        return try #require(environment["PGHD_RENEWAL_\(name)"] ?? environment["PGHD_\(name)"])
    }
}
