internal import FHIRR4

/// What this run has created of late, and a search may not find yet.
///
/// By 32 bits of each id, for two to four minutes: of a server that takes a thousand resources a second some megabytes. One of
/// which these bits are another's is looked for in vain at worst, which costs a request.
struct YoungCreations {
    private var latest: Set<UInt32> = []
    private var former: Set<UInt32> = []
    /// Since when `latest` is filled.
    private var began: ContinuousClock.Instant?

    /// Takes down what was created.
    mutating func note(_ ids: [ResourceID], at now: ContinuousClock.Instant) {
        if let began, now - began > .seconds(RecentCreations.maximumLag) {
            (former, latest) = (latest, [])
            self.began = now
        }
        began = began ?? now
        latest.formUnion(ids.lazy.map(Self.bits))
    }

    /// Whether it may have been created just now.
    func contains(_ id: ResourceID) -> Bool { latest.contains(Self.bits(id)) || former.contains(Self.bits(id)) }

    private static func bits(_ id: ResourceID) -> UInt32 { UInt32(truncatingIfNeeded: id.low) }
}
