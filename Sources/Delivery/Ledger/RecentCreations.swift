internal import FHIRR4

/// The resources that a server created last, which show whether it was set back to an older state.
///
///     recent = 1711958400,h0123…,h4567…     a property of the ledger: when it was written, and the last at the end
struct RecentCreations {
    /// How many are kept.
    private static let maximumCount = 16
    /// How many are kept of one Bundle: they came together and would be gone together.
    private static let maximumOfBundle = 3
    /// For how many seconds a search index may lag behind what was stored.
    static let maximumLag: Int64 = 120

    private(set) var ids: [ResourceID] = []
    /// When they were written to the ledger, in seconds since 1970.
    private(set) var noted: Int64 = 0

    /// Adds the resources that one Bundle created.
    mutating func note(_ created: [ResourceID]) {
        ids = (ids + created.suffix(Self.maximumOfBundle)).suffix(Self.maximumCount)
    }

    /// Whether the server was set back, judged by the members that are no longer there.
    ///
    /// A server that was set back lacks the last resources that it had, and one that was emptied lacks nearly all; what
    /// people delete are single ones here and there.
    ///
    /// - Parameters:
    ///   - lost: those that were not found.
    ///   - count: how many were looked for.
    ///   - live: those of the last creations that are live in the ledger.
    ///   - mayLag: whether a search may not find the last creations yet.
    /// - Returns: whether the server was set back or emptied.
    func tellsSetBack(lost: [ResourceID], of count: Int, live: [ResourceID], mayLag: Bool) -> Bool {
        let newest = live.suffix(Self.maximumOfBundle)
        // Where the ledger names too few last creations, a smaller part is enough.
        guard newest.count == Self.maximumOfBundle else {
            return lost.count * 12 > count && lost.count > min(2, count / 2)
        }
        guard mayLag, count > live.count else {
            return lost.count * 4 > count || (!mayLag && newest.allSatisfy(lost.contains))
        }
        // A search may not find the last creations yet: the others decide.
        let old = lost.count { !live.contains($0) }
        return old * 4 > count - live.count
    }

    /// Whether a search on the server may not find them yet.
    ///
    /// - Parameter seconds: the time since they were written; negative where a clock was set back, which may have been
    ///   just now.
    /// - Returns: whether that is possible.
    func mayLag(after seconds: Int64) -> Bool { lag(after: seconds) > 0 }

    /// For how many more seconds a search may not find them.
    func lag(after seconds: Int64) -> Int64 { max(Self.maximumLag - max(seconds, 0), 0) }
}

extension RecentCreations {
    /// The creations that the ledger keeps.
    init(_ ledger: Ledger) throws(DeliveryError) {
        let parts = try ledger.property(.recent)?.split(separator: ",") ?? []
        noted = max(parts.first.flatMap { Int64($0) } ?? 0, 0)
        ids = parts.compactMap { ResourceID(text: String($0)) }
    }

    /// Writes these to the ledger, after those of earlier runs.
    func keep(in ledger: Ledger, now: Int64) throws(DeliveryError) {
        let former = try RecentCreations(ledger)
        guard !ids.isEmpty else {
            // They were written by a clock that was ahead: until that time came, they would always seem to be from just
            // now.
            if former.noted > now { try ledger.write(former.ids[...], noted: now) }
            return
        }
        let before = former.ids.filter { !ids.contains($0) }
        try ledger.write((before + ids).suffix(Self.maximumCount), noted: now)
    }

    /// Removes these from the ledger: they are known to be gone.
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
