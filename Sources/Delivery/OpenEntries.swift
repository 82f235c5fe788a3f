internal import FHIRR4
internal import TransactionBundling

/// The entries of an answered part that are not settled by their answers.
struct OpenEntries {
    /// Those that go again: the server was too busy for them, failed, or has them in another version.
    private(set) var again: Set<Int> = []
    /// Those that it was too busy for as long as was to be waited: this run gives them up.
    private(set) var late: Set<Int> = []
    /// What to wait for before they go again; `nil` where nothing more is to be waited for.
    private(set) var wait: Duration?
    /// Whether it was too busy or failed for one of them, so that they go again later and not at once.
    private(set) var isBusy = false

    /// All of them.
    var all: Set<Int> { late.isEmpty ? again : again.union(late) }

    /// Finds those of `part`, so long after its first post.
    init(_ part: Part, _ answers: [TransactionResponse.Entry], elapsed: Duration, _ options: DeliveryOptions) {
        let outdated = Self.outdated(part, answers, options)
        again = Self.postponed(part, answers, outdated)
        isBusy = again != outdated
        let budget = options.retryBudget
        wait = options.retryPolicy.wait(before: part.generation + 1, asked: nil, elapsed: elapsed, budget: budget)
        if isBusy, wait == nil {
            late = again.filter { answers[$0].isThrottled }
            again.subtract(late)
        }
    }

    /// Those that go again as updates, with what the server has said of them: they are there and linked to what is not,
    /// or are there in another version; and where nobody looks before a resource is created, those that may be there.
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

    /// What was to be created only where it is not there, and is there.
    private static func outdated(
        _ part: Part,
        _ answers: [TransactionResponse.Entry],
        _ options: DeliveryOptions
    ) -> Set<Int> {
        Set(present(part, answers, options))
    }

    /// The numbers of the entries that were to create what is there already.
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

    /// The entries that go again, and those they refer to by links that hold within a Bundle alone.
    ///
    /// A fault that stays is a refusal in the end; a server that is too busy is none, however long that takes.
    private static func postponed(
        _ part: Part,
        _ answers: [TransactionResponse.Entry],
        _ outdated: Set<Int>
    ) -> Set<Int> {
        let mayFail = part.generation < maximumGeneration
        let numbers = answers.indices.filter { number in
            answers[number].isThrottled || outdated.contains(number) || (mayFail && answers[number].mayPass)
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

    /// Whether the entry may be stored, whatever the server tells of it.
    var mayBeStored: Bool { mayPass && !isThrottled }

    /// The server's id, where it is one as FHIR allows it.
    var usableID: String? { id.flatMap { LogicalID.isValid($0) ? $0 : nil } }

    /// Whether the entry may be taken when it comes again.
    fileprivate var mayPass: Bool { [0, 409].contains(status) || RetryPolicy.mayPass(status) }
}

extension TransactionBundle {
    /// Whether an entry creates a resource that this Bundle is for, unless its identifier is there already.
    fileprivate func createsOwn(_ number: Int) -> Bool {
        let entry = entries[number]
        return entry.member != nil && !carries(entry) && ConditionalRequest.isCreation(body[entry.range])
    }
}
