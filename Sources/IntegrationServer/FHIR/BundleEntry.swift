/// One entry of a transaction or batch, read and checked (R4, section 3.1.0.11).
struct BundleEntry: Sendable {
    enum Target: Sendable {
        case type(ResourceType)
        case instance(ResourceType, id: String)
        case version(ResourceType, id: String, version: String)
        case search(ResourceType, [QueryItem])

        var type: ResourceType {
            switch self {
            case .type(let type), .instance(let type, _), .version(let type, _, _), .search(let type, _): type
            }
        }
    }

    enum Method: String, Sendable {
        case delete = "DELETE"
        case post = "POST"
        case put = "PUT"
        case get = "GET"
    }

    let fullURL: String?
    let method: Method
    let target: Target
    let content: ResourceContent?
    let ifNoneExist: [QueryItem]?
    let ifMatch: EntityTags?
    /// No version with such a tag may exist, with `*` none at all; a read does not want such a version.
    let ifNoneMatch: EntityTags?
    /// Whether what must be new may exist with the same bytes: a Bundle whose answer was lost is sent again.
    let mayRepeat: Bool
    /// Prepared in advance where nothing in the store decides its id or references.
    let prepared: PreparedResource?
    /// Whether a reference in its resource is a condition.
    let refersByCondition: Bool

    /// `fullURLs` are those of all entries: what refers to one of them can be prepared only once all ids are known.
    init(_ entry: JSONValue, among fullURLs: Set<String>, base: String) throws(Refusal) {
        guard let request = entry["request"], let url = request["url"]?.string else {
            throw Refusal(400, .required, "request.url is missing", at: "request.url")
        }
        guard let method = request["method"]?.string.flatMap(Method.init) else {
            throw Refusal(400, .notSupported, "the method is none of DELETE, GET, POST, PUT", at: "request.method")
        }
        // A condition that can't be read must not be ignored: the entry would be carried out without it.
        func text(_ value: JSONValue?, at place: String) throws(Refusal) -> String? {
            guard let value else { return nil }
            guard let text = value.string else { throw Refusal(400, .value, "this is not text", at: place) }
            return text
        }
        for (name, methods) in Self.conditions where request[name] != nil && !methods.contains(method) {
            let expected = methods.map(\.rawValue).joined(separator: " or ")
            throw Refusal(
                400,
                .notSupported,
                "\(name) does not go with the method (expected \(expected)): leave it out",
                at: "request.\(name)"
            )
        }
        try self.init(
            method,
            try Self.target(url),
            entry["resource"],
            ifNoneExist: try text(request["ifNoneExist"], at: "request.ifNoneExist"),
            ifMatch: try text(request["ifMatch"], at: "request.ifMatch"),
            ifNoneMatch: try text(request["ifNoneMatch"], at: "request.ifNoneMatch"),
            mayRepeat: true,
            fullURL: try text(entry["fullUrl"], at: "fullUrl"),
            among: fullURLs,
            base: base
        )
    }

    /// The methods that a condition goes with; ignoring one that doesn't fit would overwrite or duplicate something.
    ///
    /// R4 has `ifNoneMatch` for reads alone; on a `PUT` it means what the header means (RFC 9110, section 13.1.2).
    private static let conditions: [(name: String, methods: [Method])] = [
        ("ifMatch", [.put, .delete]), ("ifNoneExist", [.post]), ("ifNoneMatch", [.get, .put]),
        ("ifModifiedSince", [.get]),
    ]

    /// A change outside a Bundle is an entry too.
    init(
        _ method: Method,
        _ target: Target,
        _ resource: JSONValue?,
        ifNoneExist: String?,
        ifMatch: String?,
        ifNoneMatch: String? = nil,
        mayRepeat: Bool = false,
        fullURL: String? = nil,
        among fullURLs: Set<String> = [],
        base: String
    ) throws(Refusal) {
        self.method = method
        self.target = target
        self.fullURL = fullURL
        self.ifMatch = ifMatch.map(EntityTags.init)
        self.ifNoneMatch = ifNoneMatch.map(EntityTags.init)
        self.mayRepeat = mayRepeat
        guard method == .post || ifNoneExist == nil else {
            throw Refusal(400, .notSupported, "If-None-Exist goes with a create alone", at: "request.ifNoneExist")
        }
        if let text = ifNoneExist {
            // Some clients write the type in front of it; a value may contain a question mark too.
            let prefix = ["\(target.type.rawValue)?", "?"].first(where: text.hasPrefix)
            let query = text.dropFirst(prefix?.count ?? 0)
            guard let items = RequestTarget.items(query), !items.isEmpty else {
                throw Refusal(400, .value, "this is not a query", at: "request.ifNoneExist")
            }
            self.ifNoneExist = items
        } else {
            self.ifNoneExist = nil
        }
        content = try Self.content(resource, method, target, base: base)
        let isLinked = content?.references.contains { reference in
            reference.text.hasPrefix("urn:") || reference.text.contains("?")
                || fullURLs.contains(reference.text)
                || Self.absolute(reference.text, in: fullURL).map(fullURLs.contains) ?? false
        }
        refersByCondition = content?.references.contains { ResourceContent.condition(of: $0.text) != nil } ?? false
        prepared = try Self.prepared(content, method, target, isOpen: ifNoneExist != nil || isLinked ?? false)
    }

    /// The query that decides which resource is meant, where no id does.
    var condition: [QueryItem]? {
        if case .search(_, let items) = target { return items }
        return ifNoneExist
    }

    var type: ResourceType { target.type }

    /// What a relative reference means in an entry whose `fullUrl` ends in TYPE/ID (R4, section 2.36.4.1).
    static func absolute(_ reference: String, in fullURL: String?) -> String? {
        guard let fullURL, fullURL.hasPrefix("http"), !reference.contains(":") else { return nil }
        let root = fullURL.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
        return (root + [reference[...]]).joined(separator: "/")
    }

    /// `Observation`, `Observation/1`, `Observation/1/_history/2` or `Observation?identifier=…`, relative to the base.
    private static func target(_ url: String) throws(Refusal) -> Target {
        let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].split(separator: "/", omittingEmptySubsequences: false)
        guard let type = ResourceType(rawValue: path.first.map(String.init) ?? "") else {
            var refusal = Refusal.unknownType()
            refusal.expression = "request.url"
            throw refusal
        }
        if parts.count > 1 {
            guard path.count == 1, let items = RequestTarget.items(parts[1]) else {
                throw Refusal(400, .value, "this is not a search URL", at: "request.url")
            }
            return .search(type, items)
        }
        guard path.count > 1 else { return .type(type) }
        let isVersion = path.count == 4 && path[2] == "_history"
        guard path.count == 2 || isVersion, ResourceID.isValid(String(path[1])) else {
            throw Refusal(400, .value, "this is not the URL of a resource (expected TYPE/ID)", at: "request.url")
        }
        if isVersion { return .version(type, id: String(path[1]), version: String(path[3])) }
        return .instance(type, id: String(path[1]))
    }

    private static func content(
        _ resource: JSONValue?,
        _ method: Method,
        _ target: Target,
        base: String
    ) throws(Refusal) -> ResourceContent? {
        switch (method, target) {
        case (.get, _): return nil
        case (.delete, .instance): return nil
        case (.post, .type(let type)), (.put, .instance(let type, _)), (.put, .search(let type, _)):
            guard let resource else { throw Refusal(400, .required, "resource is missing", at: "resource") }
            do throws(Refusal) {
                return try ResourceContent(resource, expecting: type, base: base)
            } catch {
                let element = error.expression.map { $0.dropFirst(type.rawValue.count) } ?? ""
                throw Refusal(error.status, error.code, error.what, at: "resource\(element)")
            }
        default: throw Refusal(400, .notSupported, "the method does not go with this URL", at: "request")
        }
    }

    private static func prepared(
        _ content: ResourceContent?,
        _ method: Method,
        _ target: Target,
        isOpen: Bool
    ) throws(Refusal) -> PreparedResource? {
        if case .put = method, case .instance(_, let id) = target, try content?.givenID() != id {
            throw Refusal(400, .invalid, "the resource's id is not the one of the URL", at: "resource.id")
        }
        guard let content, !isOpen else { return nil }
        switch (method, target) {
        case (.put, .instance(_, let id)): return PreparedResource(content, id: id)
        case (.post, _): return PreparedResource(content, id: NewID.make())
        default: return nil
        }
    }
}

/// Ids that the server chooses: random UUIDs (RFC 9562).
enum NewID {
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        let high = (generator.next() & 0xFFFF_FFFF_FFFF_0FFF) | 0x4000
        let low = (generator.next() & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
        let digits = [high, low].map { (String(repeating: "0", count: 16) + String($0, radix: 16)).suffix(16) }
        let (first, second) = (digits[0], digits[1])
        return
            "\(first.prefix(8))-\(first.dropFirst(8).prefix(4))-\(first.suffix(4))-\(second.prefix(4))-\(second.suffix(12))"
    }
}
