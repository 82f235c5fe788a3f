/// Why a request is not carried out; becomes an OperationOutcome (R4, section 2.42).
///
/// `what` never holds anything from a resource: it says where the fault is, and what kind of fault.
struct Refusal: Error, Equatable {
    /// The codes of R4's `issue-type` that are used here.
    enum IssueCode: String {
        case conflict, deleted, duplicate, exception, expired, forbidden, invalid, login, required, structure, throttled
        case businessRule = "business-rule"
        case multipleMatches = "multiple-matches"
        case noStore = "no-store"
        case notFound = "not-found"
        case notSupported = "not-supported"
        case timeout
        case tooCostly = "too-costly"
        case tooLong = "too-long"
        case transient
        case value
    }

    let status: Int
    let code: IssueCode
    private(set) var what: String
    var expression: String?
    /// Whether the token lacks a scope: its bearer may ask for a wider one.
    private(set) var needsScope = false
    /// The methods that go with the URL, where this one does not.
    private(set) var allowedMethods: [String] = []

    init(_ status: Int, _ code: IssueCode, _ what: String, at expression: String? = nil) {
        self.status = status
        self.code = code
        self.what = what
        self.expression = expression
    }

    /// Names the methods that go with the URL.
    mutating func allow(_ methods: [String]) {
        allowedMethods = methods.flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] }
    }

    /// The same for an entry of a Bundle.
    func inside(entry index: Int) -> Refusal {
        let place = "Bundle.entry[\(index)]"
        var refusal = self
        refusal.expression = expression.map { "\(place).\($0)" } ?? place
        return refusal
    }

    /// `{"resourceType":"OperationOutcome",…}`.
    var outcome: String {
        var issue = "{\"severity\":\"error\",\"code\":\"\(code.rawValue)\""
        issue += ",\"diagnostics\":\(JSONEscapes.quoted(what))"
        if let expression { issue += ",\"expression\":[\(JSONEscapes.quoted(expression))]" }
        return "{\"resourceType\":\"OperationOutcome\",\"issue\":[\(issue)}]}"
    }

    var response: HTTPResponse {
        var headers: [(name: String, value: String)] = []
        if status == 503 { headers.append(("Retry-After", "1")) }
        if !allowedMethods.isEmpty { headers.append(("Allow", allowedMethods.joined(separator: ", "))) }
        return .fhir(status, Array(outcome.utf8), headers)
    }
}

extension Refusal {
    /// A request that HTTP itself rejects.
    init(_ fault: HTTPFault) {
        let code: IssueCode =
            switch fault.status {
            case 408: .timeout
            case 413, 414, 431: .tooLong
            case 503: .throttled
            case 505, 417: .notSupported
            default: .structure
            }
        self.init(fault.status, code, fault.what)
    }

    init(_ error: JSONError) {
        self.init(400, .structure, "body: \(error)")
    }

    static func unknownType() -> Refusal {
        let types = ResourceType.allCases.map(\.rawValue).joined(separator: ", ")
        return Refusal(404, .notSupported, "this resource type is not stored here (expected \(types))")
    }

    /// Nothing was begun, or all of it was taken back: the same request may be sent again.
    static let stopping = Refusal(503, .transient, "the server stops: try again")

    static func notFound() -> Refusal {
        Refusal(404, .notFound, "there is no such resource")
    }

    /// Status 403, with the challenge of RFC 6750, section 3.1.
    static func insufficientScope(_ what: String) -> Refusal {
        var refusal = Refusal(403, .forbidden, what)
        refusal.needsScope = true
        return refusal
    }

    /// Status 405, with the methods that do go with the URL (RFC 9110, section 15.5.6).
    static func methodNotAllowed(_ methods: [String]) -> Refusal {
        var refusal = Refusal(405, .notSupported, "")
        refusal.allow(methods)
        let list = refusal.allowedMethods.joined(separator: ", ")
        refusal.what =
            refusal.allowedMethods.count == 1
            ? "only \(list) goes with this URL" : "the method does not go with this URL (expected one of \(list))"
        return refusal
    }
}
