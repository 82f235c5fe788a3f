internal import FHIRR4
internal import TransactionBundling

/// The Bundles whose outcome the ledger does not know yet, and the resources in them.
///
///     var inFlight = InFlight()
///     inFlight.insert(submission)
///     inFlight.meet(member)       // .same, .another or nil
///     inFlight.remove(submission)
///
/// A counting Bloom filter of 2 MB recognizes nearly all resources that are in none, even if a hundred thousand are
/// open because the server is quicker than the disk; for the others, every open Bundle is searched. Source: L. Fan et
/// al., Summary Cache, IEEE/ACM Transactions on Networking 8(3), 2000.
struct InFlight {
    /// How a resource that comes again relates to the one that is on its way.
    enum Meeting {
        /// It is the same version, as far as anybody knows.
        case same
        /// It is another version: which one is to stay is known once the outcome is.
        case another
    }

    private static let placeCount: UInt64 = 1 << 22
    private static let maximumCount: UInt8 = 15
    /// Two counters in each byte, each up to `maximumCount`.
    private var counts: [UInt8] = []
    private var submissions: [ObjectIdentifier: Submission] = [:]

    /// Adds a Bundle.
    mutating func insert(_ submission: Submission) {
        if counts.isEmpty { counts = Array(repeating: 0, count: Int(Self.placeCount / 2)) }
        submissions[ObjectIdentifier(submission)] = submission
        for member in submission.members {
            count(member.id, by: 1)
        }
    }

    /// Removes a Bundle whose outcome the ledger knows.
    mutating func remove(_ submission: Submission) {
        guard submissions.removeValue(forKey: ObjectIdentifier(submission)) != nil else { return }
        for member in submission.members {
            count(member.id, by: -1)
        }
    }

    /// How `member` relates to the one with its id that is on its way; `nil` if none is.
    func meet(_ member: BundleMember) -> Meeting? {
        guard !counts.isEmpty else { return nil }
        let places = member.id.places(below: Self.placeCount)
        guard value(places.0) > 0, value(places.1) > 0, value(places.2) > 0 else { return nil }
        for submission in submissions.values {
            guard let other = submission.members.first(where: { $0.id == member.id }) else { continue }
            return other.digest == member.digest || member.digest == nil ? .same : .another
        }
        return nil
    }

    private mutating func count(_ id: ResourceID, by step: Int) {
        let places = id.places(below: Self.placeCount)
        count(places.0, by: step)
        count(places.1, by: step)
        count(places.2, by: step)
    }

    /// A full counter stays full: how far it was exceeded is not known.
    private mutating func count(_ place: Int, by step: Int) {
        let former = value(place)
        guard former < Self.maximumCount else { return }
        counts[place >> 1] ^= (former ^ UInt8(Int(former) + step)) << Self.shift(place)
    }

    private func value(_ place: Int) -> UInt8 { counts[place >> 1] >> Self.shift(place) & Self.maximumCount }

    private static func shift(_ place: Int) -> Int { (place & 1) * 4 }
}
