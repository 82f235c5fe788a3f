internal import FHIRR4
internal import HTTPTransport
internal import Synchronization

/// Counts the patient's resources that carry an identifier of ours, and names the extra ones.
///
///     GET Observation?identifier=SYSTEM|&patient=p1&_summary=count
///
/// If a type's count is right, that is enough; otherwise the list of names is read, page by page. A ledger that is
/// rebuilt learns each of them.
///
/// Devices are left out: one that nothing refers to any longer, such as a phone before it was renamed, stays where it
/// is, since nobody knows whether something else refers to it.
struct ExtraSearch {
    /// Names and states are short; a server that gives fewer at once says so, or refuses.
    private static let pageSizes = [1000, 100]
    /// Pages hold at least ten of the resources that the server counts: a list with more pages has no end.
    private static let minimumPageSize = 10
    private static let maximumSparePageCount = 1000
    /// A server that counts more than this in addition to the export's is not believed.
    private static let maximumExtraCount = 1_000_000

    private let verification: Verification
    private let options: DeliveryOptions
    private let lookup: ResourceLookup
    /// Whether extra resources are named: not if the export may hold only a part of what is there.
    private let names: Bool

    init(_ verification: Verification, names: Bool) {
        self.verification = verification
        self.names = names
        options = verification.options
        lookup = verification.lookup
    }

    /// - Throws: ``DeliveryError``, or the authorizer's error.
    func run() async throws -> Extras {
        var extras = Extras(unknown: nil)
        for type in ResourceType.ofSamples {
            let expected = verification.tally.withLock { $0.copyCount(type) }
            // Where the rest would be stored a second time, a server in trouble is waited for.
            let mustTell = needsAll && verification.startsFromNothing && (type == .observation || expected > 0)
            let maximumFailureCount = mustTell ? .max : ResourceLookup.maximumFailureCount
            guard let (total, mayBeMore) = try await lookup.countOurs(type, maximumFailureCount: maximumFailureCount)
            else {
                // It may have some: nobody knows.
                if type == .observation { extras.hasOurs = true }
                // A server that does not know a type of which none is expected has none.
                if expected > 0 { try noteUnknown(&extras, .server) }
                continue
            }
            extras.ownCount += expected
            if total > 0 || mayBeMore { extras.hasOurs = true }
            let most = min(max(total, expected), expected + Self.maximumExtraCount)
            let pages = Self.maximumSparePageCount + most / Self.minimumPageSize
            if total == expected, !mayBeMore {
                // A resource that moved to another patient may hide an extra one.
                let mayHide = verification.tally.withLock { $0.hasDifferent(type) }
                if mayHide, try await !readList(type, total, pages: pages, &extras) { extras.unknown = .pages }
                continue
            }
            guard total > expected || mayBeMore else {
                try noteUnknown(&extras, .count)
                continue
            }
            let count = extras.count
            try await list(type, mayBeMore ? 0 : total, pages: pages, &extras)
            extras.ownCount += extras.count - count
        }
        return extras
    }

    private func list(_ type: ResourceType, _ total: Int, pages: Int, _ extras: inout Extras) async throws {
        let isWhole = try await readList(type, total, pages: pages, &extras)
        if !isWhole { try noteUnknown(&extras, .pages) }
    }

    /// A key-only server stores a second time what a new ledger does not know.
    private var needsAll: Bool { verification.isRebuilding && options.isKeyOnly }

    private func noteUnknown(_ extras: inout Extras, _ reason: VerificationReport.Unknown) throws {
        extras.unknown = reason
        // What the former ledger knew, the new one knows too.
        if needsAll, reason == .pages || verification.startsFromNothing {
            throw DeliveryError.partialList(server: options.server.description)
        }
    }

    /// - Returns: whether the list was read to its end, and holds as many as the server says there are.
    private func readList(
        _ type: ResourceType,
        _ total: Int,
        pages: Int,
        _ extras: inout Extras
    ) async throws -> Bool {
        let kind = type == .observation ? ",category,code" : ""
        let subject = type == .visionPrescription ? "patient" : "subject"
        let elements = "identifier,status,\(subject)" + (verification.isRebuilding ? ",meta" + kind : "")
        let search = "\(lookup.searchOfOurs(type))&_elements=\(elements)&_count="
        var sizes = Self.pageSizes
        var path: String? = "\(search)\(sizes.removeFirst())"
        var seen: Set<String> = []
        var rest = pages
        var total = total
        while let next = path {
            guard rest > 0 else { return false }
            rest -= 1
            if let stop = verification.state.stopReason { throw stop }
            let response = try await lookup.get(next)
            if response.status == 400, seen.isEmpty, !sizes.isEmpty {
                path = "\(search)\(sizes.removeFirst())"
                continue
            }
            guard response.status == 200, let page = SearchPage(response.body) else { return false }
            // Totals of earlier pages may be estimates.
            total = page.total ?? total
            let count = seen.count
            var unknown: [ServerCopy] = []
            for resource in page.resources {
                guard let copy = ServerCopy(resource, type: type), seen.insert(copy.name).inserted else { continue }
                if judge(copy, type, &extras) { unknown.append(copy) }
            }
            try verification.adopt(unknown, type)
            path = page.next.flatMap { SearchPage.path(of: $0, type, below: options.server) }
            // A link that can't be followed, or a page that brings nothing new, is not an end.
            if page.next != nil, path == nil || seen.count == count { return false }
        }
        return seen.count >= total
    }

    /// - Returns: whether its id is not in the export.
    private func judge(_ copy: ServerCopy, _ type: ResourceType, _ extras: inout Extras) -> Bool {
        guard let id = copy.ownID else { return false }
        // A server that ignores the patient brings other people's.
        if let owner = copy.patientID, owner != options.patientID { return false }
        let isAtHome = options.isConditional || copy.name == "\(type.name)/\(id.text)"
        let isKnown = verification.tally.withLock { $0.contains(id) }
        if isKnown, isAtHome { return false }
        if copy.isInError {
            extras.enteredInError += 1
        } else {
            extras.count += 1
            if names { extras.names.append(copy.name) }
        }
        return !isKnown
    }
}

/// What the server has of this patient that pghd made and the export does not hold.
struct Extras: Sendable {
    /// Why that is not known; `nil` if it is.
    var unknown: VerificationReport.Unknown? = .partialExport
    var count = 0
    /// How many resources of ours the server has of this patient, in the export or not, except those marked as entered
    /// in error; 0 if it can't say.
    var ownCount = 0
    /// Whether the server has anything of ours, in the export or not, as far as that is known.
    var hasOurs = false
    var names: [String] = []
    /// How many are marked as entered in error.
    var enteredInError = 0
}
