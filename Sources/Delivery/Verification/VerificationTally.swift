internal import FHIRR4
internal import TransactionBundling

/// Which resources of the export were met, and what is wrong with them: some 30 bytes a resource.
///
/// Of several versions of one resource the later one stands, then the one with the greater digest, as in a delivery.
struct VerificationTally {
    /// What is wrong with a resource.
    struct Fault: Sendable {
        var kind: VerificationReport.Kind
        var type: ResourceType
        /// The index of its details in `texts`; -1 for none.
        var text: Int32
        /// How many copies the server has.
        var copyCount: UInt16
        /// Whether no other person has a resource with this id.
        var tellsPerson: Bool
    }

    /// Whether a version of a resource must be looked at.
    enum Admission {
        /// It was not met before, or beats the version that was, which has this digest.
        case wanted(beaten: UInt64?)
        /// This version was met before.
        case repeated
        /// Another version stands.
        case beaten
    }

    private(set) var faults: [ResourceID: Fault] = [:]
    private(set) var texts: [[String]] = []
    private var textNumbers: [[String]: Int32] = [:]
    private var standing = StandingVersions()
    /// The rank of the version that stands, where it is not 0.
    private var ranks: [ResourceID: UInt64] = [:]
    private(set) var counts: [ResourceType: Int] = [:]
    /// How many resources were met that no other person has.
    private(set) var tellingCount = 0
    private let dailySummaryKinds: Set<UInt64>
    /// The number of further copies of Devices that are the same and may be there more than once.
    private var furtherCopies: [ResourceID: UInt16] = [:]

    /// - Parameter dailySummaryKinds: kinds whose ids are the same for everybody.
    init(dailySummaryKinds: Set<UInt64> = []) { self.dailySummaryKinds = dailySummaryKinds }

    var count: Int { standing.count }

    func contains(_ id: ResourceID) -> Bool { standing[id] != nil }

    mutating func admit(_ member: BundleMember) -> Admission {
        let digest = member.digest ?? 0
        if let there = standing[member.id] {
            let rank = ranks[member.id] ?? 0
            if (rank, there) == (member.rank, digest) { return .repeated }
            if (rank, there) > (member.rank, digest) { return .beaten }
            faults[member.id] = nil
            furtherCopies[member.id] = nil
            stand(member, digest)
            return .wanted(beaten: there)
        }
        counts[member.type, default: 0] += 1
        if member.tellsPerson(besides: dailySummaryKinds) { tellingCount += 1 }
        stand(member, digest)
        return .wanted(beaten: nil)
    }

    private mutating func stand(_ member: BundleMember, _ digest: UInt64) {
        standing.set(member.id, digest)
        ranks[member.id] = member.rank == 0 ? nil : member.rank
    }

    /// Whether this version is still the one that stands.
    func stands(_ member: BundleMember) -> Bool {
        standing[member.id] == member.digest ?? 0 && ranks[member.id] ?? 0 == member.rank
    }

    /// Notes what is wrong with the version that stands.
    mutating func note(
        _ kind: VerificationReport.Kind,
        _ member: BundleMember,
        _ details: [String] = [],
        copyCount: Int = 0
    ) {
        var text: Int32 = -1
        if !details.isEmpty {
            text = textNumbers[details] ?? Int32(texts.count)
            if text == texts.count {
                texts.append(details)
                textNumbers[details] = text
            }
        }
        let count = UInt16(clamping: copyCount)
        faults[member.id] = Fault(
            kind: kind,
            type: member.type,
            text: text,
            copyCount: count,
            tellsPerson: member.tellsPerson(besides: dailySummaryKinds)
        )
    }

    /// Notes a Device that is there more than once, which is allowed.
    mutating func noteFurtherCopies(_ member: BundleMember, _ count: Int) {
        furtherCopies[member.id] = UInt16(clamping: count)
    }

    /// How many samples the server has, in whatever version: of those that no other person has, and of all others.
    var found: (telling: Int, others: Int) {
        let missing = faults.values.filter { $0.kind == .missing && ResourceType.ofSamples.contains($0.type) }
        let missingTelling = missing.count { $0.tellsPerson }
        return (tellingCount - missingTelling, sampleCount - tellingCount - (missing.count - missingTelling))
    }

    /// How many samples were met.
    var sampleCount: Int { ResourceType.ofSamples.reduce(0) { $0 + (counts[$1] ?? 0) } }

    /// Whether the server has any resource of this type with other content, which may belong to another patient by now.
    func hasDifferent(_ type: ResourceType) -> Bool {
        faults.values.contains { $0.kind == .different && $0.type == type }
    }

    /// How many copies the server has of the export's resources of this type.
    func copyCount(_ type: ResourceType) -> Int {
        let further = type == .device ? furtherCopies.values.reduce(0) { $0 + Int($1) } : 0
        return faults.values.reduce((counts[type] ?? 0) + further) { count, fault in
            guard fault.type == type else { return count }
            return switch fault.kind {
            case .missing: count - 1
            case .doubled: count + Int(fault.copyCount) - 1
            case .rounded, .different, .extra: count
            }
        }
    }
}
