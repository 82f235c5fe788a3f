internal import FHIRR4
internal import HTTPTransport
internal import Synchronization
internal import TransactionBundling

/// Looks at one Bundle.
extension Verification {
    /// A Bundle and which of its entries are to be looked at.
    struct Work: Sendable {
        let bundle: TransactionBundle
        var wanted: [Int] = []
        /// Its home in the ledger that is being rebuilt.
        var home: LedgerChange.Home?
        /// The members that the former ledger knew: a key-only server may still know the key of the Bundle that brought
        /// them.
        var delivered: Set<ResourceID> = []
        /// Those of its members that the former ledger knew as entered in error.
        var gone: Set<ResourceID> = []
        /// How many slots it has taken.
        var slotCount = 0
    }

    /// What the server has of one resource.
    private enum Finding {
        case same(copyCount: Int, changed: Int64?)
        case missing
        case rounded([String], changed: Int64?)
        case different([String], changed: Int64?, isInError: Bool)
        case doubled([String], hasSame: Bool, changed: Int64?)
    }

    func look(_ work: Work) async {
        do {
            guard state.stopReason == nil else { return slots.giveBack(work.slotCount) }
            settle(work, try await findings(work))
        } catch {
            state.stop(error)
            slots.giveBack(work.slotCount)
        }
    }

    /// Reads and compares resources, Devices first, since the others refer to them.
    private func findings(_ work: Work) async throws -> [(BundleMember, Finding)] {
        let bundle = work.bundle
        var results: [(BundleMember, Finding)] = []
        var comparison = ResourceComparison(base: options.server.text)
        let devices = work.wanted.filter { bundle.entries[$0].member?.type == .device }
        let others = work.wanted.filter { bundle.entries[$0].member?.type != .device }
        for numbers in [devices, others] where !numbers.isEmpty {
            let type = bundle.entries[numbers[0]].member?.type ?? .observation
            // A link may lead to a member that was looked at in another Bundle.
            let needsAll = options.isConditional && type != .device
            let members = needsAll ? bundle.ownMembers : numbers.compactMap { bundle.entries[$0].member }
            let copies = try await copies(of: members, type)
            if options.isConditional { learnNames(copies, type, &comparison) }
            for number in numbers {
                guard let member = bundle.entries[number].member, let sent = bundle.resource(number) else { continue }
                comparison.allowsMore = type == .patient
                results.append((member, finding(member, sent, copies[member.id] ?? [], comparison)))
            }
        }
        return results
    }

    private func copies(of members: [BundleMember], _ type: ResourceType) async throws -> [ResourceID: [ServerCopy]] {
        guard type == .patient else { return try await lookup.find(members.map(\.id), type) }
        let copy = try await lookup.read("Patient/\(options.patientID)", .patient)
        return Dictionary(members.map { ($0.id, copy.map { [$0] } ?? []) }) { first, _ in first }
    }

    /// Learns the server's names: any later resource may refer to a Device, but to others only those in the same
    /// Bundle.
    private func learnNames(
        _ copies: [ResourceID: [ServerCopy]],
        _ type: ResourceType,
        _ comparison: inout ResourceComparison
    ) {
        let names = Dictionary(uniqueKeysWithValues: copies.map { ("urn:uuid:\($0.uuid)", Set($1.map(\.name))) })
        let devices = deviceNames.withLock { devices in
            if type == .device { devices.merge(names) { $0.union($1) } }
            return devices
        }
        comparison.names = devices.merging(names) { $0.union($1) }
    }

    private func finding(
        _ member: BundleMember,
        _ sent: JSONValue,
        _ copies: [ServerCopy],
        _ comparison: ResourceComparison
    ) -> Finding {
        guard let first = copies.first else { return .missing }
        var comparison = comparison
        comparison.ownBase = first.base
        let differences = comparison.differences(sent, first.content)
        guard copies.count > 1 || first.isRepeated else {
            if differences.isEmpty { return .same(copyCount: 1, changed: first.lastUpdated) }
            var rounding = comparison
            rounding.allowsRounding = true
            return rounding.differences(sent, first.content).isEmpty
                ? .rounded(differences, changed: first.lastUpdated)
                : .different(differences, changed: first.lastUpdated, isInError: first.isInError)
        }
        let sameCount = copies.count { copy in
            comparison.ownBase = copy.base
            return comparison.differences(sent, copy.content).isEmpty
        }
        // A key-only server creates the Devices that a Bundle carries once for each Bundle.
        if options.isKeyOnly, member.type == .device, sameCount == copies.count {
            return .same(copyCount: sameCount, changed: first.lastUpdated)
        }
        let changes = copies.map(\.lastUpdated)
        let changed = changes.contains(nil) ? nil : changes.compactMap(\.self).max()
        let names = copies.flatMap { [String](repeating: $0.name, count: $0.isRepeated ? 2 : 1) }
        return .doubled(names.sorted(), hasSame: sameCount > 0, changed: changed)
    }

    /// Keeps the findings about versions that stand; the ledger gets them in the same order.
    private func settle(_ work: Work, _ findings: [(BundleMember, Finding)]) {
        tally.withLock { tally in
            var live: [BundleMember] = []
            var unknown: [BundleMember] = []
            var missing: [BundleMember] = []
            var other: [BundleMember] = []
            var gone: [LedgerChange] = []
            for (member, finding) in findings where tally.stands(member) {
                switch finding {
                case .same(let copyCount, let instant):
                    if copyCount > 1 { tally.noteFurtherCopies(member, copyCount - 1) }
                    live.append(member)
                    noteStanding(member, instant)
                case .rounded(let paths, let instant):
                    tally.note(.rounded, member, paths)
                    live.append(member)
                    noteStanding(member, instant)
                case .missing:
                    tally.note(.missing, member)
                    if work.delivered.contains(member.id) { missing.append(member) }
                    if work.gone.contains(member.id) { gone.append(.bury(member.id)) }
                case .different(let paths, let instant, let isInError):
                    tally.note(.different, member, paths)
                    if rebuild?.isBlind ?? false {
                        other.append(member.withoutDigest)
                        noteChange(instant)
                    } else {
                        unknown.append(member)
                        // An older export still holds what was deleted after it was made.
                        if isInError, work.gone.contains(member.id) { gone.append(.bury(member.id)) }
                    }
                case .doubled(let names, let hasSame, let instant):
                    tally.note(.doubled, member, names, copyCount: Set(names).count)
                    if hasSame {
                        live.append(member)
                        noteStanding(member, instant)
                    } else {
                        unknown.append(member)
                        if rebuild?.isBlind ?? false { noteChange(instant) }
                    }
                }
            }
            guard let rebuild, let home = work.home else { return slots.giveBack(work.slotCount) }
            let holdsDevices = work.bundle.holdsDevices
            let change = LedgerChange.settle(
                key: home.key,
                home: home,
                live: live.filter { holdsDevices || $0.type != .device },
                carried: live.filter { !holdsDevices && $0.type == .device } + other
            )
            rebuild.write([change, .forget(unknown), .miss(missing)] + gone) { [state, slots] fault in
                if let fault { state.stop(fault) }
                slots.giveBack(work.slotCount)
            }
        }
    }
}

extension TransactionBundle {
    /// The resource in an entry.
    fileprivate func resource(_ number: Int) -> JSONValue? {
        var resource: JSONValue?
        var scanner = JSONScanner(Array(body[entries[number].range]))
        try? scanner.readMember("resource") { (scanner) throws(JSONFault) in resource = try scanner.readValue() }
        return resource
    }
}
