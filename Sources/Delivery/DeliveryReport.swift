/// What a delivery did, in numbers: the part of `--report FILE` that `send` and `sync` add.
public struct DeliveryReport: Sendable, Equatable {
    /// Entries that the server acknowledged in this run.
    public var delivered: UInt64 = 0
    /// Entries of `delivered` that, by the ledger, the server had in another version: changed, or back after a
    /// deletion.
    public var replaced: UInt64 = 0
    /// Entries left out because, by the ledger, the server has them already.
    public var alreadyThere: UInt64 = 0
    /// Entries left out because a later export was delivered before, and the server has another version of them.
    public var outdated: UInt64 = 0
    /// Entries that the server refused; the quarantine says why.
    public var refused: UInt64 = 0
    /// The folder of the quarantine; `nil` if nothing was refused.
    public var quarantine: String?
    /// Requests that were sent again because the answer before said nothing, or "later".
    public var retried: UInt64 = 0
    /// Entries of which nobody knows whether the server has them, as after a Bundle without an answer.
    public var uncertain: UInt64 = 0
    /// Resources on the server that the export no longer holds; `nil` if that can't be known.
    public var deletionsOffered: UInt64?
    /// Resources among them that were marked as entered in error.
    public var deletionsDone: UInt64 = 0
    /// Deletions not done because somebody else changed the resource in the meantime, or it may not be read.
    public var deletionsRefused: UInt64 = 0
    /// Offered resources that are left unmarked: the export has nothing of their type, the type is unknown, or somebody
    /// has amended them or given them to another patient.
    public var deletionsKept: UInt64 = 0
    /// Whether the server has answered anything other than that it is in trouble; not part of the JSON.
    public var wasServed = false
    /// Bundles handed in, whether sent or not.
    public var bundles: UInt64 = 0
    /// Bundles that were acknowledged; each part of one counts.
    public var bundlesDelivered: UInt64 = 0
    /// Answers by status code, and `none` for requests without an answer.
    public var requests: [String: UInt64] = [:]
    /// Bytes of bodies sent, including those of repeated requests.
    public var bytesSent: UInt64 = 0
    /// Times from the first request of a Bundle until its outcome was known.
    public var latency = LatencyHistogram()
    /// Times from the start of a request, once past its gate, until the last byte of its answer.
    public var serverLatency = LatencyHistogram()
    /// Whether this was a dry run: `delivered`, `bundlesDelivered` and `bytesSent` are then what would be sent.
    public var isDryRun = false
    /// How long the run took, or has taken so far, in seconds.
    public var seconds = 0.0
    /// When the run began, by the system's clock, in seconds since 1970, such as 1719817200.
    public var started: Int64 = 0
    /// How long a run would take at the pace of the last one, in whole seconds, rounded up; only for a dry run, if
    /// there was a run before it.
    public var expectedSeconds: UInt64?
    /// What the export's birth date and sex were compared with; `nil` if it has neither, or they were not to be
    /// compared.
    public var ownerComparison: OwnerComparison?
    /// Where a damaged ledger was put; `nil` if there was none.
    public var ledgerSetAside: String?
    /// Entries that only another run over the same export can send: the version they once lost to is no longer in it.
    public var leftForAnotherRun: UInt64 = 0

    /// Nothing yet.
    public init() {}

    /// The numbers of two runs over one export: `first`, then this one.
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
        both.ledgerSetAside = ledgerSetAside ?? first.ledgerSetAside
        both.seconds += first.seconds
        both.started = first.started
        return both
    }
}

/// What shows that an export belongs to the patient it is delivered for.
public enum OwnerComparison: String, Sendable {
    /// Its birth date and sex are those of exports delivered before.
    case exports
    /// They contradict nothing that the server's Patient says about them, and it says something.
    case patient
    /// Nothing does: it is the first export, and the server shows no Patient that says either.
    case nothing
}
