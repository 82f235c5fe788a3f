internal import FoundationEssentials
internal import Glibc

/// When an access token stops working, on a clock that nobody can set.
///
/// `expires_in` counts from the response. Until this machine restarts, the rest of it is read off the clock since its
/// start, which also counts sleep; after a restart the wall clock has to do.
public struct TokenExpiry: Sendable, Equatable, Codable {
    /// Seconds since 1970 when the token expires, for people and after a restart.
    public let wallSeconds: Int
    /// The token's whole life in seconds.
    public let lifetimeSeconds: Int
    /// Seconds since the machine's start when it expires.
    let bootSeconds: Int
    /// Which start that was.
    let bootID: String

    /// The expiry of a token that came at `instant` and lives `lifetimeSeconds`.
    package init(lifetimeSeconds: Int, at instant: ClockReading = .now()) {
        wallSeconds = instant.wallSeconds + lifetimeSeconds
        bootSeconds = instant.bootSeconds + lifetimeSeconds
        bootID = instant.bootID
        self.lifetimeSeconds = lifetimeSeconds
    }

    /// Whether a clock can have given it: from 1970, or the machine's start, to the year 9999.
    var isPossible: Bool {
        [wallSeconds, bootSeconds, lifetimeSeconds].allSatisfy { (0...253_402_300_799).contains($0) }
    }

    /// Seconds that the token has left at `instant`; negative after it has expired.
    package func secondsLeft(at instant: ClockReading = .now()) -> Int {
        let isSameStart = !bootID.isEmpty && instant.bootID == bootID
        return isSameStart ? bootSeconds - instant.bootSeconds : wallSeconds - instant.wallSeconds
    }

    /// Whether it is time for a new token: 30 s before the end, or the last tenth of a life below 300 s.
    func isDue(at instant: ClockReading = .now()) -> Bool {
        secondsLeft(at: instant) <= min(30, lifetimeSeconds / 10)
    }
}

/// One reading of the machine's clocks.
package struct ClockReading: Sendable, Equatable {
    /// Seconds since 1970.
    package var wallSeconds: Int
    /// Seconds since the machine's start, sleep included.
    package var bootSeconds: Int
    /// Which start that was.
    package var bootID: String

    /// A reading as given.
    package init(wallSeconds: Int, bootSeconds: Int, bootID: String) {
        self.wallSeconds = wallSeconds
        self.bootSeconds = bootSeconds
        self.bootID = bootID
    }

    /// The clocks as they are now.
    package static func now() -> ClockReading {
        ClockReading(
            wallSeconds: seconds(of: CLOCK_REALTIME),
            bootSeconds: seconds(of: CLOCK_BOOTTIME),
            bootID: currentBootID
        )
    }

    private static func seconds(of clock: clockid_t) -> Int {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return time.tv_sec
    }

    /// Linux gives each start a random identifier; empty where it can't be read.
    private static let currentBootID: String = {
        let data = try? Data(contentsOf: URL(filePath: "/proc/sys/kernel/random/boot_id"))
        return data.map { String(decoding: $0.prefix(36), as: UTF8.self) } ?? ""
    }()
}
