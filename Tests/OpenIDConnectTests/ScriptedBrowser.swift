import HTTPTransport
import OpenIDConnect
import Synchronization

/// A person with a browser that follows one redirect, or does what a test tells it.
final class ScriptedBrowser: SignInInteraction {
    private let act: @Sendable (_ url: HTTPURL, _ client: HTTPClient) async throws -> Void
    private let paste: @Sendable () async -> String?
    private let shown = Mutex<[String]>([])
    private let tasks = Mutex<[Task<Void, any Error>]>([])

    /// A browser that opens the address and follows the redirect once.
    init(paste: @escaping @Sendable () async -> String? = { nil }) {
        act = { url, client in
            let answer = try await client.send(HTTPRequest(.get, url))
            guard let location = answer.header("Location") else { return }
            _ = try await client.send(HTTPRequest(.get, HTTPURL(location)))
        }
        self.paste = paste
    }

    init(_ act: @escaping @Sendable (_ url: HTTPURL, _ client: HTTPClient) async throws -> Void) {
        self.act = act
        paste = { nil }
    }

    /// Everything that was shown to the person.
    var texts: [String] { shown.withLock(\.self) }

    func showAuthorization(url: String) async {
        shown.withLock { $0.append(url) }
        let task = Task { [act] in try await act(HTTPURL(url), HTTPClient()) }
        tasks.withLock { $0.append(task) }
    }

    func pastedRedirect() async -> String? { await paste() }

    func showSecondRequest(without scope: String) async { shown.withLock { $0.append("without \(scope)") } }

    func show(_ prompt: DeviceCodePrompt) async { shown.withLock { $0.append("\(prompt)") } }
}
