import FoundationEssentials

/// The pages that a person sees: plain HTML without scripts, which nothing may frame.
enum SignInPage {
    /// Asks for the password that the server printed, and for the patient to sign in.
    static func signIn(
        action: String,
        fields: [QueryItem],
        client: String,
        scope: String,
        patient: String,
        message: String?,
        redirectOrigin: String?
    ) -> HTTPResponse {
        let hidden = fields.map {
            "<input type=\"hidden\" name=\"\(escaped($0.name))\" value=\"\(escaped($0.value))\">"
        }
        let scopes = scope.split(separator: " ").map { "<li><code>\(escaped($0))</code></li>" }
        return page(
            "Sign in",
            """
            <p><strong>\(escaped(client))</strong> asks for:</p>
            <ul>\(scopes.joined())</ul>
            \(message.map { "<p role=\"alert\">\(escaped($0))</p>" } ?? "")
            <form method="post" action="\(escaped(action))">
            \(hidden.joined(separator: "\n"))
            <label>Patient <input name="patient" value="\(escaped(patient))" required maxlength="64"></label>
            <label>Password <input name="password" type="password" autocomplete="off" autofocus></label>
            <p><small>The password is the one that <code>pghd serve</code> printed.</small></p>
            <button name="decision" value="allow">Allow</button>
            <button name="decision" value="deny">Deny</button>
            </form>
            """,
            status: message == nil ? 200 : 403,
            formAction: redirectOrigin
        )
    }

    /// Asks for the code that a device shows.
    static func userCode(action: String) -> HTTPResponse {
        page(
            "Connect a device",
            """
            <form method="get" action="\(escaped(action))">
            <label>Code <input name="user_code" required autofocus autocomplete="off"></label>
            <button>Continue</button>
            </form>
            """
        )
    }

    /// Says how a sign-in ended.
    static func message(_ title: String, _ text: String, status: Int = 200) -> HTTPResponse {
        page(title, "<p>\(escaped(text))</p>", status: status)
    }

    private static func page(
        _ title: String,
        _ content: String,
        status: Int = 200,
        formAction: String? = nil
    ) -> HTTPResponse {
        let html = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>\(escaped(title)) - pghd serve</title>
            <style>\(style)</style>
            </head>
            <body>
            <main>
            <h1>\(escaped(title))</h1>
            \(content)
            <footer>pghd serve: a server for tests, not for patients</footer>
            </main>
            </body>
            </html>
            """
        // "no-referrer" would make browsers send "Origin: null" with the form, which is refused as foreign.
        // Browsers apply form-action to a form's redirects too, so it includes the client's own address.
        let action = formAction.map { "'self' \($0)" } ?? "'self'"
        return HTTPResponse(
            status,
            [
                ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
                (
                    "Content-Security-Policy",
                    "default-src 'none'; style-src 'sha256-\(styleHash)'; form-action \(action); base-uri 'none'; "
                        + "frame-ancestors 'none'"
                ),
                ("Referrer-Policy", "same-origin"), ("X-Content-Type-Options", "nosniff"),
            ],
            body: Array(html.utf8)
        )
    }

    private static let style = """
        body{font:1rem/1.5 system-ui,sans-serif;margin:0;background:#f4f5f7;color:#1c1e21}\
        main{max-width:26rem;margin:10vh auto;padding:2rem;background:#fff;border:1px solid #d5d8dc;border-radius:8px}\
        h1{font-size:1.4rem;margin-top:0}label{display:block;margin:.75rem 0}\
        input{display:block;width:100%;box-sizing:border-box;font:inherit;padding:.5rem;border:1px solid #8a9099;\
        border-radius:4px}button{font:inherit;padding:.5rem 1.25rem;margin-right:.5rem;border:1px solid #1a5fb4;\
        border-radius:4px;background:#fff;color:#1a5fb4}button[value=allow]{background:#1a5fb4;color:#fff}\
        [role=alert]{color:#a51d2d}footer{margin-top:2rem;font-size:.85rem;color:#5e6673}
        """

    /// Allows this one style, and no other (CSP 3, section 2.3.1).
    private static let styleHash = Data(Secret.hash(style)).base64EncodedString()

    private static func escaped(_ text: some StringProtocol) -> String {
        // By scalars: a quote followed by a combining accent is still a quote.
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
