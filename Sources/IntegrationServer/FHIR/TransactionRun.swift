import GRDB

/// Carries out the entries of a transaction (R4, section 3.1.0.11.2).
///
/// Deletes come first, then conditions, creates, updates and reads. An entry that refers by a condition is stored once
/// its target is there, whatever the order.
struct TransactionRun {
    /// An entry whose resource is known.
    private struct Plan {
        let entry: BundleEntry
        var id: String?
        /// A conditional create that found its resource: nothing is stored.
        var isThere = false
        /// Its condition matched nothing before anything was stored.
        var isUnmatched = false

        var refersByCondition: Bool { !isThere && entry.refersByCondition }

        /// Those with a condition come after those without, in whatever order they were sent: what they might create
        /// again is there by then.
        var rank: Int { (refersByCondition ? 4 : 0) + (entry.method == .put ? 2 : 0) + (isUnmatched ? 1 : 0) }
    }

    private let interactions: Interactions
    private let failing: [Int: Int]
    /// The targets of the conditional references, by their texts.
    private var targets = ReferenceLinks()
    private(set) var answers: [EntryAnswer]

    init(_ interactions: Interactions, _ entries: [BundleEntry], _ failing: [Int: Int]) throws {
        self.interactions = interactions
        self.failing = failing
        answers = entries.map { _ in EntryAnswer(500) }
        // Before any condition, which is to match what is left.
        for (index, entry) in entries.enumerated() {
            guard entry.method == .delete, case .instance(let type, let id) = entry.target else { continue }
            answers[index] =
                try fault(index)
                ?? Self.locating(index) { try interactions.delete(type, id, ifMatch: entry.ifMatch) }
        }
        var plans: [Plan] = []
        for (index, entry) in entries.enumerated() {
            plans.append(try Self.locating(index) { try Self.plan(entry, interactions) })
        }
        try Self.refuseOverlaps(plans)
        try store(plans, Self.links(plans))
        for (index, plan) in plans.enumerated() where plan.entry.method == .get {
            answers[index] = try fault(index) ?? Self.locating(index) { try read(plan) }
        }
    }

    /// The fault that a test asked for in place of an entry's answer.
    private func fault(_ index: Int) -> EntryAnswer? {
        failing[index].map { EntryAnswer(.onRequest($0).inside(entry: index)) }
    }

    /// Says in which entry a fault is.
    private static func locating<Value>(_ index: Int, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let refusal as Refusal {
            throw refusal.expression?.hasPrefix("Bundle.") ?? false ? refusal : refusal.inside(entry: index)
        }
    }

    private static func plan(_ entry: BundleEntry, _ interactions: Interactions) throws -> Plan {
        switch (entry.method, entry.target) {
        case (.post, let target):
            if let items = entry.ifNoneExist, let id = try interactions.match(entry.type, items) {
                return Plan(entry: entry, id: id, isThere: true)
            }
            guard case .type = target else { return Plan(entry: entry) }
            return Plan(
                entry: entry,
                id: entry.prepared?.id ?? NewID.make(),
                isUnmatched: entry.ifNoneExist != nil
            )
        case (.put, .search(let type, let items)):
            let given = try entry.content?.givenID()
            guard let id = try interactions.match(type, items) else {
                // As in R5: a client that names a resource by a condition does not mean another one that has its id.
                if let given, let other = try interactions.table.find(type, given), other.body != nil {
                    try interactions.requireWriting(type, entry.content?.patientID(withID: given), over: other.patient)
                    throw Refusal(
                        409,
                        .conflict,
                        "the condition matches nothing, and the resource's id is another's (expected a new id, or none)"
                    )
                }
                return Plan(entry: entry, id: given ?? NewID.make(), isUnmatched: true)
            }
            guard given == nil || given == id else {
                throw Refusal(400, .invalid, "the resource's id is not the one that matches", at: "resource.id")
            }
            return Plan(entry: entry, id: id)
        case (_, .instance(_, let id)): return Plan(entry: entry, id: id)
        default: return Plan(entry: entry)
        }
    }

    /// One resource may be changed by one entry only (R4, section 3.1.0.11.2).
    private static func refuseOverlaps(_ plans: [Plan]) throws {
        var identities: Set<String> = []
        // As bytes: as text, two spellings of an accent are the same.
        var conditions: Set<[UInt8]> = []
        for (index, plan) in plans.enumerated() where plan.entry.method != .get {
            let type = plan.entry.type.rawValue
            var isNew = plan.isThere || identities.insert("\(type)/\(plan.id ?? "")").inserted
            if !plan.isThere, let items = plan.entry.condition {
                let names = items.filter { !SearchQuery.resultParameters.contains($0.name) }
                    .map { "\($0.name)=\($0.value)" }
                isNew = conditions.insert(Array("\(type)?\(names.sorted())".utf8)).inserted && isNew
            }
            guard isNew else {
                throw Refusal(400, .duplicate, "another entry changes the same resource").inside(entry: index)
            }
        }
    }

    /// The reference that each `fullUrl` now stands for.
    private static func links(_ plans: [Plan]) throws -> ReferenceLinks {
        var links = ReferenceLinks()
        var urls: Set<String> = []
        for (index, plan) in plans.enumerated() {
            guard let url = plan.entry.fullURL else { continue }
            guard urls.insert(url).inserted else {
                throw Refusal(
                    400,
                    .duplicate,
                    "another entry has the same fullUrl (expected one for each resource)",
                    at: "fullUrl"
                ).inside(entry: index)
            }
            if let id = plan.id, plan.entry.method != .delete { links[url] = "\(plan.entry.type.rawValue)/\(id)" }
        }
        return links
    }

    // MARK: Storing

    /// How long a chain of conditional references may be if its resources come in the wrong order.
    private static let chainLength = 8

    /// Creates, then updates; those that refer by a condition come last, each once its target is there.
    private mutating func store(_ plans: [Plan], _ links: ReferenceLinks) throws {
        let order = plans.indices.filter { [.post, .put].contains(plans[$0].entry.method) }
            .sorted { (plans[$0].rank, $0) < (plans[$1].rank, $1) }
        var waiting = order.filter { plans[$0].refersByCondition }
        for index in order where !plans[index].refersByCondition {
            answers[index] = try fault(index) ?? Self.locating(index) { try stored(plans[index], links) }
        }
        for _ in 0..<Self.chainLength where !waiting.isEmpty {
            // All are looked up before any is stored: what one stores must not decide what another one finds.
            var ready: [(index: Int, resource: PreparedResource?)] = []
            for index in waiting {
                let isFailing = failing[index] != nil
                let resource = isFailing ? nil : try Self.locating(index) { try linked(plans[index], links) }
                if resource != nil || isFailing { ready.append((index, resource)) }
            }
            if ready.isEmpty { break }
            for (index, resource) in ready {
                answers[index] =
                    try fault(index) ?? Self.locating(index) { try stored(plans[index], links, resource) }
            }
            let done = Set(ready.map(\.index))
            waiting.removeAll(where: done.contains)
        }
        if let index = waiting.first {
            throw Refusal(412, .notFound, "a conditional reference matches nothing", at: "resource")
                .inside(entry: index)
        }
    }

    /// `resource`: what was prepared of the entry.
    private mutating func stored(
        _ plan: Plan,
        _ links: ReferenceLinks,
        _ resource: PreparedResource? = nil
    ) throws -> EntryAnswer {
        let entry = plan.entry
        if plan.isThere { return try interactions.found(entry.type, plan.id ?? "") }
        guard let prepared = try resource ?? entry.prepared ?? linked(plan, links) else {
            throw Refusal(400, .notSupported, "the method does not go with this URL", at: "request")
        }
        // An earlier entry with another condition, or none, may have led to the same resource.
        if plan.isUnmatched, let items = entry.condition, try interactions.match(entry.type, items) != nil {
            throw Refusal(400, .duplicate, "another entry stores what the condition matches")
        }
        return try interactions.put(
            prepared,
            by: entry.method,
            ifMatch: entry.ifMatch,
            ifNoneMatch: entry.ifNoneMatch,
            mayRepeat: entry.mayRepeat
        )
    }

    /// The resource with references to other entries, and conditional references, replaced by those of resources; `nil`
    /// where a conditional one matches nothing so far.
    private mutating func linked(_ plan: Plan, _ all: ReferenceLinks) throws -> PreparedResource? {
        let entry = plan.entry
        guard let id = plan.id, let content = entry.content else { return nil }
        var links = ReferenceLinks()
        for (text, _) in content.references where links[text] == nil {
            if let target = all[text] ?? BundleEntry.absolute(text, in: entry.fullURL).flatMap({ all[$0] }) {
                links[text] = target
                continue
            }
            if text.hasPrefix("urn:uuid:") || text.hasPrefix("urn:oid:") {
                throw Refusal(
                    400,
                    .notFound,
                    "a reference names no other entry (expected the fullUrl of one in the same Bundle)",
                    at: "resource"
                )
            }
            guard let (type, items) = try Self.condition(of: text) else {
                let name = text.prefix(while: \.isLetter)
                guard name.isEmpty || !text.dropFirst(name.count).hasPrefix("?") else {
                    throw Refusal(
                        412,
                        .notSupported,
                        "a conditional reference is to a type that is not stored here",
                        at: "resource"
                    )
                }
                continue
            }
            if targets[text] == nil {
                guard targets.count < SubmittedBundle.maximumEntryCount else {
                    throw Refusal(413, .tooCostly, "the Bundle has too many conditional references: split it")
                }
                guard let match = try interactions.match(type, items) else { return nil }
                targets[text] = "\(type.rawValue)/\(match)"
            }
            links[text] = targets[text]
        }
        return PreparedResource(content, id: id, links: links)
    }

    private static func condition(of reference: String) throws(Refusal) -> (ResourceType, [QueryItem])? {
        guard let (type, query) = ResourceContent.condition(of: reference) else { return nil }
        guard let items = RequestTarget.items(query) else {
            throw Refusal(400, .value, "a conditional reference is not a query", at: "resource")
        }
        return (type, items)
    }

    private func read(_ plan: Plan) throws -> EntryAnswer {
        let entry = plan.entry
        if case .search(let type, let items) = entry.target { return try interactions.search(type, items) }
        var answer: EntryAnswer
        switch (entry.target, plan.id) {
        case (.version(let type, let id, let version), _):
            answer = try interactions.read(type, id, version: version, ifNoneMatch: entry.ifNoneMatch)
        case (_, let id?): answer = try interactions.read(entry.type, id, ifNoneMatch: entry.ifNoneMatch)
        default: return try interactions.search(entry.type, [])
        }
        answer.isRead = true
        return answer
    }
}
