/// What the browser shows at the end: a page without script, style, link or anything of the sign-in.
enum CallbackPage {
    /// The answer to the redirect; shows a refusal's code, escaped.
    static func response(query: String) -> String {
        guard let error = FormEncoding.fields(query, only: ["error"])?["error"] else {
            return page(
                200,
                "pghd has your answer",
                "Close this page and go back to the terminal, which says how it went."
            )
        }
        return page(200, "Not signed in", "The server said: \(escaped(error)). Go back to the terminal.")
    }

    /// The answer to anything else.
    static func refusal(_ status: Int) -> String {
        page(status, "Nothing here", "This address waits for a sign-in and answers nothing else.")
    }

    private static func page(_ status: Int, _ title: String, _ text: String) -> String {
        let body = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>\(title)</title></head>
            <body><h1>\(title)</h1><p>\(text)</p></body></html>

            """
        let fields = [
            "HTTP/1.1 \(status) \(reason(status))",
            "Content-Type: text/html; charset=utf-8",
            "Content-Length: \(body.utf8.count)",
            "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
            "Cache-Control: no-store",
            "Referrer-Policy: no-referrer",
            "X-Content-Type-Options: nosniff",
            "Connection: close",
        ]
        return fields.joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    private static func reason(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 431: "Request Header Fields Too Large"
        default: "Bad Request"
        }
    }

    private static func escaped(_ text: String) -> String {
        text.quotable.reduce(into: "") { escaped, character in
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.append(character)
            }
        }
    }
}
