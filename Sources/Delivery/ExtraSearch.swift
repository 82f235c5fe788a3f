internal import FHIRR4
internal import HTTPTransport
internal import Synchronization

/// What a server has of this patient, made by pghd, that the export does not hold.
struct Extras: Sendable {
    /// Why it can't be told; `nil` where it can.
    var unknown: VerificationReport.Unknown? = .partialExport
    var count = 0
    var names: [String] = []
    /// Those that are marked as entered in error.
    var withdrawn = 0
}

/// Counts the patient's resources that carry an identifier of ours, and names those that are too many.
///
///     GET Observation?identifier=SYSTEM|&patient=p1&_summary=count
///
/// A type whose count is right needs no more than that; else the list of names is read, page by page.
struct ExtraSearch {
    private static let types: [ResourceType] = [.observation, .device, .documentReference, .visionPrescription]
    /// Names and states are short; who gives fewer at once says so.
    private static let pageSize = 1000

    private let verification: Verification
    private let options: DeliveryOptions
    private let lookup: ResourceLookup

    init(_ verification: Verification) {
        self.verification = verification
        options = verification.options
        lookup = verification.lookup
    }

    /// - Throws: ``DeliveryError``, or the authorizer's error.
    func run() async throws -> Extras {
        var extras = Extras(unknown: nil)
        for type in Self.types {
            let expected = verification.tally.withLock { $0.copyCount(type) }
            guard let (total, mayBeMore) = try await lookup.countOurs(type) else {
                // A server that does not know a type of which there is none has none of it.
                if expected > 0 { extras.unknown = .server }
                continue
            }
            if total == expected, !mayBeMore { continue }
            guard total > expected || mayBeMore else {
                extras.unknown = .server
                continue
            }
            try await list(type, &extras)
        }
        return extras
    }

    private func list(_ type: ResourceType, _ extras: inout Extras) async throws {
        var path: String? = "\(lookup.searchOfOurs(type))&_elements=identifier,status&_count=\(Self.pageSize)"
        var seen: Set<String> = []
        while let next = path {
            if let stop = verification.state.stopReason { throw stop.error }
            let response = try await lookup.get(next)
            guard response.status == 200, let page = SearchPage(response.body) else {
                extras.unknown = .server
                return
            }
            let count = seen.count
            for resource in page.resources {
                guard let copy = ServerCopy(resource, type: type), seen.insert(copy.name).inserted else { continue }
                judge(copy, type, &extras)
            }
            path = page.next.flatMap { SearchPage.path(of: $0, type, below: options.server.text) }
            // A page that can't be followed, or one that brings nothing new, is no end.
            if page.next != nil, path == nil || seen.count == count { extras.unknown = .server }
            if seen.count == count { return }
        }
    }

    private func judge(_ copy: ServerCopy, _ type: ResourceType, _ extras: inout Extras) {
        guard let id = copy.ownID(system: options.identifierSystem) else { return }
        let isAtHome = options.isConditional || copy.name == "\(type.name)/\(id.text)"
        let isKnown = verification.tally.withLock { $0.contains(id) }
        if isKnown, isAtHome { return }
        if copy.content["status"]?.string == "entered-in-error" {
            extras.withdrawn += 1
        } else {
            extras.count += 1
            extras.names.append(copy.name)
        }
    }
}
