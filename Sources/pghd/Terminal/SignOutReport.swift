import FoundationEssentials
import OpenIDConnect

/// What `logout` says.
///
/// The keys of its JSON are stable.
struct SignOutReport: Encodable {
    let server: String
    let refreshToken: String
    let accessToken: String
    let forgotten: Bool
    /// When a token that was not taken back ends by itself.
    let accessTokenExpires: String?
    /// Why a token was not taken back.
    let faults: [String]

    init(server: String, outcome: SignOut.Outcome, isForgotten: Bool) {
        self.server = server
        refreshToken = Self.word(outcome.refreshToken)
        accessToken = Self.word(outcome.accessToken)
        forgotten = isForgotten
        accessTokenExpires =
            [.none, .revoked].contains(outcome.accessToken)
            ? nil
            : outcome.expiry.map { Date(timeIntervalSince1970: Double($0.wallSeconds)).formatted(.iso8601) }
        faults = [outcome.refreshToken, outcome.accessToken].compactMap { revocation in
            switch revocation {
            case .failed(.refused(let code, let status)):
                "the server refused" + (code.map { ": \($0.prefix(40))" } ?? "")
                    + (status.map { " (HTTP \($0))" } ?? "")
            case .failed(let error): "\(error)"
            case .none, .revoked, .notOffered: nil
            }
        }
    }

    /// Whether a token may still be good although it was to be taken back.
    var isUncertain: Bool { !faults.isEmpty }

    var json: String { SignInReport.json(self) }

    var text: String {
        var text = server.printable + "\n"
        text += "  refresh token  \(sentence(refreshToken))\n"
        text += "  access token   \(sentence(accessToken))\n"
        text +=
            "  here           \(forgotten ? "forgotten" : "removed; the next sign-in needs no other option than --server")\n"
        for fault in faults { text += "  not revoked    \(fault.printable)\n" }
        if let accessTokenExpires { text += "  ends           \(accessTokenExpires), the access token\n" }
        return text
    }

    private func sentence(_ word: String) -> String {
        switch word {
        case "none": "none was here"
        case "revoked": "revoked"
        case "notOffered": "not revoked: the server offers no revocation; it ends by itself"
        default: "not revoked: it may still be good; the server's operator can end it"
        }
    }

    private static func word(_ revocation: SignOut.Revocation) -> String {
        switch revocation {
        case .none: "none"
        case .revoked: "revoked"
        case .notOffered: "notOffered"
        case .failed: "failed"
        }
    }
}
