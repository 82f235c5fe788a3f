internal import FHIRR4
internal import TransactionBundling

/// The Bundles whose outcome the ledger does not know yet, and who is in them.
///
///     var inFlight = InFlight()
///     inFlight.insert(submission)
///     inFlight.meet(member)       // .same, .another or nil
///     inFlight.remove(submission)
///
/// A counting Bloom filter of 2 MB knows nearly all who are in none, also where a hundred thousand are open since the
/// server is quicker than the disk; about the others every open Bundle is asked. Source: L. Fan et al., Summary Cache,
/// IEEE/ACM Transactions on Networking 8(3), 2000.
struct InFlight {
    /// How a resource that comes again stands to the one that is on its way.
    enum Meeting {
        /// It is the same version, as far as anybody knows.
        case same
        /// It is another one: which is to stay is known once the outcome is.
        case another
    }

    private static let placeCount: UInt64 = 1 << 22
    private static let maximumCount: UInt8 = 15
    /// Two places in each byte, of which each counts to `maximumCount`.
    private var counts: [UInt8] = []
    private var submissions: [ObjectIdentifier: Submission] = [:]

    /// Keeps a Bundle in mind.
    mutating func insert(_ submission: Submission) {
        if counts.isEmpty { counts = Array(repeating: 0, count: Int(Self.placeCount / 2)) }
        submissions[ObjectIdentifier(submission)] = submission
        for member in submission.members {
            count(member.id, by: 1)
        }
    }

    /// The ledger knows its outcome.
    mutating func remove(_ submission: Submission) {
        guard submissions.removeValue(forKey: ObjectIdentifier(submission)) != nil else { return }
        for member in submission.members {
            count(member.id, by: -1)
        }
    }

    /// How `member` stands to the one of its id that is on its way; `nil` where none is.
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

    /// A counter that is full stays full: how often it was passed is no longer known.
    private mutating func count(_ place: Int, by step: Int) {
        let former = value(place)
        guard former < Self.maximumCount else { return }
        counts[place >> 1] ^= (former ^ UInt8(Int(former) + step)) << Self.shift(place)
    }

    private func value(_ place: Int) -> UInt8 { counts[place >> 1] >> Self.shift(place) & Self.maximumCount }

    private static func shift(_ place: Int) -> Int { (place & 1) * 4 }
}
