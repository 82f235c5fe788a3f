internal import FHIRR4
internal import HTTPTransport

/// Reads single resources from the server, and marks one as entered in error.
struct ResourceReader {
    private let options: DeliveryOptions
    private let poster: Poster

    init(_ options: DeliveryOptions, _ poster: Poster) {
        self.options = options
        self.poster = poster
    }

    init(_ delivery: Delivery) { self.init(delivery.options, delivery.poster) }

    /// What can be learnt of the patient.
    enum Patient {
        case present(JSONValue)
        /// The server says that it has none of this id.
        case absent
        /// Somebody has deleted it.
        case deleted
        /// The server does not let it be read.
        case untold
    }

    /// The server's own Patient.
    ///
    /// - Throws: ``DeliveryError/unreadableServer(url:status:)`` for what no FHIR server answers: who goes on would write
    ///   to somebody who was never looked at; ``DeliveryError/unreachable(fault:seconds:)``, or the authorizer's error.
    func patient() async throws -> Patient {
        let path = "Patient/\(options.patientID)"
        let response = try await get(path)
        if try await poster.tellsAbsence(response, of: path) { return response.status == 410 ? .deleted : .absent }
        if response.status == 200, let content = JSONValue(beginning: response.body),
            ServerCopy(content, type: .patient)?.name == path
        {
            return .present(content)
        }
        // An integration server may have nothing to be read from, and answer anything.
        guard options.isKeyOnly || [400, 401, 403, 405, 501].contains(response.status) else {
            throw DeliveryError.unreadable(response, url: "\(options.server.text)/Patient")
        }
        return .untold
    }

    /// What can be learnt of a resource.
    enum Presence: Sendable {
        case present, absent, unreadable
    }

    /// Whether the server has a resource with this identifier; not all that take Bundles can be asked.
    ///
    /// - Throws: ``DeliveryError/unreachable(fault:seconds:)``, or the authorizer's error.
    func look(for id: ResourceID, _ type: ResourceType) async throws -> Presence {
        guard let copies = Self.copies(of: id, type, try await search(id, type)) else { return .unreadable }
        return copies.isEmpty ? .absent : .present
    }

    private func search(_ id: ResourceID, _ type: ResourceType) async throws -> HTTPResponse {
        let query = "identifier=\(ResourceID.identifierSystem)%7C\(id.text)"
        return try await get("\(type.name)?\(query)", [HTTPHeader("Prefer", "handling=strict")])
    }

    /// What of a search's answer is ours; `nil` where it is none to what was asked: others alone, or a part.
    private static func copies(
        of id: ResourceID,
        _ type: ResourceType,
        _ response: HTTPResponse
    ) -> [ServerCopy]? {
        guard response.status == 200, let page = SearchPage(response.body) else { return nil }
        let ours = page.resources.compactMap { ServerCopy($0, type: type) }.filter {
            $0.ownID == id
        }
        return ours.isEmpty && !page.isOfNothing ? nil : ours
    }

    /// What became of a resource that was to be marked.
    enum Marking: Sendable {
        /// It is marked, or was.
        case marked
        /// The server does not have it.
        case absent
        /// The server did not let it be found or written, or somebody changed it meanwhile.
        case refused
        /// It is another patient's by now, or somebody has amended it: it is no longer ours to mark.
        case foreign
        /// The same of one of several copies, of which another is marked.
        case unclear

        /// Whether nothing of it is left as it was.
        var isDone: Bool { self == .marked || self == .absent }
    }

    /// Reads a resource of ours, sets its status and writes it back, unless somebody changes it meanwhile.
    ///
    /// Where it is stored several times, each is marked. Nothing else is touched: not what a server brings that looks at
    /// only a part of the search, not what has another one's identifier or another patient by now, and not what somebody
    /// has amended. A server that tells no version is trusted to have one writer.
    ///
    /// - Throws: ``DeliveryError/unauthorized(_:server:)``, ``DeliveryError/forbidden(server:mayBeBlocked:)``, and as
    ///   `look(for:_:)`.
    func markAsError(_ member: Ledger.Member) async throws -> Marking {
        guard let (names, isAll) = try await names(of: member) else { return .refused }
        var marking = Marking.absent
        for name in names {
            switch try await mark(name, member) {
            case .marked: marking = .marked
            case .absent: break
            // Another copy may be ours still.
            case .foreign: if marking == .absent { marking = .foreign }
            // One of several copies may be marked already.
            case .refused: return marking == .marked ? .unclear : .refused
            case .unclear: return .unclear
            }
        }
        return isAll ? marking : .unclear
    }

    /// Where the server has a resource, and whether that is all; `nil` where it can't be told.
    private func names(of member: Ledger.Member) async throws -> (names: [String], isAll: Bool)? {
        guard options.isConditional else { return (["\(member.type.name)/\(member.id.text)"], true) }
        let lookup = ResourceLookup(options: options, poster: poster)
        let (copies, isAll, answer) = try await lookup.copies(of: member.id, member.type)
        _ = try allowed(answer)
        return copies.map { ($0.map(\.name), isAll) }
    }

    /// Whether somebody has given a resource to another patient.
    ///
    /// A server that has Patients under other ids than ours may say so in each reference.
    private func isMoved(_ copy: ServerCopy) async throws -> Bool {
        guard let owner = copy.patientID, owner != options.patientID else { return false }
        guard case .present = try await patient() else { return false }
        return true
    }

    private func mark(_ name: String, _ member: Ledger.Member) async throws -> Marking {
        let response = try allowed(try await get(name))
        if try await poster.tellsAbsence(response, of: name) { return .absent }
        guard response.status == 200, let content = JSONValue(beginning: response.body),
            let copy = ServerCopy(content, type: member.type), copy.name == name,
            copy.ownID == member.id
                || (!options.isConditional && content["identifier"] == nil)
        else { return .refused }
        guard !copy.isInError else { return .marked }
        let isAmended = content["status"]?.string.map(Self.statusesOfOthers.contains) ?? false
        if isAmended { return .foreign }
        if try await isMoved(copy) { return .foreign }
        guard let marked = Self.replacing("status", with: "entered-in-error", in: response.body) else {
            return .refused
        }
        // What packs or unpacks on the way may give the header another text.
        let versionID = content["meta"]?["versionId"]?.string.flatMap { LogicalID.isValid($0) ? $0 : nil }
        let version = versionID.map { "W/\"\($0)\"" } ?? response.header("ETag")
        let condition = version.map { [HTTPHeader("If-Match", $0)] } ?? []
        let answer = try allowed(try await put(marked, at: name, condition))
        if (200..<300).contains(answer.status) { return .marked }
        // A try whose answer was lost has changed it.
        guard answer.status == 412 else { return .refused }
        let now = try await get(name)
        guard now.status == 200, let resource = JSONValue(beginning: now.body) else { return .refused }
        if resource["status"]?.string == "entered-in-error" { return .marked }
        // Some take the tag alone that they have given, of whatever form it is. It must be that of what was changed here.
        guard let versionID, resource["meta"]?["versionId"]?.string == versionID, let tag = now.header("ETag"),
            tag != version
        else { return .refused }
        let again = try allowed(try await put(marked, at: name, [HTTPHeader("If-Match", tag)]))
        return (200..<300).contains(again.status) ? .marked : .refused
    }

    /// What neither pghd writes nor a server by itself: somebody has taken it over.
    private static let statusesOfOthers: Set = ["amended", "corrected", "cancelled", "superseded"]

    /// A resource with another text in an element at its top, all else byte for byte; `nil` where it has none.
    private static func replacing(_ name: String, with text: String, in body: [UInt8]) -> [UInt8]? {
        var range: Range<Int>?
        var scanner = JSONScanner(body)
        try? scanner.readObject { (found, scanner) throws(JSONFault) in
            let value = try scanner.skipValue()
            if found == name { range = value }
        }
        guard let range else { return nil }
        return Array(body[..<range.lowerBound]) + Array("\"\(text)\"".utf8) + Array(body[range.upperBound...])
    }

    /// The answer, unless it says that the sign-in is not good for this.
    private func allowed(_ response: HTTPResponse) throws -> HTTPResponse {
        if response.status == 401 { throw poster.unauthorized(response) }
        if response.status == 403 { throw DeliveryError.forbidden(server: options.server.description) }
        return response
    }

    private func get(_ path: String, _ headers: [HTTPHeader] = []) async throws -> HTTPResponse {
        let url = try HTTPURL("\(options.server.text)/\(path)")
        return try await poster.send(.reading(url, headers: headers, limits: ResourceLookup.limits))
    }

    private func put(_ body: [UInt8], at path: String, _ headers: [HTTPHeader]) async throws -> HTTPResponse {
        let type = "application/fhir+json"
        let usual = [HTTPHeader("Accept", type), HTTPHeader("Content-Type", type)]
        return try await poster.send(
            HTTPRequest(
                .put,
                try HTTPURL("\(options.server.text)/\(path)"),
                headers: usual + headers,
                body: body,
                limits: ResourceLookup.limits
            )
        )
    }
}
