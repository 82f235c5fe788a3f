import Glibc
import OpenIDConnect
import Threads

/// A person who signs in at a terminal: messages go to standard error, a pasted address comes from standard input.
struct TerminalSignIn: SignInInteraction {
    /// Whether the browser is opened here; otherwise the person opens it, on this machine or another.
    let opensBrowser: Bool

    func showAuthorization(url: String) async {
        guard opensBrowser else {
            showLines("Open this address in a browser and sign in:\n\n  \(url)\n")
            say("If that is on another machine, its last page can't be shown: paste its address here and press Enter.")
            return
        }
        showLines("Sign in with the browser. If none opens, open this address:\n\n  \(url)\n")
        // Some programs that open a browser end only with it.
        Task {
            guard await !SystemBrowser.open(url) else { return }
            say("No browser could be opened here: open the address above, or use --no-browser or --device.")
        }
    }

    func pastedRedirect() async -> String? {
        guard !opensBrowser else { return nil }
        let line: String? = await OwnThread.run {
            while let line = readLine() {
                if !line.allSatisfy(\.isWhitespace) { return line }
            }
            return nil
        }
        if line == nil {
            say(
                "Standard input has ended, so no address can be pasted: waiting \(SignIn.browserSeconds) s for a "
                    + "browser on this machine …"
            )
        }
        return line
    }

    func show(_ prompt: DeviceCodePrompt) async {
        showLines(
            "Open this address on any device:\n\n  \(prompt.verificationURL)\n\nand type in this code:\n\n  \(prompt.userCode)\n"
        )
        if let url = prompt.completeURL { showLines("or open this one, which holds the code:\n\n  \(url)\n") }
        say("Waiting for you there …")
    }

    func showSecondRequest(without scope: String) async {
        say("The server refuses the scope \(scope), which it does not list: it is asked once more, without it.")
    }
}

/// Shows a text of several lines where messages go.
private func showLines(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) { say(String(line)) }
}
