internal import TransactionBundling

// How a version of a resource relates to the one that the ledger knows: the later one wins, then the greater digest.

extension Ledger.Member {
    /// Whether the server has failed at it each time, and may have stored it all the same.
    private var isDoubtful: Bool { state == .refused && digest == 0 }

    /// Whether the server has taken a version of it, this one or another.
    var wasAcknowledged: Bool { (digest != nil && !isDoubtful) || state == .live || state == .gone }

    /// Whether the server has a version of it, or may have.
    var mayBeThere: Bool { state != .absent && (wasAcknowledged || isDoubtful || state == .unknown) }

    /// The digest of the live version, if it can be compared with that of `member`: digests of bytes say nothing about
    /// those of an export.
    func digest(comparableTo member: BundleMember) -> UInt64? {
        let isOfBytes = digest != nil && rank == BundleMember.rankOfBytes
        return isOfBytes == member.isOfBytes ? digest : nil
    }

    /// Whether `member` is the live version.
    func `is`(_ member: BundleMember) -> Bool {
        member.digest != nil && digest(comparableTo: member) == member.digest
    }

    /// Whether `member` is known to be another version than the live one.
    func isOther(than member: BundleMember) -> Bool {
        guard let digest = member.digest, let there = self.digest(comparableTo: member) else { return false }
        return digest != there
    }

    /// Whether the version that is live, or may be, has a higher `SyncVersion` than `member`.
    func isLaterVersion(than member: BundleMember) -> Bool {
        let isOfBytes = rank == BundleMember.rankOfBytes || member.isOfBytes
        return (state == .live || state == .unknown) && !isOfBytes && rank > member.rank
    }

    /// Whether `member` is as good as the live version: the same, or one that lost to it.
    ///
    /// What lost to a version that has gone since may win over the one that took its place.
    func holds(_ member: BundleMember) -> Bool {
        guard let digest = member.digest, let there = self.digest(comparableTo: member) else { return false }
        guard digest != there else { return true }
        return aliases.contains(digest) && (member.isOfBytes || (rank, there) > (member.rank, digest))
    }
}

extension BundleMember {
    /// Whether this version of a resource wins over `other`: the later one does, then the greater digest.
    func wins(over other: BundleMember) -> Bool {
        (rank, digest ?? 0) > (other.rank, other.digest ?? 0)
    }

    /// The same resource in an unknown version.
    var withoutDigest: BundleMember { BundleMember(id: id, digest: nil, rank: rank, type: type, kind: kind) }
}
