/// What a delivery did, in numbers: the part of `--report FILE` that `send` and `sync` add.
public struct DeliveryReport: Sendable, Equatable {
    /// Entries that the server acknowledged in this run.
    public var delivered: UInt64 = 0
    /// Those of `delivered` of which the server had another version, as the ledger knew: changed since, or there again.
    public var replaced: UInt64 = 0
    /// Entries that were left out since the server has them already, as the ledger knows.
    public var alreadyThere: UInt64 = 0
    /// Entries that were left out since a later export was delivered before, and the server has them otherwise.
    public var outdated: UInt64 = 0
    /// Entries that the server refused; the quarantine says why.
    public var refused: UInt64 = 0
    /// The folder of the quarantine; `nil` where nothing was refused.
    public var quarantine: String?
    /// Requests that were sent again, since the answer before said nothing or "later".
    public var retried: UInt64 = 0
    /// Entries of which nobody knows whether the server has them: a Bundle without an answer.
    public var uncertain: UInt64 = 0
    /// Resources on the server that the export no longer holds; `nil` where that can't be told.
    public var deletionsOffered: UInt64?
    /// Those of them that were marked as entered in error.
    public var deletionsDone: UInt64 = 0
    /// Deletions that were not done since the resource was changed by somebody else meanwhile, or is not to be read.
    public var deletionsRefused: UInt64 = 0
    /// Those offered that are not marked, since the export has nothing of their type, or that is not known, or since somebody
    /// has amended them or given them to another patient.
    public var deletionsKept: UInt64 = 0
    /// Whether the server has answered something else than that it is in trouble; not part of the JSON.
    public var wasServed = false
    /// Bundles that came, whether sent or not.
    public var bundles: UInt64 = 0
    /// Bundles that were acknowledged, parts of one counted each.
    public var bundlesDelivered: UInt64 = 0
    /// Answers by status code, and `none` for requests without one.
    public var requests: [String: UInt64] = [:]
    /// Bytes of bodies sent, those of repeated requests too.
    public var bytesSent: UInt64 = 0
    /// From the first request of a Bundle until its outcome was known.
    public var latency = LatencyHistogram()
    /// From a request's start, behind its gate, until its answer's last byte.
    public var serverLatency = LatencyHistogram()
    /// Whether nothing was sent: then `delivered`, `bundlesDelivered` and `bytesSent` are what would be.
    public var isDryRun = false
    /// How long the run took, up to now while it goes on, in seconds.
    public var seconds = 0.0
    /// When the run began, by the system's clock, in seconds since 1970, such as 1719817200.
    public var started: Int64 = 0
    /// How long a run would take at the pace of the last one, in whole seconds, rounded up; of a dry run, where there was
    /// one.
    public var expectedSeconds: UInt64?
    /// What the export's birth date and sex were compared with; `nil` where it tells none, or they were not to be compared.
    public var ownerComparison: OwnerComparison?
    /// Where a damaged ledger was put.
    public var ledgerSetAside: String?
    /// Entries that only another run over the same export can send: what they once lost against is in no export any more.
    public var leftForAnotherRun: UInt64 = 0

    /// Nothing yet.
    public init() {}

    /// The numbers of two runs over one export, of which this was the second.
    public func after(_ first: DeliveryReport) -> DeliveryReport {
        var both = self
        both.delivered += first.delivered
        both.replaced += first.replaced
        both.alreadyThere -= min(first.delivered, alreadyThere)
        both.retried += first.retried
        both.deletionsOffered = [first.deletionsOffered, deletionsOffered].compactMap(\.self).max()
        both.deletionsDone += first.deletionsDone
        both.deletionsRefused = max(first.deletionsRefused, deletionsRefused)
        both.bundlesDelivered += first.bundlesDelivered
        both.requests.merge(first.requests, uniquingKeysWith: +)
        both.bytesSent += first.bytesSent
        both.latency.add(first.latency)
        both.serverLatency.add(first.serverLatency)
        // The second run compares with what the first has noted.
        both.ownerComparison = first.ownerComparison
        both.seconds += first.seconds
        both.started = first.started
        return both
    }
}

/// What tells that an export is the patient's it is delivered for.
public enum OwnerComparison: String, Sendable {
    /// Its birth date and sex are those of exports that were delivered before.
    case exports
    /// They contradict nothing that the server's Patient tells of them, which is something.
    case patient
    /// Nothing does: it is the first, and the server shows no Patient that tells either.
    case nothing
}
