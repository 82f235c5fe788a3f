internal import FHIRR4
internal import OpenSSLCrypto
internal import TransactionBundling

extension Delivery {
    /// The Bundle itself where all of it is wanted and new, else one of the rest.
    func wantedPart(
        of bundle: TransactionBundle,
        _ own: [BundleMember],
        _ verdict: Selection.Verdict
    ) throws -> TransactionBundle {
        let isConditional = bundle.isConditional
        // A server that remembers keys would take a version that returns for the Bundle it had before, and one that knows
        // nothing else would refuse for ever what it has refused once.
        let needsOwnKey = verdict.replaces || (verdict.wasRefused && options.interface == .observations)
        let isWhole = verdict.wanted.count == own.count && !needsOwnKey
        if isWhole, !isConditional || verdict.changed.isEmpty { return bundle }
        let wantedIDs = Set(verdict.wanted)
        let wanted = bundle.entries.indices.filter { number in
            bundle.entries[number].member.map { wantedIDs.contains($0.id) } ?? true
        }
        let all = bundle.entries.indices.filter { !bundle.carries(bundle.entries[$0]) }
        let salt = needsOwnKey ? try SecureRandom.bytes(16) : nil
        if wanted == all, salt == nil, !isConditional || verdict.changed.isEmpty { return bundle }
        guard isConditional else { return bundle.part(wanted, salt: salt) }
        let links = BundleLinks(bundle)
        return bundle.part(links.withDevices(links.wholeUnits(Set(wanted))), salt: salt) { entry, bytes in
            guard let member = entry.member, !bundle.carries(entry) else { return nil }
            // Who goes along with a changed one of its unit is there; only a FHIR server looks before it creates.
            let isThere = options.interface == .observations && !wantedIDs.contains(member.id)
            guard isThere || verdict.changed.contains(member.id) else { return nil }
            return ConditionalRequest.update(bytes, member)
        }
    }
}
