internal import FHIRR4

/// The resources that a server has made anew last, by which one that was set back to an older state is known.
///
///     recent = 1711958400,h0123…,h4567…          a property of the ledger: when it was written, and the last at the end
struct RecentCreations {
    /// How many are kept in mind.
    private static let maximumCount = 16
    /// So many of one Bundle, which came together and would be gone together.
    private static let maximumOfBundle = 3
    /// An index may lag for so many seconds behind what was stored.
    static let maximumLag: Int64 = 120

    private(set) var ids: [ResourceID] = []
    /// When they were kept, in seconds since 1970.
    private(set) var noted: Int64 = 0

    /// Takes down what one Bundle has brought.
    mutating func note(_ created: [ResourceID]) {
        ids = (ids + created.suffix(Self.maximumOfBundle)).suffix(Self.maximumCount)
    }

    /// Whether the server was set back, by what of members is not there any more.
    ///
    /// A server that was set back lacks the last of what it had, one that was emptied nearly all; what somebody has
    /// deleted there is one here and one there.
    ///
    /// - Parameters:
    ///   - lost: what was not found.
    ///   - count: how many were looked for.
    ///   - live: those of the last that the ledger has for live.
    ///   - mayLag: whether a search may not find these yet.
    /// - Returns: whether it is no longer what it was.
    func tellsSetBack(lost: [ResourceID], of count: Int, live: [ResourceID], mayLag: Bool) -> Bool {
        let newest = live.suffix(Self.maximumOfBundle)
        // Of a ledger that tells no last ones a smaller part counts.
        guard newest.count == Self.maximumOfBundle else {
            return lost.count * 12 > count && lost.count > min(2, count / 2)
        }
        guard mayLag, count > live.count else {
            return lost.count * 4 > count || (!mayLag && newest.allSatisfy(lost.contains))
        }
        // A search may not find what came last yet: the others tell.
        let old = lost.count { !live.contains($0) }
        return old * 4 > count - live.count
    }

    /// Whether a server that searches may not find them yet.
    ///
    /// - Parameter seconds: since they were kept; fewer than none where a clock was set back, which may have been just now.
    /// - Returns: whether it may.
    func mayLag(after seconds: Int64) -> Bool { lag(after: seconds) > 0 }

    /// For how many seconds more it may not find them.
    func lag(after seconds: Int64) -> Int64 { max(Self.maximumLag - max(seconds, 0), 0) }
}

extension RecentCreations {
    /// Those that the ledger keeps.
    init(_ ledger: Ledger) throws(DeliveryError) {
        let parts = try ledger.property(.recent)?.split(separator: ",") ?? []
        noted = max(parts.first.flatMap { Int64($0) } ?? 0, 0)
        ids = parts.compactMap { ResourceID(text: String($0)) }
    }

    /// Keeps these, behind those of earlier runs.
    func keep(in ledger: Ledger, now: Int64) throws(DeliveryError) {
        let former = try RecentCreations(ledger)
        guard !ids.isEmpty else {
            // Kept by a clock that was ahead: it would be just now until that time comes.
            if former.noted > now { try ledger.write(former.ids[...], noted: now) }
            return
        }
        let before = former.ids.filter { !ids.contains($0) }
        try ledger.write((before + ids).suffix(Self.maximumCount), noted: now)
    }

    /// Keeps these no longer: they are known to be gone.
    func drop(_ gone: [ResourceID], in ledger: Ledger) throws(DeliveryError) {
        let rest = ids.filter { !gone.contains($0) }
        if rest.count < ids.count { try ledger.write(rest[...], noted: noted) }
    }
}

extension Ledger {
    fileprivate func write(_ recent: ArraySlice<ResourceID>, noted: Int64) throws(DeliveryError) {
        let text = (["\(noted)"] + recent.map(\.text)).joined(separator: ",")
        try setProperties([.recent: text])
    }
}
