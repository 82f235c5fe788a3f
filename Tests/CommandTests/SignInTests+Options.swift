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
}
