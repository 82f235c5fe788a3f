internal import FHIRR4

/// What a server says about each entry of a transaction.
///
/// Source: <https://hl7.org/fhir/R4/http.html#transaction-response>.
struct TransactionResponse: Equatable {
    /// One entry's outcome.
    struct Entry: Equatable {
        /// The HTTP status at the beginning of `response.status`; 0 where there is none.
        var status: Int
        /// The id in `response.location`, such as `h0a…` in `Observation/h0a…/_history/1`; `nil` where there is none.
        var id: String?
        /// The type before the id in `response.location`.
        var type: ResourceType?
        /// The issues that the server reports.
        var issues: [OutcomeIssue] = []
    }

    /// The entries' outcomes, in the order of the request.
    let entries: [Entry]
    /// Whether the server ran it as a batch: each entry by itself, so that links within the Bundle lead nowhere.
    let isBatch: Bool

    /// An answer with these values.
    init(entries: [Entry], isBatch: Bool) {
        self.entries = entries
        self.isBatch = isBatch
    }

    /// Reads a `Bundle` of type `transaction-response`, or `batch-response`; `nil` for anything else.
    ///
    /// A server may run a transaction as a batch.
    ///
    /// - Parameters:
    ///   - body: the answer's body.
    ///   - entryCount: how many entries were sent; of an answer with more, only one more is kept.
    init?(_ body: [UInt8], to entryCount: Int) {
        var kind: String?
        var type: String?
        var entries: [Entry] = []
        do throws(JSONFault) {
            var scanner = JSONScanner(body)
            try scanner.readMembers { (name, scanner) throws(JSONFault) in
                switch name {
                case "resourceType": kind = try scanner.readScalar()
                case "type": type = try scanner.readScalar()
                case "entry":
                    try scanner.readList { (scanner) throws(JSONFault) in
                        let entry = try Self.readEntry(&scanner)
                        if entries.count <= entryCount { entries.append(entry) }
                    }
                default: try scanner.skipValue()
                }
            }
            // An incomplete answer does not count.
            guard scanner.isAtEnd() else { return nil }
        } catch {
            return nil
        }
        guard kind == "Bundle", type == "transaction-response" || type == "batch-response" else { return nil }
        self.entries = entries
        isBatch = type == "batch-response"
    }

    private static func readEntry(_ scanner: inout JSONScanner) throws(JSONFault) -> Entry {
        var entry = Entry(status: 0)
        try scanner.readMember("response") { (scanner) throws(JSONFault) in
            try scanner.readMembers { (name, scanner) throws(JSONFault) in
                switch name {
                case "status":
                    let text = try scanner.readScalar()?.utf8.drop { $0 == 0x20 }
                    let digits = text?.prefix { (0x30...0x39).contains($0) }
                    entry.status = digits?.count == 3 ? digits.flatMap { Int(Substring($0)) } ?? 0 : 0
                case "location":
                    if let (type, id) = try scanner.readScalar().flatMap(Self.name) {
                        entry.type = type
                        entry.id = id
                    }
                case "outcome":
                    // An entry's outcome may be malformed; the other entries still count.
                    var outcome = scanner
                    try scanner.skipValue()
                    entry.issues = (try? OutcomeIssue.read(&outcome)) ?? []
                default: try scanner.skipValue()
                }
            }
        }
        return entry
    }

    /// The type and id in a location, which may be relative or absolute, with or without a version.
    private static func name(in location: String) -> (ResourceType, String)? {
        let path = location.prefix { $0 != "?" && $0 != "#" }
        let steps = path.split(separator: "/", omittingEmptySubsequences: true)
        let place = steps.lastIndex(of: "_history") ?? steps.endIndex
        guard place >= 2, let type = ResourceType.allCases.first(where: { $0.name == steps[place - 2] }) else {
            return nil
        }
        return (type, String(steps[place - 1]))
    }
}

/// One issue of an `OperationOutcome`, without what may quote the data: diagnostics, details and narrative.
struct OutcomeIssue: Sendable, Equatable {
    var severity = ""
    var code = ""
    var expression: [String] = []

    /// How many issues of an entry, and how many expressions of an issue, are kept.
    private static let maximumCount = 20

    /// The issues in an answer's body, twenty at most, of which errors displace others; none where it is not an
    /// `OperationOutcome`.
    static func read(_ body: [UInt8]) -> [OutcomeIssue] {
        var scanner = JSONScanner(body)
        do throws(JSONFault) { return try read(&scanner) } catch { return [] }
    }

    static func read(_ scanner: inout JSONScanner) throws(JSONFault) -> [OutcomeIssue] {
        var issues: [OutcomeIssue] = []
        try scanner.readMember("issue") { (scanner) throws(JSONFault) in
            try scanner.readList { (scanner) throws(JSONFault) in
                var issue = OutcomeIssue()
                try scanner.readMembers { (name, scanner) throws(JSONFault) in
                    switch name {
                    case "severity": issue.severity = Self.code(try scanner.readScalar(), of: Self.severities)
                    case "code": issue.code = Self.code(try scanner.readScalar(), of: Self.codes)
                    case "expression", "location":
                        guard scanner.nextByte() == UInt8(ascii: "[") else {
                            try scanner.skipValue()
                            return
                        }
                        try scanner.readList { (scanner) throws(JSONFault) in
                            let path = Self.path(try scanner.readScalar())
                            if let path, issue.expression.count < maximumCount { issue.expression.append(path) }
                        }
                    default: try scanner.skipValue()
                    }
                }
                if issues.count < maximumCount {
                    issues.append(issue)
                } else if issue.isGrave, let place = issues.lastIndex(where: { !$0.isGrave }) {
                    // Many validators report all warnings before the errors.
                    issues[place] = issue
                }
            }
        }
        return issues
    }

    /// Whether it is more than a warning.
    var isGrave: Bool { severity == "error" || severity == "fatal" }

    /// A code of FHIR, such as `invalid`; anything else may quote health data and becomes empty.
    private static func code(_ text: String?, of known: Set<String>) -> String {
        guard let text, known.contains(text) else { return "" }
        return text
    }

    /// Source: <https://hl7.org/fhir/R4/valueset-issue-severity.html>.
    private static let severities: Set = ["fatal", "error", "warning", "information"]

    /// Source: <https://hl7.org/fhir/R4/valueset-issue-type.html>.
    private static let codes: Set = [
        "invalid", "structure", "required", "value", "invariant", "security", "login", "unknown", "expired",
        "forbidden", "suppressed", "processing", "not-supported", "duplicate", "multiple-matches", "not-found",
        "deleted", "too-long", "code-invalid", "extension", "too-costly", "business-rule", "conflict", "transient",
        "lock-error", "no-store", "exception", "timeout", "incomplete", "throttled", "informational",
    ]

    /// A path such as `Bundle.entry[3].resource.value`; `nil` for anything else, which may quote a value.
    private static func path(_ text: String?) -> String? {
        guard let text, text.utf8.count <= 200, ElementPath.isPath(text) else { return nil }
        return text
    }
}
