internal import FHIRR4

/// The resources that a server has made anew last, by which one that was set back to an older state is known.
///
///     recent = h0123…,h4567…          a property of the ledger, the last at the end
struct RecentCreations {
    /// How many are kept in mind.
    private static let most = 16
    /// So many of one Bundle, which came together and would be gone together.
    private static let mostOfBundle = 3
    private static let name = "recent"

    private(set) var ids: [ResourceID] = []

    /// Takes down what one Bundle has brought.
    mutating func note(_ created: [ResourceID]) {
        ids = (ids + created.suffix(Self.mostOfBundle)).suffix(Self.most)
    }

    /// What of members was to be found there and is not.
    ///
    /// A server that was set back lacks the last of what it had, one that was emptied nearly all; what somebody has
    /// deleted there is one here and one there.
    ///
    /// - Parameters:
    ///   - lost: what was not found.
    ///   - members: what was looked for.
    ///   - recent: those of them that were made last, the last at the end.
    /// - Returns: whether the server was set back.
    static func wasSetBack(lost: [ResourceID], of members: Int, recent: [ResourceID]) -> Bool {
        let newest = recent.suffix(mostOfBundle)
        return lost.count * 2 > members || (!newest.isEmpty && newest.allSatisfy(lost.contains))
    }
}

extension RecentCreations {
    /// Those that the ledger keeps.
    init(_ ledger: Ledger) throws(DeliveryError) {
        ids = try ledger.property(Self.name)?.split(separator: ",").compactMap { ResourceID(text: String($0)) } ?? []
    }

    /// Keeps these, behind those of earlier runs.
    func keep(in ledger: Ledger) throws(DeliveryError) {
        guard !ids.isEmpty else { return }
        let before = try RecentCreations(ledger).ids.filter { !ids.contains($0) }
        let all = (before + ids).suffix(Self.most)
        try ledger.setProperties([Self.name: all.map(\.text).joined(separator: ",")])
    }
}
