internal import FHIRR4

/// The resources that this run has created recently and that a search may not find yet.
///
/// It keeps half of each id for two to four minutes, or less where the server takes more than two thousand resources a
/// second: it has room for two sets of half a million words, 8 MB.
struct YoungCreations {
    private static let maximumCount = 1 << 18

    private var latest: Set<UInt64> = []
    private var former: Set<UInt64> = []
    /// When `latest` began to be filled.
    private var began: ContinuousClock.Instant?

    /// Adds resources that were created.
    mutating func note(_ ids: [ResourceID], at now: ContinuousClock.Instant) {
        if let began, now - began > .seconds(RecentCreations.maximumLag) || latest.count >= Self.maximumCount {
            (former, latest) = (latest, [])
            self.began = now
        }
        began = began ?? now
        latest.formUnion(ids.lazy.map(\.low))
    }

    /// Whether this run has created it recently.
    func contains(_ id: ResourceID) -> Bool { latest.contains(id.low) || former.contains(id.low) }
}
