import FoundationEssentials
import GRDB

/// A stored resource's current version.
struct StoredResource {
    let number: Int64
    let type: ResourceType
    let id: String
    let version: Int
    let updated: Int64
    /// Whose it is, or was; `nil` for nobody's, and for what was deleted before this was stored.
    let patient: String?
    /// `nil` once it is deleted.
    let body: [UInt8]?

    /// What is read of each.
    static let columns = "number, id, version, updated, patient, body"

    /// Reads `columns`.
    ///
    /// - Throws: `SQLITE_CORRUPT` for what no run of this server wrote.
    init(_ row: Row, type: ResourceType) throws {
        number = try row.value(0)
        self.type = type
        id = try row.value(1)
        version = Int(try row.count(2))
        updated = try row.count(3)
        patient = try row.optional(4)
        let body: Data? = try row.optional(5)
        self.body = body.map { Array($0) }
        if let body = self.body, !ResourceContent.isStored(body, type: type, id: id) { throw Row.isDamaged }
    }

    /// The bytes that a client gets; `nil` once it is deleted.
    var rendered: [UInt8]? {
        body.map { ResourceContent.rendered($0, type: type, id: id, version: version, updated: updated) }
    }
}

/// A resource that is ready to be stored.
struct PreparedResource: Sendable {
    let type: ResourceType
    let id: String
    let body: [UInt8]
    let patient: String?
    let index: SearchIndex

    init(_ content: ResourceContent, id: String, links: ReferenceLinks = ReferenceLinks()) {
        type = content.type
        self.id = id
        body = content.storedBytes(id: id, links: links)
        patient =
            content.type == .patient
            ? id : content.subject(links: links).flatMap { ResourceID.patient(of: $0, base: content.base) }
        index = SearchIndex(content, links: links)
    }
}

/// The resources, within one transaction.
struct ResourceTable {
    let database: Database
    /// Milliseconds since 1970, one for all changes of a request.
    let now: Int64

    func find(_ type: ResourceType, _ id: String) throws -> StoredResource? {
        let statement = try database.cachedStatement(
            sql: "SELECT \(StoredResource.columns) FROM resource WHERE type = ? AND id = ?"
        )
        return try Row.fetchOne(statement, arguments: [type.rawValue, id]).map { try StoredResource($0, type: type) }
    }

    /// Stores a resource; storing the same bytes again changes nothing, not even the version.
    func put(_ resource: PreparedResource, replacing former: StoredResource?) throws -> (version: Int, updated: Int64) {
        if let former, let body = former.body, body == resource.body { return (former.version, former.updated) }
        if let former { try removeTokens(of: former) }
        let version = (former?.version ?? 0) + 1
        let number: Int64
        let arguments: StatementArguments = [
            version, now, resource.patient, resource.index.span?.lowerBound, resource.index.span?.upperBound,
            Data(resource.body), resource.type.rawValue, resource.id,
        ]
        if let former {
            number = former.number
            try database.cachedStatement(
                sql: """
                    UPDATE resource SET version = ?, updated = ?, patient = ?, low = ?, high = ?, body = ?
                    WHERE type = ? AND id = ?
                    """
            ).execute(arguments: arguments)
        } else {
            try database.cachedStatement(
                sql: """
                    INSERT INTO resource (version, updated, patient, low, high, body, type, id)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: arguments)
            number = database.lastInsertedRowID
        }
        let statement = try database.cachedStatement(sql: "INSERT INTO token VALUES (?, ?, ?, ?)")
        for token in resource.index.tokens {
            try statement.execute(arguments: [token.parameter, token.value, token.system, number])
        }
        return (version, now)
    }

    /// Leaves a mark in a resource's place, so that its version goes on counting and its id stays its patient's.
    func remove(_ resource: StoredResource) throws {
        guard resource.body != nil else { return }
        try removeTokens(of: resource)
        try database.cachedStatement(
            sql: """
                UPDATE resource SET version = version + 1, updated = ?, low = NULL, high = NULL, body = NULL
                WHERE number = ?
                """
        ).execute(arguments: [now, resource.number])
    }

    private func removeTokens(of resource: StoredResource) throws {
        guard let body = resource.body else { return }
        guard let value = try? JSONReader.read(body),
            // Without a base, absolute references to this server's patients give tokens too, which are not there to be
            // deleted.
            let content = try? ResourceContent(value, base: "")
        else {
            // With `id` and `meta` it may have more values than are read. This looks at every token.
            try database.execute(sql: "DELETE FROM token WHERE resource = ?", arguments: [resource.number])
            return
        }
        let statement = try database.cachedStatement(
            sql: "DELETE FROM token WHERE parameter = ? AND value = ? AND system = ? AND resource = ?"
        )
        for token in SearchIndex(content).tokens {
            try statement.execute(arguments: [token.parameter, token.value, token.system, resource.number])
        }
    }
}
