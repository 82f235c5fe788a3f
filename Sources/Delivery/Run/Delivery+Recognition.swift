internal import FHIRR4
internal import GRDB
internal import Synchronization
internal import TransactionBundling

/// Whose export it is, if neither a birth date nor a part that was delivered before has shown it.
///
/// Two exports of one person have nearly everything in common, those of two people only samples without a value in
/// their ids. If a whole export was delivered before, and this one does not give the same birth date, Bundles are held
/// until they have more samples that the ledger knows than two people share by chance. If they never do, another
/// person's export would go into this patient's record.
extension Delivery {
    /// Looks for known samples in a Bundle and holds it back until enough are found; then everything that is held is
    /// sent.
    ///
    /// - Parameter bundle: the Bundle.
    /// - Returns: whether it may be sent by itself; if not, it is held, or was sent with what was held.
    /// - Throws: ``DeliveryError/otherExport(patientID:count:)``, or what stops the run while held Bundles are sent.
    func mayGo(_ bundle: TransactionBundle) throws -> Bool {
        let samples = bundle.ownMembers.filter {
            $0.type == .observation && !BundleMember.kindsWithoutValue.contains($0.kind)
        }
        let telling = samples.filter { $0.tellsPerson(besides: options.dailySummaryKinds) }
        // Nothing of it would be sent in any case.
        if telling.isEmpty, selection.withLock({ $0.bundles.isStanding(bundle.key) }) { return true }
        let knownCount = try knownCount(among: telling)
        let (isRecognized, isFull) = held.withLock { held in
            held.hold(bundle, sampleCount: samples.count, knownCount: knownCount)
            return (held.isRecognized, held.isFull)
        }
        if isRecognized { try releaseHeld() } else if isFull { try refuseHeld() }
        return false
    }

    /// Whether Bundles are held.
    func isHolding() throws -> Bool {
        if let isHolding = held.withLock(\.isHolding) { return isHolding }
        let isHolding = try mustRecognize()
        held.withLock { $0.isHolding = isHolding }
        return isHolding
    }

    /// Sends what is held, since something of it is known.
    func releaseHeld() throws {
        let bundles = held.withLock { held in
            defer { held = HeldBundles(isHolding: false) }
            return held.bundles
        }
        for bundle in bundles { try take(bundle) }
    }

    /// Sends what is held at the end of an export, unless it is so much that some of it should be known.
    ///
    /// - Parameter isWhole: whether all of it was read: what was lost might have shown whose it is.
    /// - Throws: ``DeliveryError/otherExport(patientID:count:)``, or what stops the run while held Bundles are sent.
    func settleHeld(isWhole: Bool) throws {
        guard held.withLock({ $0.isHolding == true }) else { return }
        let count = isWhole ? HeldBundles.wholeCount : 1
        if held.withLock(\.sampleCount) >= count { try refuseHeld() }
        try releaseHeld()
    }

    /// Drops what is held: the export could not be read.
    package func dropHeld() { held.withLock { $0 = HeldBundles(isHolding: false) } }

    private func refuseHeld() throws {
        let count = held.withLock { held in
            defer { held.bundles = [] }
            return held.sampleCount
        }
        throw DeliveryError.otherExport(patientID: options.patientID, count: count)
    }

    private func mustRecognize() throws -> Bool {
        // `send` says nothing about an export, and a part may have nothing in common with the other parts.
        guard options.fingerprint != nil, !options.confirmsPatient,
            !selection.withLock(\.isPart), !notes.withLock(\.isOwnerKnown), try ledger.property(.exportDate) != nil
        else { return false }
        return try ledger.hasTaken(HeldBundles.wholeCount)
            && ledger.hasTelling(HeldBundles.tellingCount, besides: options.dailySummaryKinds)
    }

    private func knownCount(among samples: [BundleMember]) throws -> Int {
        try zip(samples, ledger.members(samples.map(\.id))).count { member, known in
            guard let known else { return false }
            // What came from a file has digests of another kind.
            return known.holds(member) || (known.wasAcknowledged && known.digest(comparableTo: member) == nil)
        }
    }
}

extension Ledger {
    /// Whether the server has taken so many samples that show whose they are.
    fileprivate func hasTelling(_ count: Int, besides dailySummaryKinds: Set<UInt64>) throws(DeliveryError) -> Bool {
        let kinds = BundleMember.kindsWithoutValue.union(BundleMember.kindsOnGrid).union(dailySummaryKinds)
            .map { "\(Int64(bitPattern: $0))" }.joined(separator: ", ")
        let sql = """
            SELECT count(*) FROM (
                SELECT 1 FROM members WHERE \(Self.isThere)
                    AND type = \(ResourceType.observation.rawValue) AND kind NOT IN (\(kinds)) LIMIT ?
            )
            """
        return try number(sql, [count]) >= count
    }
}
