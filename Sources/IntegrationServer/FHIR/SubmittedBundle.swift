import GRDB

/// A transaction or batch as a client sent it (R4, section 3.1.0.11).
struct SubmittedBundle: Sendable {
    enum Kind: String, Sendable {
        case transaction, batch
    }

    static let maximumEntryCount = 10_000

    let kind: Kind
    /// Each an entry, or why it can't be one.
    let entries: [Result<BundleEntry, Refusal>]

    /// `base` is the server's base.
    init(_ value: JSONValue, base: String) throws(Refusal) {
        guard value.isObject, value["resourceType"]?.string == "Bundle" else {
            throw Refusal(400, .structure, "this is not a Bundle (expected resourceType Bundle)")
        }
        guard let kind = value["type"]?.string.flatMap(Kind.init) else {
            throw Refusal(400, .value, "this Bundle is neither transaction nor batch", at: "Bundle.type")
        }
        guard value["entry"]?.isArray ?? true else {
            throw Refusal(400, .structure, "entry is not an array", at: "Bundle.entry")
        }
        let elements = value["entry"]?.elements ?? []
        guard elements.count <= Self.maximumEntryCount else {
            throw Refusal(413, .tooCostly, "the Bundle has more than \(Self.maximumEntryCount) entries: split it")
        }
        self.kind = kind
        let fullURLs = Set(elements.compactMap { $0["fullUrl"]?.string })
        entries = elements.enumerated().map { index, element in
            do throws(Refusal) {
                return .success(try BundleEntry(element, among: fullURLs, base: base))
            } catch {
                return .failure(error.inside(entry: index))
            }
        }
    }

    /// Whether nothing is stored, whatever becomes of the entries.
    var isReading: Bool { entries.indices.allSatisfy(isReading) }

    /// Whether what is answered may depend on resources that the entries themselves do not name as the bearer's: those
    /// that are read, or meet a condition.
    var answersOfOthers: Bool {
        entries.contains { entry in
            guard case .success(let entry) = entry else { return false }
            return entry.method == .get || entry.condition != nil || entry.refersByCondition
        }
    }

    /// Whether an entry reads, or can't be carried out at all.
    func isReading(_ index: Int) -> Bool {
        if case .success(let entry) = entries[index] { entry.method == .get } else { true }
    }

    /// Carries out the entries of a transaction: all or none.
    ///
    /// Those in `failing` are not carried out and answer that status instead: faults on request.
    func carryOut(_ interactions: Interactions, failing: [Int: Int]) throws -> [EntryAnswer] {
        try TransactionRun(interactions, entries.map { try $0.get() }, failing).answers
    }

    /// Carries out entries of a batch, each by itself: from `start` on, at least one, as long as they all read or all
    /// write and `isOver` is false.
    func batchAnswers(
        from start: Int,
        _ interactions: Interactions,
        failing: [Int: Int],
        until isOver: () -> Bool
    ) throws -> [EntryAnswer] {
        var answers: [EntryAnswer] = []
        for index in start..<entries.count where isReading(index) == isReading(start) {
            guard index == start + answers.count, answers.isEmpty || !isOver() else { break }
            answers.append(try batchAnswer(index, interactions, failing[index]))
        }
        return answers
    }

    /// Checks whether the bearer may ask for every entry, without carrying out any.
    ///
    /// - Throws: status 403 with the entry that it may not ask for.
    func authorize(_ interactions: Interactions) throws(Refusal) {
        for (index, entry) in entries.enumerated() {
            guard case .success(let entry) = entry else { continue }
            do throws(Refusal) {
                try interactions.authorize(entry)
            } catch {
                throw error.inside(entry: index)
            }
        }
    }

    private func batchAnswer(_ index: Int, _ interactions: Interactions, _ failure: Int?) throws -> EntryAnswer {
        if let failure { return EntryAnswer(.onRequest(failure).inside(entry: index)) }
        var answer: EntryAnswer?
        do {
            let entry = try entries[index].get()
            if isReading(index) { return try TransactionRun(interactions, [entry], [:]).answers[0] }
            try interactions.table.database.inSavepoint {
                answer = try TransactionRun(interactions, [entry], [:]).answers[0]
                return .commit
            }
        } catch var refusal as Refusal {
            // It was carried out as a Bundle of one.
            refusal.expression = refusal.expression?.replacing("Bundle.entry[0]", with: "Bundle.entry[\(index)]")
            answer = EntryAnswer(refusal)
        }
        return answer ?? EntryAnswer(500)
    }

    /// The Bundle that answers this one.
    static func response(
        _ kind: Kind,
        _ answers: [EntryAnswer],
        base: String,
        returning preference: ReturnPreference
    ) -> [UInt8] {
        var bytes = Array("{\"resourceType\":\"Bundle\",\"type\":\"\(kind.rawValue)-response\"".utf8)
        var separator = ",\"entry\":["
        for answer in answers {
            bytes += Array(separator.utf8)
            // What was read is the answer itself; what was written comes back only on request.
            let isRead = answer.version == nil || answer.isRead
            bytes += answer.entry(base: base, returning: isRead ? .representation : preference)
            separator = ","
        }
        if separator == "," { bytes.append(UInt8(ascii: "]")) }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }
}

extension Refusal {
    /// A fault that a test asked for.
    static func onRequest(_ status: Int) -> Refusal {
        Refusal(status, status == 429 ? .throttled : .exception, "a fault on request (--test)")
    }
}
