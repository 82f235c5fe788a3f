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
        try AnswerFormat.require(accept: request.headers["accept"], request.target.query)
        if path == ["metadata"] {
            try request.require("GET")
            return .fhir(200, Array(CapabilityStatement.text(base: base, issuer: issuer.metadata).utf8))
        }
        let grant = try await issuer.grant(for: request)
        guard let name = path.first else { return try await bundle(request, grant, faults) }
        guard let type = ResourceType(rawValue: name) else { throw Refusal.unknownType() }
        if path.count == 1 { return try await collection(type, request, grant) }
        if path.count == 2, path.last == "_search" { return try await formSearch(type, request, grant) }
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
        case "PUT": return try await update(type, .instance(type, id: id), request, grant)
        default:
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
        guard request.headers["content-encoding"] ?? "identity" == "identity" else {
            throw Refusal(415, .notSupported, "the body is compressed (expected none): send it plain")
        }
        do throws(JSONError) {
            return try JSONReader.read(request.body)
        } catch {
            throw Refusal(error)
        }
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
            // A client that meant a condition would store a duplicate; a create's conditions belong in If-None-Exist.
            if let name = query.map(\.name).first(where: { !["_format", "_pretty"].contains($0) }) {
                throw Refusal(
                    400,
                    .notSupported,
                    "a create takes no '\(name)' (expected If-None-Exist for a condition)"
                )
            }
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
        guard let items = RequestTarget.items(String(decoding: request.body, as: UTF8.self)) else {
            throw Refusal(
                400,
                .structure,
                "the body is not a form (expected NAME=VALUE, \(RequestTarget.maximumItemCount) of them at most)"
            )
        }
        return try await search(type, request.target.query + items, request, grant)
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
        let isStrict = request.preference("handling") == "strict"
        let held = answers.hold()
        var response = try await reading(grant, held) { try $0.search(type, items, isStrict: isStrict) }
            .response(base: base, returning: .representation)
        response.held = held
        return response
    }

    private func create(_ type: ResourceType, _ request: HTTPRequest, _ grant: AccessGrant) async throws -> HTTPResponse
    {
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
        _ body: @escaping @Sendable (Interactions) throws -> Value
    ) async throws -> Value {
        // The time is taken once its turn has come: otherwise a client that polls by `_lastUpdated` would miss what
        // waited for others.
        try await store.commits.write { try body(interactions(of: grant, held, clock.now(), in: $0)) }
    }

    func reading<Value: Sendable>(
        _ grant: AccessGrant,
        _ held: HeldBytes,
        _ body: @escaping @Sendable (Interactions) throws -> Value
    ) async throws -> Value {
        let now = clock.now()
        return try await store.database.read { try body(interactions(of: grant, held, now, in: $0)) }
    }

    /// The interactions of a bearer in a transaction that began at `now`.
    func interactions(
        of grant: AccessGrant,
        _ held: HeldBytes,
        _ now: Int64,
        in database: Database
    ) -> Interactions {
        Interactions(table: ResourceTable(database: database, now: now), grant: grant, base: base, held: held)
    }
}

/// What a test wants to go wrong inside a transaction: entry and status.
struct TransactionFaults: Sendable {
    var failingEntries: [Int: Int] = [:]
}
