import GRDB

/// FHIR's interactions on the store, within one transaction and for one bearer.
struct Interactions {
    let table: ResourceTable
    let grant: AccessGrant
    let base: String
    /// Counts what the answer holds of what was read.
    let held: HeldBytes
    /// Whether searches refuse unknown parameters: `Prefer: handling=strict`.
    let isStrict: Bool

    func read(
        _ type: ResourceType,
        _ id: String,
        version: String? = nil,
        ifNoneMatch: EntityTags? = nil
    ) throws -> EntryAnswer {
        try grant.require(.read, type)
        guard let found = try table.find(type, id) else { throw Refusal.notFound() }
        // Answered as if there were none: ids are derived from what they name, and could be tried.
        guard grant.allows(.read, type, of: found.patient ?? (found.body == nil ? grant.patient : nil)) else {
            throw Refusal.notFound()
        }
        // Former versions are counted, not kept.
        guard version == nil || version == String(found.version) else { throw Refusal.notFound() }
        guard let bytes = found.rendered else { throw Refusal(410, .deleted, "the resource was deleted") }
        let isKnown = ifNoneMatch?.contains(version: found.version) ?? false
        return EntryAnswer(
            isKnown ? 304 : 200,
            found.reference,
            version: found.version,
            updated: found.updated,
            resource: isKnown ? nil : try counted(bytes)
        )
    }

    func search(_ type: ResourceType, _ items: [QueryItem]) throws -> EntryAnswer {
        try grant.require(.search, type)
        var query = try SearchQuery(type, items, isStrict: isStrict, base: base)
        if let patient = grant.patientLimit(.search, type) { query.limit(toPatient: patient) }
        return EntryAnswer(200, resource: try counted(SearchSet(query, in: table.database, base: base).bytes))
    }

    /// Counts what was read while all that was stored with it can still be rolled back: a client that asks for pages
    /// and reads none of them keeps each in memory.
    ///
    /// - Throws: status 413 where everything asked for together is too much, 503 where others hold all there is.
    func counted(_ bytes: [UInt8]) throws(Refusal) -> [UInt8] {
        switch held.take(bytes.count) {
        case .taken: return bytes
        case .isTooMuch:
            throw Refusal(
                413,
                .tooCostly,
                "the entries ask for more than \(AnswerLimits.maximumByteCount >> 20) MiB (expected less): "
                    + "split the Bundle"
            )
        case .noneIsLeft:
            throw Refusal(503, .throttled, "too many large answers at once (expected less load): try again")
        }
    }

    /// Stores a resource under the id that it was prepared with.
    ///
    /// `mayRepeat`: a client that wants it to be new may send the same again.
    func put(
        _ resource: PreparedResource,
        by method: BundleEntry.Method = .put,
        ifMatch: EntityTags? = nil,
        ifNoneMatch: EntityTags? = nil,
        mayRepeat: Bool = false
    ) throws -> EntryAnswer {
        let former = try table.find(resource.type, resource.id)
        let isCreation = former?.body == nil
        // To clients that ask for scopes, update-as-create is an update: for a PUT either letter will do.
        let mayCreate =
            isCreation && (method == .post || grant.allows(.create, resource.type, of: resource.patient))
        let interaction: AccessScope.Interaction = mayCreate ? .create : .update
        try grant.require(interaction, resource.type, of: resource.patient)
        if let former, former.body != nil || former.patient != nil {
            // Another patient's is answered as if there were none: see `read`.
            if let ifMatch, !grant.allows(interaction, resource.type, of: former.patient) {
                try Self.check(ifMatch, nil)
            }
            try grant.require(interaction, resource.type, of: former.patient)
        }
        if let ifMatch { try Self.check(ifMatch, former) }
        if let former, let body = former.body, ifNoneMatch?.contains(version: former.version) ?? false,
            !mayRepeat || body != resource.body
        {
            throw Refusal(412, .conflict, "If-None-Match: the resource is there already")
        }
        let (version, updated) = try table.put(resource, replacing: former)
        return EntryAnswer(
            isCreation ? 201 : 200,
            "\(resource.type.rawValue)/\(resource.id)",
            version: version,
            updated: updated,
            resource: grant.allows(.read, resource.type, of: resource.patient)
                ? ResourceContent.rendered(
                    resource.body,
                    type: resource.type,
                    id: resource.id,
                    version: version,
                    updated: updated
                ) : nil
        )
    }

    /// Refuses a bearer that may not put a resource of `owner` in the place of one of another.
    ///
    /// - Throws: status 403, as for one that is not there.
    func requireWriting(_ type: ResourceType, _ owner: String?, over other: String?) throws(Refusal) {
        if let owner, !grant.allows(.create, type, of: owner) { try grant.require(.update, type, of: owner) }
        try grant.require(.update, type, of: other)
    }

    /// The answer to a conditional create that found its resource: with its bytes only for a bearer that may read it,
    /// and only while those of all entries are not too many.
    func found(_ type: ResourceType, _ id: String) throws -> EntryAnswer {
        guard let found = try table.find(type, id) else { throw Refusal.notFound() }
        try grant.require(.create, type, of: found.patient)
        return EntryAnswer(
            200,
            found.reference,
            version: found.version,
            updated: found.updated,
            resource: grant.allows(.read, type, of: found.patient)
                ? found.rendered.flatMap { held.take($0.count) == .taken ? $0 : nil } : nil
        )
    }

    func delete(_ type: ResourceType, _ id: String, ifMatch: EntityTags? = nil) throws -> EntryAnswer {
        try grant.require(.delete, type)
        guard let found = try table.find(type, id), grant.allows(.delete, type, of: found.patient) else {
            // Another patient's is answered as if there were none: see `read`.
            if let ifMatch { try Self.check(ifMatch, nil) }
            return EntryAnswer(204)
        }
        if let ifMatch { try Self.check(ifMatch, found) }
        try table.remove(found)
        return EntryAnswer(204)
    }

    /// Checks whether the bearer may ask for an entry, as far as the entry alone shows.
    func authorize(_ entry: BundleEntry) throws(Refusal) {
        let either: [AccessScope.Interaction] =
            switch (entry.method, entry.target) {
            case (.delete, _): [.delete]
            case (.get, .instance), (.get, .version): [.read]
            case (.get, _): [.search]
            case (.post, _): [.create]
            case (.put, _): [.create, .update]
            }
        // A reference to another entry does not name a patient yet.
        let owner = entry.prepared.map(\.patient) ?? entry.content?.patientID
        let isKnown = entry.prepared != nil || owner != nil
        let refusals = either.compactMap { interaction -> Refusal? in
            do throws(Refusal) {
                try grant.require(interaction, entry.type)
                if isKnown { try grant.require(interaction, entry.type, of: owner) }
                return nil
            } catch {
                return error
            }
        }
        if refusals.count == either.count, let refusal = refusals.first { throw refusal }
    }

    /// What a condition matches: nothing, or one resource's id.
    ///
    /// Another patient's resource does not count, since a match shows that something is there.
    ///
    /// - Throws: status 412 for more than one.
    func match(_ type: ResourceType, _ items: [QueryItem]) throws -> String? {
        var query = try SearchQuery(type, items, isStrict: true, base: base)
        guard query.isConstrained else {
            throw Refusal(
                400,
                .value,
                "the condition names nothing to match by, so it would match everything "
                    + "(expected a search parameter such as identifier)"
            )
        }
        if let patient = grant.matchLimit(type) { query.limit(toPatient: patient) }
        let ids = try query.matches(in: table.database)
        guard ids.count < 2 else {
            throw Refusal(412, .multipleMatches, "the condition matches more than one resource")
        }
        return ids.first
    }

    /// `W/"3"` must be the current version (R4, section 3.1.0.5.1).
    private static func check(_ ifMatch: EntityTags, _ former: StoredResource?) throws(Refusal) {
        guard let former, former.body != nil, ifMatch.contains(version: former.version) else {
            throw Refusal(412, .conflict, "If-Match names another version than the current one")
        }
    }
}

extension StoredResource {
    /// `Observation/1`.
    var reference: String { "\(type.rawValue)/\(id)" }
}
