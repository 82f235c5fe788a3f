internal import FHIRR4
internal import OpenSSLCrypto
internal import TransactionBundling

extension Delivery {
    /// The Bundle itself if all of it is wanted and new, otherwise a Bundle of what is wanted.
    func wantedPart(
        of bundle: TransactionBundle,
        _ own: [BundleMember],
        _ verdict: Selection.Verdict
    ) throws -> TransactionBundle {
        let isConditional = bundle.isConditional
        // A server that remembers keys, as a FHIR server's gateway may, would take a version that returns for the
        // Bundle that it had before, refuse forever what it refused once, and say that what it has lost is there.
        let needsOwnKey = !verdict.replaced.isEmpty || verdict.wasRefused || verdict.wasForgotten
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
        var numbers = links.wholeUnits(Set(wanted))
        // Only a FHIR server looks before it creates. A key-only server would take a version that lost, or an older
        // one, for the one to keep: it is left out, and what refers to it names the one that is there.
        var others: [TransactionBundle.Entry] = []
        if options.isKeyOnly {
            let isOther = { (number: Int) in
                bundle.entries[number].member.map { verdict.standing.contains($0.id) } ?? false
            }
            others = numbers.filter(isOther).map { bundle.entries[$0] }
            numbers.removeAll(where: isOther)
        }
        let references = others.compactMap { ConditionalReference(to: $0, in: bundle) }
        return bundle.part(links.withDevices(numbers), salt: salt) { entry, bytes in
            guard let member = entry.member, !bundle.carries(entry) else { return nil }
            var other: [UInt8]?
            for reference in references { other = reference.replacing(in: other?[...] ?? bytes) ?? other }
            // An entry that goes along with a changed one of its unit is there.
            let isThere = options.isKeyOnly && !wantedIDs.contains(member.id)
            guard isThere || verdict.changed.contains(member.id) else { return other }
            // The server answers its creation with the id that it has there; it is then sent again as an update of
            // that.
            if options.updatesByID { return other }
            return ConditionalRequest.update(other?[...] ?? bytes, member) ?? other
        }
    }
}
