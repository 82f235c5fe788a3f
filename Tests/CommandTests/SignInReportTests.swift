import OpenIDConnect
import Testing

@testable import pghd

/// How long a sign-in is said to last.
struct SignInReportTests {
    private func report(
        _ granted: [String],
        method: SignInMethod = .authorizationCode,
        refreshLife: Int? = nil,
        age: Int = 0,
        life: Int = 3600
    ) -> SignInReport {
        var instant = ClockReading.now()
        instant.bootSeconds -= age
        instant.wallSeconds -= age
        var credential = Credential(
            server: "https://fhir.example.org/r4",
            method: method,
            clientID: "pghd",
            issuer: nil,
            endpoints: TokenEndpoints(token: "https://login.example.org/token", revocation: nil),
            requestedScopes: granted
        )
        credential.tokens = Tokens(
            accessToken: Secret("a"),
            expiry: TokenExpiry(lifetimeSeconds: life, at: instant),
            refreshToken: Secret("r"),
            refreshExpiry: refreshLife.map { TokenExpiry(lifetimeSeconds: $0, at: instant) },
            grantedScopes: granted
        )
        return SignInReport(credential, clockSkewSeconds: nil)
    }

    private func until(_ report: SignInReport) -> String? {
        report.shortText.split(separator: "\n").first { $0.hasPrefix("  until") }
            .map { String($0.dropFirst(17)).replacing(#/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#, with: "TIME") }
    }

    @Test func `only a sign-in for offline access is said to last until the person signs out`() {
        #expect(until(report(["openid", "offline_access"])) == "you sign out; renewed by itself")
        #expect(until(report(["openid"])) == "you sign out or the server ends it; renewed by itself")
        #expect(until(report([], method: .backendService)) == "you sign out; renewed by itself")
    }

    @Test func `the end of a refresh token is shown if the server says it`() {
        let report = report(["offline_access"], refreshLife: 1800)
        #expect(until(report) == "TIME, unless a run renews it before")
        #expect(report.refreshTokenExpires != nil)
        // A service needs none.
        #expect(until(self.report([], method: .backendService, refreshLife: 1800)) == "you sign out; renewed by itself")
    }

    @Test func `a sign-in ends with its refresh token, or later with its access token`() {
        let ended = report(["offline_access"], refreshLife: 60, age: 61, life: 60)
        #expect(!ended.signedIn && !ended.renewable)
        let lasting = report(["offline_access"], refreshLife: 60, age: 61)
        #expect(lasting.signedIn && !lasting.renewable)
        #expect(until(lasting) == "TIME, the access token's end")
    }
}
