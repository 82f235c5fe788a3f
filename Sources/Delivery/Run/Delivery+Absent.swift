internal import FHIRR4
internal import HTTPTransport
internal import Synchronization
internal import TransactionBundling

extension Delivery {
    /// Decides whether to look on a key-only server for what the ledger does not know.
    ///
    /// Such a server creates what it is sent under a key that it does not know, or has forgotten.
    func expectOthersOnce() throws {
        guard options.isKeyOnly, options.probeCount > 0, notes.withLock({ $0.noteFirst(\.areOthersExpected) }),
            try !ledger.isBlank()
        else { return }
        selection.withLock { $0.expectsOthers = true }
    }

    /// Whether the server may have more of our resources of a type than the ledger knows: another machine's, or those
    /// missing from a ledger that was restored from an older copy.
    ///
    /// Equal numbers prove nothing, since new resources may make up for lost ones; but until a first export is
    /// delivered to its end, nearly all of it is new and almost never another machine's.
    private func isShared(_ type: ResourceType) throws -> Bool {
        if let isKnown = notes.withLock({ $0.shared[type] }) { return isKnown }
        var isShared = false
        do {
            // Nobody knows what the server has of a type that can't be searched.
            if let found = try blocking({ [newsLookup] in try await newsLookup.countOurs(type) }), found.count > 0 {
                let isFirst = try ledger.exportDate(.delivered) == nil
                isShared = try !isFirst || found.count != ledger.countHeld(type)
            }
        } catch DeliveryError.unreadableServer, DeliveryError.unauthorized {
            // Without permission to read, nobody knows.
        }
        notes.withLock { [isShared] in $0.shared[type] = isShared }
        return isShared
    }

    /// Looks for what the ledger does not know and another machine may have brought: what is there is sent as an
    /// update.
    private func lookForOthers(_ verdict: inout Selection.Verdict) throws {
        for (type, members) in Dictionary(grouping: verdict.unknown, by: \.type) where try isShared(type) {
            do {
                let found = try blocking { [newsLookup] in try await newsLookup.find(members.map(\.id), type) }
                verdict.changed.formUnion(found.keys)
            } catch DeliveryError.unreadableServer, DeliveryError.unauthorized {
                // A server that counts need not allow a search for single resources.
                notes.withLock { $0.shared[type] = false }
            }
            if let stop = state.stopReason { throw stop }
        }
    }

    /// Looks again for what a rebuild did not find and, for an older export, for what the ledger does not know.
    ///
    /// Such a resource may be there because an index lagged, or because somebody brought it back. A key-only server
    /// would store it a second time under its new key: instead it is updated. An older export changes nothing that is
    /// there, since another machine may have brought a later version. Nor does a part of an export that only holds an
    /// earlier version.
    ///
    /// - Parameter verdict: what is to be sent; what is found becomes an update, or is left out if it may be a later
    ///   version.
    /// - Throws: what a read throws.
    func lookAgain(for verdict: inout Selection.Verdict) throws {
        try lookForOthers(&verdict)
        let isOutdated = selection.withLock { $0.isOutdated }
        let mayStay = isOutdated || !verdict.mayBeLater.isEmpty
        let mayUpdate = options.isKeyOnly && !mayStay
        // A PUT under our id does the same whether the resource is there or not, and a FHIR server looks before it
        // creates.
        guard !verdict.absent.isEmpty, mayStay || options.isKeyOnly else { return }
        // A read by id needs no index.
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
                    // Nobody knows what a server has that can't be read.
                    return
                } catch DeliveryError.unreadableServer where mayUpdate, DeliveryError.unauthorized where mayUpdate {
                    // An update can't double it.
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
