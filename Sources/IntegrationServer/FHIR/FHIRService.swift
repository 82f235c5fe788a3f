import GRDB

/// The FHIR base: routes a request to its interaction (R4, section 3.1.0).
struct FHIRService: Sendable {
    let store: ServerStore
    /// `http://127.0.0.1:8080/fhir`.
    let base: String
    let clock: ServerClock
    let issuer: Issuer
    let answers: AnswerLimits

    /// Answers a request whose path, below the base, is `path`.
    func answer(_ request: HTTPRequest, path: ArraySlice<String>, faults: TransactionFaults) async throws
        -> HTTPResponse
    {
        if path == [".well-known", "smart-configuration"] {
            try request.require("GET")
            return .json(200, issuer.metadata.smartConfiguration)
        }
        // A search's form may name another format.
        let isSearch = path.count == 2 && path.last == "_search"
        if !isSearch { try AnswerFormat.require(accept: request.headers["accept"], request.target.query) }
        if path == ["metadata"] {
            try request.require("GET")
            return .fhir(200, Array(CapabilityStatement.text(base: base, issuer: issuer.metadata).utf8))
        }
        let grant = try await issuer.grant(for: request)
        guard let name = path.first else { return try await bundle(request, grant, faults) }
        guard let type = ResourceType(rawValue: name) else { throw Refusal.unknownType() }
        if path.count == 1 { return try await collection(type, request, grant) }
        if isSearch { return try await formSearch(type, request, grant) }
        guard let id = path.dropFirst().first, ResourceID.isValid(id) else {
            throw Refusal(404, .notFound, "there is no such resource (expected TYPE/ID)")
        }
        if path.count == 4, path.dropFirst(2).first == "_history" {
            try request.require("GET")
            return try await read(type, id, version: path.last, request, grant)
        }
        guard path.count == 2 else { throw Refusal.notFound() }
        try request.require("GET", "PUT", "DELETE")
        switch request.method {
        case "GET": return try await read(type, id, version: nil, request, grant)
        case "PUT":
            try Self.refuseParameters(of: request, "a PUT to an id")
            return try await update(type, .instance(type, id: id), request, grant)
        default:
            try Self.refuseParameters(of: request, "a DELETE")
            try Self.refuseConditions(of: request, but: ["if-match"])
            let answer = try await write(grant, answers.hold()) { interactions in
                try interactions.delete(type, id, ifMatch: request.headers["if-match"].map(EntityTags.init))
            }
            return answer.response(base: base, returning: .minimal)
        }
    }

    /// Reads a request's body as JSON.
    static func json(_ request: HTTPRequest) throws(Refusal) -> JSONValue {
        guard let type = request.mediaType, ["application/fhir+json", "application/json"].contains(type) else {
            throw Refusal(415, .notSupported, "the body is not JSON (expected Content-Type: application/fhir+json)")
        }
        guard MediaRange(request.headers["content-type"] ?? "").isR4 else {
            throw Refusal(
                415,
                .notSupported,
                "the body is of another version of FHIR (expected fhirVersion=4.0, or none)"
            )
        }
        try requirePlain(request)
        do throws(JSONError) {
            return try JSONReader.read(request.body)
        } catch {
            throw Refusal(error)
        }
    }

    private static func requirePlain(_ request: HTTPRequest) throws(Refusal) {
        guard request.headers["content-encoding"] ?? "identity" == "identity" else {
            throw Refusal(415, .notSupported, "the body is compressed (expected none): send it plain")
        }
    }

    /// Refuses conditions that the method does not go with: the change would be made without them.
    static func refuseConditions(of request: HTTPRequest, but known: Set<String>) throws(Refusal) {
        let names = [
            ("if-match", "If-Match"), ("if-none-match", "If-None-Match"), ("if-none-exist", "If-None-Exist"),
            ("if-unmodified-since", "If-Unmodified-Since"),
        ]
        for (name, shown) in names where request.headers[name] != nil && !known.contains(name) {
            throw Refusal(400, .notSupported, "\(shown) does not go with this request: leave it out")
        }
    }

    /// Refuses a condition in the URL of a change that takes none: without it something else would be changed, or stored
    /// twice.
    static func refuseParameters(of request: HTTPRequest, _ what: String, _ hint: String = "") throws(Refusal) {
        let known = ["_format", "_pretty", "_summary", "_elements"]
        let name = request.target.query.map(\.name).first { !known.contains($0) }
        if let name { throw Refusal(400, .notSupported, "\(what) takes no '\(name)'\(hint)") }
    }

    // MARK: Interactions

    /// Answers a request for all resources of a type.
    private func collection(
        _ type: ResourceType,
        _ request: HTTPRequest,
        _ grant: AccessGrant
    ) async throws -> HTTPResponse {
        let query = request.target.query
        try request.require("GET", "POST", "PUT")
        switch request.method {
        case "GET": return try await search(type, query, request, grant)
        case "POST":
            try Self.refuseParameters(of: request, "a create", " (expected If-None-Exist for a condition)")
            return try await create(type, request, grant)
        default: return try await update(type, .search(type, query), request, grant)
        }
    }

    /// Answers a search whose parameters are in the body, in the URL, or in both.
    private func formSearch(
        _ type: ResourceType,
        _ request: HTTPRequest,
        _ grant: AccessGrant
    ) async throws -> HTTPResponse {
        try request.require("POST")
        let isEmpty = request.body.isEmpty && request.mediaType == nil
        guard isEmpty || request.mediaType == "application/x-www-form-urlencoded" else {
            throw Refusal(415, .notSupported, "a search's body is a form")
        }
        try Self.requirePlain(request)
        guard let items = String(validating: request.body, as: UTF8.self).flatMap({ RequestTarget.items($0) }) else {
            throw Refusal(
                400,
                .structure,
                "the body is not a form (expected NAME=VALUE, \(RequestTarget.maximumItemCount) of them at most)"
            )
        }
        let all = request.target.query + items
        try AnswerFormat.require(accept: request.headers["accept"], all)
        return try await search(type, all, request, grant)
    }

    private func read(
        _ type: ResourceType,
        _ id: String,
        version: String?,
        _ request: HTTPRequest,
        _ grant: AccessGrant
    ) async throws -> HTTPResponse {
        let ifNoneMatch = request.headers["if-none-match"].map(EntityTags.init)
        let held = answers.hold()
        let answer = try await reading(grant, held) {
            try $0.read(type, id, version: version, ifNoneMatch: ifNoneMatch)
        }
        var response = answer.response(base: base, returning: .representation)
        response.headers.removeAll { $0.name == "Location" }
        response.held = held
        return response
    }

    private func search(
        _ type: ResourceType,
        _ items: [QueryItem],
        _ request: HTTPRequest,
        _ grant: AccessGrant
    ) async throws -> HTTPResponse {
        let held = answers.hold()
        var response = try await reading(grant, held, isStrict: request.isStrict) { try $0.search(type, items) }
            .response(base: base, returning: .representation)
        response.held = held
        return response
    }

    private func create(_ type: ResourceType, _ request: HTTPRequest, _ grant: AccessGrant) async throws -> HTTPResponse
    {
        try Self.refuseConditions(of: request, but: ["if-none-exist"])
        let resource = try Self.json(request)
        return try await single(type, request, grant) {
            try BundleEntry(
                .post,
                .type(type),
                resource,
                ifNoneExist: request.headers["if-none-exist"],
                ifMatch: nil,
                base: base
            )
        }
    }

    private func update(
        _ type: ResourceType,
        _ target: BundleEntry.Target,
        _ request: HTTPRequest,
        _ grant: AccessGrant
    ) async throws -> HTTPResponse {
        try Self.refuseConditions(of: request, but: ["if-match", "if-none-match", "if-none-exist"])
        let resource = try Self.json(request)
        return try await single(type, request, grant) {
            try BundleEntry(
                .put,
                target,
                resource,
                ifNoneExist: request.headers["if-none-exist"],
                ifMatch: request.headers["if-match"],
                ifNoneMatch: request.headers["if-none-match"],
                base: base
            )
        }
    }

    /// One change: a transaction of one entry, whose faults name the resource and not an entry.
    private func single(
        _ type: ResourceType,
        _ request: HTTPRequest,
        _ grant: AccessGrant,
        _ entry: () throws -> BundleEntry
    ) async throws -> HTTPResponse {
        do {
            let entry = try entry()
            let held = answers.hold()
            let answer = try await write(grant, held) { try TransactionRun($0, [entry], [:]).answers[0] }
            var response = answer.response(base: base, returning: ReturnPreference(request))
            response.held = held
            return response
        } catch var refusal as Refusal {
            let path = refusal.expression ?? ""
            refusal.expression = path.hasPrefix("resource.") ? type.rawValue + path.dropFirst("resource".count) : nil
            throw refusal
        }
    }

    func write<Value: Sendable>(
        _ grant: AccessGrant,
        _ held: HeldBytes,
        isStrict: Bool = false,
        _ body: @escaping @Sendable (Interactions) throws -> Value
    ) async throws -> Value {
        // The time is taken once its turn has come: otherwise a client that polls by `_lastUpdated` would miss what
        // waited for others.
        try await store.commits.write {
            try body(interactions(of: grant, held, clock.now(), isStrict: isStrict, in: $0))
        }
    }

    func reading<Value: Sendable>(
        _ grant: AccessGrant,
        _ held: HeldBytes,
        isStrict: Bool = false,
        _ body: @escaping @Sendable (Interactions) throws -> Value
    ) async throws -> Value {
        let now = clock.now()
        return try await store.database.read {
            try body(interactions(of: grant, held, now, isStrict: isStrict, in: $0))
        }
    }

    /// The interactions of a bearer in a transaction that began at `now`.
    func interactions(
        of grant: AccessGrant,
        _ held: HeldBytes,
        _ now: Int64,
        isStrict: Bool,
        in database: Database
    ) -> Interactions {
        let table = ResourceTable(database: database, now: now)
        return Interactions(table: table, grant: grant, base: base, held: held, isStrict: isStrict)
    }
}

extension HTTPRequest {
    /// Whether the client wants unknown search parameters to be refused (R4, section 3.1.1.3).
    var isStrict: Bool { preference("handling") == "strict" }
}

/// What a test wants to go wrong inside a transaction: entry and status.
struct TransactionFaults: Sendable {
    var failingEntries: [Int: Int] = [:]
}
