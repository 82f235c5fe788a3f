import Synchronization
import TestSupport
import Testing

/// What a sign-in keeps of its options.
extension SignInTests {
    @Test func `scopes are kept for the next sign-in if the user named them, and found anew if not`() throws {
        let isFirstVersion = Mutex(false)
        let server = try server(capability: { isFirstVersion.withLock { $0 ? "permission-v1" : "permission-v2" } })
        let login = ["login", "--server", server.url + "/r4"]
        func asked(_ more: String...) throws -> String? {
            #expect(try command.run(login + more).status == 0)
            return server.requests.last { $0.path == "/device" }?.form["scope"]
        }
        #expect(try asked("--device", "--client-id", "pghd")?.contains("patient/Device.crus") == true)
        isFirstVersion.withLock { $0 = true }
        #expect(try asked()?.contains("patient/Device.write") == true)
        #expect(try asked("--scope", "patient/Device.write") == "patient/Device.write")
        isFirstVersion.withLock { $0 = false }
        #expect(try asked() == "patient/Device.write")
    }

    @Test(arguments: ["--device", "--backend"])
    func `PKCE is assumed only of a sign-in by browser`(_ kind: String) throws {
        let outcome = try command.run("login", "--server", "http://127.0.0.1:9", kind, "--assume-pkce")
        #expect(
            outcome.error == "pghd: --assume-pkce: there is no browser with --device or --backend: leave it out\n"
        )
        #expect(outcome.status == 64)
    }

    @Test func `PKCE is not assumed where a key is made`() throws {
        let outcome = try command.run("login", "--server", "http://127.0.0.1:9", "--new-key", "--assume-pkce")
        #expect(
            outcome.error == "pghd: --assume-pkce: contradicts --new-key (expected one of them): leave one out\n"
        )
        #expect(outcome.status == 64)
    }
}
