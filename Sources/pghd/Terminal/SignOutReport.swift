import Delivery
import FHIRR4
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

        init(_ removal: StoredLedgers.Removal) {
            removed = removal.removed
            inUse = removal.inUse
            unreadable = removal.unreadable
            count = removal.ledgers.count
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
            : outcome.expiry.map { FHIRDateTime.utcText(Int64($0.wallSeconds)) }
        faults = [outcome.refreshToken, outcome.accessToken].compactMap(\.fault)
    }

    /// Adds what became of the ledgers.
    mutating func note(_ removal: StoredLedgers.Removal) { ledgers = Ledgers(removal) }

    /// Whether there is a ledger of the server, or one that may be.
    var tellsOfLedgers: Bool { ledgers.map { $0.count > 0 } ?? false || hasLedgersInUse || hasUnreadableLedgers }
    var hasLedgersInUse: Bool { ledgers?.inUse.isEmpty == false }
    var hasUnreadableLedgers: Bool { ledgers?.unreadable.isEmpty == false }

    /// Whether a token may still be good although it was to be taken back.
    var isUncertain: Bool { !faults.isEmpty }

    var json: String { ReportForm.json(self) }

    var text: String {
        var lines = [
            ("refresh token", sentence(refreshToken)), ("access token", sentence(accessToken)),
            ("here", forgotten ? "forgotten" : "removed; the next sign-in needs no other option than --server"),
        ]
        // A server that is away keeps both for the same reason.
        lines += (faults.first == faults.last ? faults.prefix(1) : faults[...]).map { ("not revoked", $0) }
        if let accessTokenExpires { lines.append(("ends", "\(accessTokenExpires), the access token")) }
        return ReportForm.table(server, lines + (ledgers?.lines ?? []))
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

/// What `logout --forget --patient` says.
///
/// The keys of its JSON are stable.
struct ForgottenPatient: Encodable {
    let server, patient: String
    let ledgers: SignOutReport.Ledgers

    init(server: String, patient: String, _ removal: StoredLedgers.Removal) {
        self.server = server
        self.patient = patient
        ledgers = SignOutReport.Ledgers(removal)
    }

    var text: String { ReportForm.table("Patient/\(patient) at \(server)", ledgers.lines) }
}

extension SignOutReport.Ledgers {
    /// Names are hashes, so a path names nobody.
    fileprivate var lines: [(String, String)] {
        [("ledgers", count == 0 ? "none was here" : "\(count) removed")]
            + inUse.map { ("in use", "\($0): another run is at work; run this again when it has ended") }
            + unreadable.map { ("not removed", "\($0): its server can't be told; remove it if it is this one") }
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
