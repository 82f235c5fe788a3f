import Testing

@testable import OpenIDConnect

struct TokenExpiryTests {
    private func clock(_ seconds: Int, boot: String = "b1", wall: Int? = nil) -> ClockReading {
        ClockReading(wallSeconds: 1_000_000 + (wall ?? seconds), bootSeconds: 500 + seconds, bootID: boot)
    }

    /// A lifetime in seconds, and when the token is due for renewal.
    @Test(arguments: [(3600, 3570), (300, 270), (60, 54), (10, 9), (5, 5)])
    func `a token is renewed 30 s before its end, or after nine tenths of a shorter life`(_ life: Int, _ due: Int) {
        let expiry = TokenExpiry(lifetimeSeconds: life, at: clock(0))
        #expect(!expiry.isDue(at: clock(due - 1)))
        #expect(expiry.isDue(at: clock(due)))
        #expect(expiry.secondsLeft(at: clock(life + 7)) == -7)
    }

    @Test func `setting the wall clock changes nothing`() {
        let expiry = TokenExpiry(lifetimeSeconds: 3600, at: clock(0))
        #expect(expiry.secondsLeft(at: clock(100, wall: 999_999)) == 3500)
        #expect(expiry.secondsLeft(at: clock(100, wall: -999_999)) == 3500)
    }

    @Test func `after a restart the wall clock counts`() {
        let expiry = TokenExpiry(lifetimeSeconds: 3600, at: clock(0))
        #expect(expiry.secondsLeft(at: clock(-450, boot: "b2", wall: 600)) == 3000)
    }

    @Test func `if boots can't be distinguished the wall clock counts`() {
        let expiry = TokenExpiry(lifetimeSeconds: 3600, at: clock(0, boot: ""))
        #expect(expiry.secondsLeft(at: clock(-450, boot: "", wall: 600)) == 3000)
    }

    @Test func `the clocks of this machine are read`() {
        let one = ClockReading.now()
        #expect(one.wallSeconds > 1_700_000_000)
        #expect(one.bootID.wholeMatch(of: #/[0-9a-f-]{36}/#) != nil)
    }
}
