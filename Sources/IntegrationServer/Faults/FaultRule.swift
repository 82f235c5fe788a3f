/// Something that goes wrong because a test asked for it.
///
/// `{"method":"POST","path":"/fhir","requests":[2],"status":503,"headers":{"Retry-After":"1"},
/// "delayMilliseconds":500,"cut":"afterCommit","failEntry":3}`
struct FaultRule: Sendable {
    enum Cut: String, Sendable {
        /// The connection ends before anything is done.
        case beforeCommit
        /// Everything is done and durable, but the answer never comes.
        case afterCommit
    }

    /// `nil` for any method.
    let method: String?
    /// The exact path; if it ends in `*`, what a path begins with.
    let path: String
    /// Which of the matching requests, counted from 1; `nil` for every one.
    let requests: Set<Int>?
    /// Answered instead of doing anything; with ``failEntry``, the status of that entry.
    let status: Int?
    let headers: [(name: String, value: String)]
    let delayMilliseconds: Int
    let cut: Cut?
    /// The entry of a Bundle, counted from 0, that fails while the others are carried out, inside a 200.
    let failEntry: Int?

    /// - Throws: status 400, naming the member that can't be used.
    init(_ value: JSONValue, index: Int) throws(Refusal) {
        let place = "rules[\(index)]"
        func bad(_ name: String, _ expected: String) -> Refusal {
            Refusal(400, .value, "\(name) can't be used (expected \(expected))", at: "\(place).\(name)")
        }
        let known = [
            "method", "path", "requests", "status", "headers", "delayMilliseconds", "cut", "failEntry",
        ]
        if let other = value.members.first(where: { !known.contains($0.name) }) {
            throw bad(other.name, known.joined(separator: ", "))
        }
        method = value["method"]?.string
        if value["method"] != nil, method == nil { throw bad("method", "a name such as POST") }
        guard let path = value["path"]?.string, path.hasPrefix("/") else { throw bad("path", "a path such as /fhir") }
        self.path = path
        if let requests = value["requests"] {
            let numbers = requests.oneOrMany.compactMap(\.integer)
            guard !numbers.isEmpty, numbers.count == requests.oneOrMany.count, numbers.allSatisfy({ $0 > 0 }) else {
                throw bad("requests", "numbers from 1")
            }
            self.requests = Set(numbers)
        } else {
            requests = nil
        }
        status = value["status"]?.integer
        if value["status"] != nil, !(400...599).contains(status ?? 0) { throw bad("status", "400 to 599") }
        if value["headers"]?.isObject == false { throw bad("headers", "names and texts") }
        var headers: [(name: String, value: String)] = []
        for member in value["headers"]?.members ?? [] {
            guard let text = member.value.string, (member.name + text).utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }),
                !member.name.contains(where: { $0 == ":" || $0 == " " })
            else { throw bad("headers", "names and texts") }
            headers.append((member.name, text))
        }
        self.headers = headers
        delayMilliseconds = value["delayMilliseconds"]?.integer ?? 0
        if let delay = value["delayMilliseconds"], !(0...600_000).contains(delay.integer ?? -1) {
            throw bad("delayMilliseconds", "0 to 600,000")
        }
        cut = value["cut"]?.string.flatMap(Cut.init)
        if value["cut"] != nil, cut == nil { throw bad("cut", "beforeCommit or afterCommit") }
        failEntry = value["failEntry"]?.integer
        if value["failEntry"] != nil, failEntry ?? -1 < 0 { throw bad("failEntry", "an entry's number from 0") }
    }

    func matches(_ request: HTTPRequest) -> Bool {
        guard method == nil || method == request.method else { return false }
        if path.hasSuffix("*") { return request.target.path.hasPrefix(path.dropLast()) }
        return request.target.path == path || request.target.path == "\(path)/"
    }
}
