/// Why a request is not done; becomes an OperationOutcome (R4, section 2.42).
///
/// `what` never holds anything of a resource: it says where and what kind of fault.
struct Refusal: Error, Equatable {
    /// The codes of R4's `issue-type` that are used here.
    enum IssueCode: String {
        case conflict, deleted, duplicate, exception, expired, forbidden, invalid, login, required, structure, throttled
        case businessRule = "business-rule"
        case multipleMatches = "multiple-matches"
        case notFound = "not-found"
        case notSupported = "not-supported"
        case timeout
        case tooCostly = "too-costly"
        case tooLong = "too-long"
        case value
    }

    let status: Int
    let code: IssueCode
    let what: String
    var expression: String?

    init(_ status: Int, _ code: IssueCode, _ what: String, at expression: String? = nil) {
        self.status = status
        self.code = code
        self.what = what
        self.expression = expression
    }

    /// The same, said of an entry of a Bundle.
    func inside(entry index: Int) -> Refusal {
        let place = "Bundle.entry[\(index)]"
        return Refusal(status, code, what, at: expression.map { "\(place).\($0)" } ?? place)
    }

    /// `{"resourceType":"OperationOutcome",…}`.
    var outcome: String {
        var issue = "{\"severity\":\"error\",\"code\":\"\(code.rawValue)\""
        issue += ",\"diagnostics\":\(JSONEscapes.quoted(what))"
        if let expression { issue += ",\"expression\":[\(JSONEscapes.quoted(expression))]" }
        return "{\"resourceType\":\"OperationOutcome\",\"issue\":[\(issue)}]}"
    }

    var response: HTTPResponse {
        .fhir(status, Array(outcome.utf8), status == 503 ? [("Retry-After", "1")] : [])
    }
}

extension Refusal {
    /// A request that HTTP alone can't carry.
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

    static func unknownType(_ name: String) -> Refusal {
        let types = ResourceType.allCases.map(\.rawValue).joined(separator: ", ")
        return Refusal(404, .notSupported, "this resource type is not stored here (expected \(types))")
    }

    static func notFound() -> Refusal {
        Refusal(404, .notFound, "there is no such resource")
    }
}
