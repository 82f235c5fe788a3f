import ExportPipeline
import Delivery
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
    /// What became of the ledgers, by their paths; absent where they were to stay.
    private(set) var ledgers: Ledgers?

    struct Ledgers: Encodable {
        let removed, inUse, unreadable: [String]
        /// How many of the removed are ledgers.
        let count: Int

        private enum CodingKeys: String, CodingKey {
            case removed, inUse, unreadable
        }
    }

    init(server: String, outcome: SignOut.Outcome, isForgotten: Bool) {
        self.server = server
        refreshToken = Self.word(outcome.refreshToken)
        accessToken = Self.word(outcome.accessToken)
        forgotten = isForgotten
        accessTokenExpires =
            [.none, .revoked].contains(outcome.accessToken)
            ? nil
            : outcome.expiry.map { Date(timeIntervalSince1970: Double($0.wallSeconds)).formatted(.iso8601) }
        faults = [outcome.refreshToken, outcome.accessToken].compactMap(\.fault)
    }

    /// Adds what became of the ledgers.
    mutating func note(_ removal: StoredLedgers.Removal) {
        ledgers = Ledgers(
            removed: removal.removed,
            inUse: removal.inUse,
            unreadable: removal.unreadable,
            count: removal.ledgers.count
        )
    }

    /// Whether there is a ledger of the server, or one that may be.
    var tellsOfLedgers: Bool { ledgers.map { $0.count > 0 } ?? false || hasLedgersInUse || hasUnreadableLedgers }
    var hasLedgersInUse: Bool { ledgers?.inUse.isEmpty == false }
    var hasUnreadableLedgers: Bool { ledgers?.unreadable.isEmpty == false }

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
        return text + (ledgers?.text ?? "")
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

extension SignOutReport.Ledgers {
    /// Names are hashes, so a path names nobody.
    fileprivate var text: String {
        var text = "  ledgers        \(count == 0 ? "none was here" : "\(count) removed")\n"
        for path in inUse {
            text += "  in use         \(path.printable): another run is at work; run this again when it has ended\n"
        }
        for path in unreadable {
            text += "  not removed    \(path.printable): its server can't be told; remove it if it is this one\n"
        }
        return text
    }
}

extension SignOut.Revocation {
    /// Why a token was not taken back.
    var fault: String? {
        switch self {
        case .failed(.refused(let code, let status)):
            "the server refused" + (code.map { ": \($0.prefix(40))" } ?? "") + (status.map { " (HTTP \($0))" } ?? "")
        case .failed(let error): "\(error)"
        case .none, .revoked, .notOffered: nil
        }
    }
}
