import GRDB

/// Carries out the entries of a transaction: who is meant first, then delete, create, update and read, in this order.
struct TransactionRun {
    /// An entry whose resource is known.
    private struct Plan {
        let entry: BundleEntry
        var id: String?
        /// A conditional create that found its resource: nothing is done.
        var isThere = false
    }

    private let interactions: Interactions
    private let failing: [Int: Int]
    private(set) var answers: [EntryAnswer]

    init(_ interactions: Interactions, _ entries: [BundleEntry], _ failing: [Int: Int]) throws {
        self.interactions = interactions
        self.failing = failing
        answers = entries.map { _ in EntryAnswer(500) }
        var plans: [Plan] = []
        for (index, entry) in entries.enumerated() {
            plans.append(try Self.locating(index) { try Self.plan(entry, interactions) })
        }
        try Self.refuseOverlaps(plans)
        let links = Self.links(plans)
        for method in [BundleEntry.Method.delete, .post, .put, .get] {
            for (index, plan) in plans.enumerated() where plan.entry.method == method {
                if let status = failing[index] {
                    answers[index] = EntryAnswer(.onRequest(status).inside(entry: index))
                } else {
                    answers[index] = try Self.locating(index) { try answer(plan, links) }
                }
            }
        }
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
            return Plan(entry: entry, id: entry.prepared?.id ?? NewID.make())
        case (.put, .search(let type, let items)):
            let given = try entry.content?.givenID()
            guard let id = try interactions.match(type, items) else {
                return Plan(entry: entry, id: given ?? NewID.make())
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
        var conditions: Set<String> = []
        for (index, plan) in plans.enumerated() where plan.entry.method != .get {
            let type = plan.entry.type.rawValue
            var isNew = plan.isThere || identities.insert("\(type)/\(plan.id ?? "")").inserted
            if let items = plan.entry.ifNoneExist {
                isNew = conditions.insert("\(type)?\(items.map { "\($0.name)=\($0.value)" })").inserted && isNew
            }
            if case .search(_, let items) = plan.entry.target {
                isNew = conditions.insert("\(type)?\(items.map { "\($0.name)=\($0.value)" })").inserted && isNew
            }
            guard isNew else {
                throw Refusal(400, .duplicate, "another entry changes the same resource").inside(entry: index)
            }
        }
    }

    /// What each `fullUrl` is called now.
    private static func links(_ plans: [Plan]) -> [String: String] {
        var links: [String: String] = [:]
        for plan in plans {
            guard let url = plan.entry.fullURL, let id = plan.id else { continue }
            links[url] = "\(plan.entry.type.rawValue)/\(id)"
        }
        return links
    }

    private func answer(_ plan: Plan, _ links: [String: String]) throws -> EntryAnswer {
        let entry = plan.entry
        switch entry.method {
        case .delete: return try interactions.delete(entry.type, plan.id ?? "", ifMatch: entry.ifMatch)
        case .get:
            if case .search(let type, let items) = entry.target { return try interactions.search(type, items) }
            guard let id = plan.id else { return try interactions.search(entry.type, []) }
            var answer = try interactions.read(entry.type, id)
            answer.isRead = true
            return answer
        case .post where plan.isThere:
            return try interactions.found(entry.type, plan.id ?? "")
        case .post, .put:
            guard let id = plan.id, let content = entry.content else {
                throw Refusal(400, .notSupported, "the method does not go with this URL", at: "request")
            }
            let prepared = try entry.prepared ?? linked(content, id, links)
            return try interactions.put(prepared, by: entry.method, ifMatch: entry.ifMatch, isNew: entry.isNew)
        }
    }

    /// A resource whose references to other entries, and conditional references, name resources.
    private func linked(_ content: ResourceContent, _ id: String, _ links: [String: String]) throws -> PreparedResource
    {
        var links = links
        for (text, _) in content.references where links[text] == nil {
            if text.hasPrefix("urn:uuid:") || text.hasPrefix("urn:oid:") {
                throw Refusal(
                    400,
                    .notFound,
                    "a reference names no entry of this Bundle (expected a fullUrl)",
                    at: "resource"
                )
            }
            guard let mark = text.firstIndex(of: "?"), let type = ResourceType(rawValue: String(text[..<mark])) else {
                continue
            }
            guard let items = RequestTarget.items(text[mark...].dropFirst()),
                let match = try interactions.match(type, items)
            else { throw Refusal(412, .notFound, "a conditional reference matches nothing", at: "resource") }
            links[text] = "\(type.rawValue)/\(match)"
        }
        return PreparedResource(content, id: id, links: links)
    }
}
