internal import FHIRR4

/// What this run has created of late, and a search may not find yet.
///
/// By half of each id, for two to four minutes; of a server that takes more than two thousand resources a second for as long as
/// there is room: two sets of half a million words, 8 MB.
struct YoungCreations {
    private static let maximumCount = 1 << 18

    private var latest: Set<UInt64> = []
    private var former: Set<UInt64> = []
    /// Since when `latest` is filled.
    private var began: ContinuousClock.Instant?

    /// Takes down what was created.
    mutating func note(_ ids: [ResourceID], at now: ContinuousClock.Instant) {
        if let began, now - began > .seconds(RecentCreations.maximumLag) || latest.count >= Self.maximumCount {
            (former, latest) = (latest, [])
            self.began = now
        }
        began = began ?? now
        latest.formUnion(ids.lazy.map(\.low))
    }

    /// Whether it was created just now.
    func contains(_ id: ResourceID) -> Bool { latest.contains(id.low) || former.contains(id.low) }
}
