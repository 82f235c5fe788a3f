import Delivery
import FHIRR4
import OpenIDConnect

/// What `logout` says.
///
/// The keys of its JSON are stable.
struct SignOutReport: Encodable {
    let server: String
    let refreshToken: Fate
    let accessToken: Fate
    let forgotten: Bool
    /// When an access token that was not revoked ends by itself.
    let accessTokenExpires: String?
    /// Why a token was not revoked.
    let faults: [String]
    /// What became of the ledgers, by their paths; absent where they were to stay.
    private(set) var ledgers: Ledgers?

    /// What became of a token.
    enum Fate: String, Encodable {
        case none, revoked, notOffered, failed
    }

    struct Ledgers: Encodable {
        let removed, inUse, unreadable: [String]
        /// How many of what was removed are ledgers.
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
        refreshToken = outcome.refreshToken.fate
        accessToken = outcome.accessToken.fate
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

    /// Whether a token that was to be revoked may still be good.
    var isUncertain: Bool { !faults.isEmpty }

    /// Which tokens those are, why, and what to do; `nil` where there is none.
    var uncertaintySentence: String? {
        guard isUncertain else { return nil }
        let reasons = distinctFaults.joined(separator: "; ")
        guard faults.count == 1 else {
            return "refresh token and access token were not revoked (\(reasons)): they may still be good, and "
                + "another logout would find none to give back; the server's operator can end them"
        }
        let token = refreshToken == .failed ? "refresh token" : "access token"
        return
            "\(token) was not revoked (\(reasons)): it may still be good, and another logout would find none to give "
            + "back; the server's operator can end it"
    }

    /// The faults, without repetition: if the server is away, both tokens have the same one.
    private var distinctFaults: ArraySlice<String> { faults.first == faults.last ? faults.prefix(1) : faults[...] }

    var json: String { ReportForm.json(self) }

    var text: String {
        var lines = [
            ("refresh token", refreshToken.sentence), ("access token", accessToken.sentence),
            ("here", forgotten ? "forgotten" : "removed; the next sign-in needs no other option than --server"),
        ]
        lines += distinctFaults.map { ("not revoked", $0) }
        if let accessTokenExpires { lines.append(("ends", "\(accessTokenExpires), the access token")) }
        return ReportForm.table(server, lines + (ledgers?.lines ?? []))
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

extension SignOutReport.Fate {
    fileprivate var sentence: String {
        switch self {
        case .none: "none was here"
        case .revoked: "revoked"
        case .notOffered: "not revoked: the server does not offer that; it ends by itself"
        case .failed: "not revoked: it may still be good; the server's operator can end it"
        }
    }
}

extension SignOut.Revocation {
    fileprivate var fate: SignOutReport.Fate {
        switch self {
        case .none: .none
        case .revoked: .revoked
        case .notOffered: .notOffered
        case .failed: .failed
        }
    }

    /// Why a token was not revoked.
    var fault: String? {
        switch self {
        case .failed(let error): error.reason
        case .none, .revoked, .notOffered: nil
        }
    }
}
