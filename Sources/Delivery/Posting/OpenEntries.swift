internal import FHIRR4
internal import HTTPTransport
internal import TransactionBundling

/// The entries of an answered part that their answers do not settle.
struct OpenEntries {
    /// Those that are sent again: the server was too busy for them, failed at them, or has them in another version.
    private(set) var again: Set<Int> = []
    /// Those that the server was too busy for until the time for retries was over: this run gives them up.
    private(set) var late: Set<Int> = []
    /// How long to wait before they are sent again; `nil` where no time for retries is left.
    private(set) var wait: Duration?
    /// Whether the server was too busy for one of them or failed at it, so that they are sent again later, not at once.
    private(set) var isBusy = false

    /// All of them.
    var all: Set<Int> { late.isEmpty ? again : again.union(late) }

    /// Finds those of `part`, when `elapsed` has passed since its first post.
    init(_ part: Part, _ answers: [TransactionResponse.Entry], elapsed: Duration, _ options: DeliveryOptions) {
        let present = Set(Self.present(part, answers, options))
        again = Self.postponed(part, answers, present)
        isBusy = again != present
        let budget = options.retryBudget
        wait = options.retryPolicy.wait(before: part.generation + 1, asked: nil, elapsed: elapsed, budget: budget)
        if isBusy, wait == nil {
            late = again.filter { answers[$0].isThrottled }
            again.subtract(late)
        }
    }

    /// Those that are sent again as updates, with the server's answers: they are on the server and linked to something
    /// that is not, or are there in another version.
    ///
    /// For a key-only server, which does not check before it creates a resource, also those that may be there.
    func stored(
        of part: Part,
        _ answers: [TransactionResponse.Entry],
        _ options: DeliveryOptions
    ) -> [ResourceID: TransactionResponse.Entry] {
        var stored: [ResourceID: TransactionResponse.Entry] = [:]
        for number in again where !part.isCompanion(number) {
            let (entry, answer) = (part.bundle.entries[number], answers[number])
            let mayBeThere = answer.mayBeStored && options.isKeyOnly
            let isThere = answer.isTaken || mayBeThere
            if isThere, !part.bundle.carries(entry), let id = entry.member?.id { stored[id] = answer }
        }
        return stored
    }

    /// The numbers of the entries that were to create a resource that is there already.
    static func present(
        _ part: Part,
        _ answers: [TransactionResponse.Entry],
        _ options: DeliveryOptions
    ) -> [Int] {
        guard !options.isKeyOnly, part.bundle.isConditional else { return [] }
        return answers.indices.filter { number in
            answers[number].status == 200 && part.bundle.createsOwn(number) && !part.isCompanion(number)
        }
    }

    /// The entries that are sent again, with those that they are linked to by links that are valid only within a
    /// Bundle.
    ///
    /// A fault that persists counts as a refusal in the end; a server that is too busy never does, however long that
    /// lasts.
    private static func postponed(
        _ part: Part,
        _ answers: [TransactionResponse.Entry],
        _ present: Set<Int>
    ) -> Set<Int> {
        let mayFail = part.generation < maximumGeneration
        let numbers = answers.indices.filter { number in
            answers[number].isThrottled || present.contains(number) || (mayFail && answers[number].mayPass)
        }
        guard !numbers.isEmpty, part.bundle.isConditional else { return Set(numbers) }
        return Set(BundleLinks(part.bundle).wholeUnits(Set(numbers)) + numbers)
    }

    private static let maximumGeneration = 8
}

extension TransactionResponse.Entry {
    /// Whether the server has taken the entry, or had it.
    var isTaken: Bool { (200..<300).contains(status) }

    /// Whether the server was too busy for this entry.
    var isThrottled: Bool { RetryPolicy.isThrottled(status) }

    /// Whether the entry may be stored, although the server reports a fault.
    var mayBeStored: Bool { mayPass && !isThrottled }

    /// The server's id, where it is valid in FHIR.
    var usableID: String? { id.flatMap { LogicalID.isValid($0) ? $0 : nil } }

    /// Whether the entry may be taken when it is sent again.
    fileprivate var mayPass: Bool { [0, 409].contains(status) || HTTPStatus.mayPass(status) }
}

extension TransactionBundle {
    /// Whether an entry creates one of this Bundle's own resources only if its identifier is not there already.
    fileprivate func createsOwn(_ number: Int) -> Bool {
        let entry = entries[number]
        return entry.member != nil && !carries(entry) && ConditionalRequest.isCreation(body[entry.range])
    }
}
