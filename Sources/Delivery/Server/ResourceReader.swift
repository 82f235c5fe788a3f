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

    /// What can be learnt about the Patient.
    enum Patient {
        case present(JSONValue)
        /// The server says that it has none with this id.
        case absent
        /// It was deleted.
        case deleted
        /// The server does not allow reading it.
        case untold
    }

    /// The server's own Patient.
    ///
    /// - Throws: ``DeliveryError/unreadableServer(url:status:)`` for an answer that no FHIR server gives, since going
    ///   on would mean writing to a Patient who was never looked at; ``DeliveryError/unreachable(fault:seconds:)``, or
    ///   the authorizer's error.
    func patient() async throws -> Patient {
        let path = "Patient/\(options.patientID)"
        let response = try await get(path)
        if try await poster.tellsAbsence(response, of: path) { return response.status == 410 ? .deleted : .absent }
        if response.status == 200, let content = JSONValue(beginning: response.body),
            ServerCopy(content, type: .patient)?.name == path
        {
            return .present(content)
        }
        // An integration server may offer nothing to read, and answer anything.
        guard options.isKeyOnly || [400, 401, 403, 405, 501].contains(response.status) else {
            throw DeliveryError.unreadable(response, url: "\(options.server.text)/Patient")
        }
        return .untold
    }

    /// The result of marking a resource.
    enum Marking: Sendable {
        /// It is marked now, or was already.
        case marked
        /// The server does not have it.
        case absent
        /// The server did not allow finding or writing it, or somebody changed it at that moment.
        case refused
        /// It belongs to another patient by now, or somebody has amended it: it must not be marked.
        case foreign
        /// Not all copies could be marked or found, although another may be marked.
        case unclear

        /// Whether no copy is left unmarked.
        var isDone: Bool { self == .marked || self == .absent }
    }

    /// Reads one of pghd's resources, sets its status and writes it back, unless somebody changes it meanwhile.
    ///
    /// Where it is stored several times, each copy is marked. Nothing else is touched: no resource that a server brings
    /// because it ignores a part of the search, none that has another identifier or another patient by now, and none
    /// that somebody has amended. A server that shows no version is trusted to have only one writer.
    ///
    /// - Throws: ``DeliveryError/unauthorized(_:server:)``, ``DeliveryError/forbidden(server:mayBeBlocked:)``,
    ///   ``DeliveryError/unreachable(fault:seconds:)``, or the authorizer's error.
    func markAsError(_ member: Ledger.Member) async throws -> Marking {
        guard let (names, isAll) = try await names(of: member) else { return .refused }
        var marking = Marking.absent
        for name in names {
            switch try await mark(name, member) {
            case .marked: marking = .marked
            case .absent: break
            // Another copy may still be this patient's and unamended.
            case .foreign: if marking == .absent { marking = .foreign }
            // One of several copies may have been marked already.
            case .refused: return marking == .marked ? .unclear : .refused
            case .unclear: return .unclear
            }
        }
        return isAll ? marking : .unclear
    }

    /// The server's names for a resource's copies, and whether these are all; `nil` where that can't be found out.
    private func names(of member: Ledger.Member) async throws -> (names: [String], isAll: Bool)? {
        guard options.isConditional else { return (["\(member.type.name)/\(member.id.text)"], true) }
        let lookup = ResourceLookup(options: options, poster: poster)
        let (copies, isAll, answer) = try await lookup.copies(of: member.id, member.type)
        _ = try allowed(answer)
        return copies.map { ($0.map(\.name), isAll) }
    }

    /// Whether somebody has given a resource to another patient.
    ///
    /// A server that has the Patient under another id may write that id into each reference: a reference to another
    /// Patient counts only if ours is there too.
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
        // The version in the resource comes first: a proxy that packs or unpacks may change the `ETag` header.
        let versionID = content["meta"]?["versionId"]?.string.flatMap { LogicalID.isValid($0) ? $0 : nil }
        let version = versionID.map { "W/\"\($0)\"" } ?? response.header("ETag")
        let condition = version.map { [HTTPHeader("If-Match", $0)] } ?? []
        let answer = try allowed(try await put(marked, at: name, condition))
        if (200..<300).contains(answer.status) { return .marked }
        // An earlier try whose answer was lost may have changed it.
        guard answer.status == 412 else { return .refused }
        let now = try await get(name)
        guard now.status == 200, let resource = JSONValue(beginning: now.body) else { return .refused }
        if resource["status"]?.string == "entered-in-error" { return .marked }
        // Some servers take only the tag that they gave, in its own form. It must belong to the version that was
        // changed here.
        guard let versionID, resource["meta"]?["versionId"]?.string == versionID, let tag = now.header("ETag"),
            tag != version
        else { return .refused }
        let again = try allowed(try await put(marked, at: name, [HTTPHeader("If-Match", tag)]))
        return (200..<300).contains(again.status) ? .marked : .refused
    }

    /// Statuses that neither pghd nor a server by itself writes: somebody has amended the resource.
    private static let statusesOfOthers: Set = ["amended", "corrected", "cancelled", "superseded"]

    /// A resource with another text in a top-level element and the other bytes unchanged; `nil` where it has no such
    /// element.
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

    /// The answer, unless it says that the sign-in does not allow this.
    private func allowed(_ response: HTTPResponse) throws -> HTTPResponse {
        if response.status == 401 { throw poster.unauthorized(response) }
        if response.status == 403 { throw DeliveryError.forbidden(server: options.server.description) }
        return response
    }

    private func get(_ path: String) async throws -> HTTPResponse {
        let url = try HTTPURL("\(options.server.text)/\(path)")
        return try await poster.send(.reading(url, limits: ResourceLookup.limits))
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
