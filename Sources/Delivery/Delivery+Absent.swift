internal import FHIRR4
internal import HTTPTransport
internal import Synchronization
internal import TransactionBundling

extension Delivery {
    /// Finds out whether what the ledger does not know is to be looked for, at a server that knows Bundles by their keys.
    ///
    /// It creates what it is sent under a key that it does not know, or has forgotten.
    func expectOthersOnce() throws {
        guard options.isKeyOnly, options.probeCount > 0, notes.withLock({ $0.noteFirst(\.areOthersExpected) }),
            try !ledger.isBlank()
        else { return }
        selection.withLock { $0.expectsOthers = true }
    }

    /// Whether a server may have more of ours of a type than the ledger knows: another machine's, or of a ledger that was put
    /// back from an older copy.
    ///
    /// Two numbers that are equal prove nothing, since what was lost there may be made up for by what came; but until a first
    /// export is delivered to its end nearly all of it is new, and as good as never another machine's.
    private func isShared(_ type: ResourceType) throws -> Bool {
        if let isKnown = notes.withLock({ $0.shared[type] }) { return isKnown }
        var isShared = false
        do {
            // Of a type that can't be searched nobody can tell what it has.
            if let found = try blocking({ [newsLookup] in try await newsLookup.countOurs(type) }), found.count > 0 {
                let isFirst = try ledger.exportDate(.delivered) == nil
                isShared = try !isFirst || found.count != ledger.countHeld(type)
            }
        } catch DeliveryError.unreadableServer, DeliveryError.unauthorized {
            // Who may not read can't be told apart.
        }
        notes.withLock { [isShared] in $0.shared[type] = isShared }
        return isShared
    }

    /// Looks for what the ledger does not know, where another machine may have brought it: what is there goes as an update.
    private func lookForOthers(_ verdict: inout Selection.Verdict) throws {
        for (type, members) in Dictionary(grouping: verdict.unknown, by: \.type) where try isShared(type) {
            do {
                let found = try blocking { [newsLookup] in try await newsLookup.find(members.map(\.id), type) }
                verdict.changed.formUnion(found.keys)
            } catch DeliveryError.unreadableServer, DeliveryError.unauthorized {
                // One that counts need not let single ones be searched.
                notes.withLock { $0.shared[type] = false }
            }
            if let stop = state.stopReason { throw stop }
        }
    }

    /// Looks once more for what a rebuild has not found, and of an older export for what the ledger does not know.
    ///
    /// A server that knows Bundles by their keys would store it a second time under the key that it now goes under, if an
    /// index has lagged, or somebody has brought it back: what is there is updated instead. An older export changes nothing
    /// that is there: another machine may have brought it in a later version. Nor does a part of one
    /// that holds an earlier version alone.
    ///
    /// - Parameter verdict: what is to be sent; whatever is found is changed, or left out where it may be a later version.
    /// - Throws: what a read ends with.
    func lookAgain(for verdict: inout Selection.Verdict) throws {
        try lookForOthers(&verdict)
        let isOutdated = selection.withLock { $0.isOutdated }
        let mayStay = isOutdated || !verdict.mayBeLater.isEmpty
        let mayUpdate = options.isKeyOnly && !mayStay
        // What is put under our id is the same whether it is there or not, and a FHIR server looks before it creates.
        guard !verdict.absent.isEmpty, mayStay || options.isKeyOnly else { return }
        // What is read by its id no index has to find.
        let isAwaited =
            options.isConditional && !options.isDryRun && notes.withLock { $0.noteFirst(\.isIndexAwaited) }
        let maximumWaitCount = isAwaited ? Self.maximumWaitCount : 0
        for (type, members) in Dictionary(grouping: verdict.absent, by: \.type) {
            var rest = members.map(\.id)
            for number in 0...maximumWaitCount where !rest.isEmpty {
                let wait = number == 0 ? Duration.zero : options.firstDelay * (1 << number)
                let found: Set<ResourceID>
                do {
                    found = try blocking { [rest, state, newsLookup] in
                        if wait > .zero, !(await state.sleep(wait)) { return Set<ResourceID>() }
                        return Set(try await newsLookup.find(rest, type).keys)
                    }
                } catch DeliveryError.unreadableServer where mayStay && !options.isKeyOnly {
                    // Nobody can tell what one has that can't be read.
                    return
                } catch DeliveryError.unreadableServer where mayUpdate, DeliveryError.unauthorized where mayUpdate {
                    // As an update it can't be doubled.
                    verdict.changed.formUnion(rest)
                    break
                }
                if let stop = state.stopReason { throw stop }
                rest.removeAll(where: found.contains)
                let staying = isOutdated ? found : found.intersection(verdict.mayBeLater)
                verdict.changed.formUnion(found.subtracting(staying))
                verdict.wanted.removeAll(where: staying.contains)
                verdict.standing.formUnion(staying)
                if isOutdated { verdict.outdatedCount += staying.count } else { verdict.twinCount += staying.count }
            }
        }
    }
}
