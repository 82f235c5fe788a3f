internal import FHIRR4
internal import HTTPTransport

/// Reads single resources from the server, and marks one as entered in error.
struct ResourceReader {
    private let options: DeliveryOptions
    private let poster: Poster

    init(_ delivery: Delivery) {
        options = delivery.options
        poster = delivery.poster
    }

    /// The resource at `path`, such as `Patient/p1`; `nil` where there is none, or it can't be read.
    ///
    /// - Throws: ``DeliveryError/unreachable(fault:seconds:)``, or the authorizer's error.
    func read(_ path: String) async throws -> ReadResource? {
        let response = try await send(.get, path)
        return response.status == 200 ? ReadResource(response) : nil
    }

    /// The resource with this id of ours, wherever the server keeps it.
    ///
    /// - Throws: as `read(_:)`.
    func find(_ id: ResourceID, _ type: ResourceType, isConditional: Bool) async throws -> ReadResource? {
        guard isConditional else { return try await read("\(type.name)/\(id.text)") }
        let query = "identifier=\(options.identifierSystem)%7C\(id.text)"
        let response = try await send(.get, "\(type.name)?\(query)")
        guard response.status == 200, let name = SearchSet.firstID(response.body) else { return nil }
        return try await read("\(type.name)/\(name)")
    }

    /// What can be learnt of a resource.
    enum Presence: Sendable {
        case present, absent, unreadable
    }

    /// Whether the server has a resource with this identifier; not all that take Bundles can be asked.
    ///
    /// - Throws: as `read(_:)`.
    func look(for id: ResourceID, _ type: ResourceType) async throws -> Presence {
        let response = try await send(.get, "\(type.name)?identifier=\(options.identifierSystem)%7C\(id.text)")
        guard response.status == 200, let count = SearchSet.total(response.body) else { return .unreadable }
        return count > 0 ? .present : .absent
    }

    /// Reads a resource, sets its status and writes it back, unless somebody changes it meanwhile.
    ///
    /// - Returns: whether it is marked, or was, or is gone from the server.
    /// - Throws: as `read(_:)`.
    func markAsError(_ member: Ledger.Member) async throws -> Bool {
        guard let found = try await find(member.id, member.type, isConditional: options.isConditional) else {
            return true
        }
        guard found.text("status") != "entered-in-error" else { return true }
        guard let marked = found.replacing("status", with: "entered-in-error"), let id = found.text("id") else {
            return false
        }
        let response = try await send(.put, "\(member.type.name)/\(id)", body: marked, ifMatch: found.version)
        return (200..<300).contains(response.status)
    }

    private func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        body: [UInt8]? = nil,
        ifMatch: String? = nil
    ) async throws -> HTTPResponse {
        let url = try HTTPURL("\(options.server.text)/\(path)")
        var headers = [HTTPHeader("Accept", "application/fhir+json")]
        if body != nil { headers.append(HTTPHeader("Content-Type", "application/fhir+json")) }
        if let ifMatch { headers.append(HTTPHeader("If-Match", ifMatch)) }
        return try await poster.send(HTTPRequest(method, url, headers: headers, body: body))
    }
}

/// A resource as a server gave it.
struct ReadResource {
    let body: [UInt8]
    /// Its version, for `If-Match`.
    let version: String?

    init(_ response: HTTPResponse) {
        body = response.body
        version = response.header("ETag")
    }

    /// The text of an element at its top.
    func text(_ name: String) -> String? {
        var text: String?
        var scanner = JSONScanner(body)
        try? scanner.readObject { (found, scanner) throws(JSONFault) in
            if found == name { text = try scanner.readScalar() } else { try scanner.skipValue() }
        }
        return text
    }

    /// The resource with another text in an element at its top; `nil` where it has none.
    func replacing(_ name: String, with text: String) -> [UInt8]? {
        var range: Range<Int>?
        var scanner = JSONScanner(body)
        try? scanner.readObject { (found, scanner) throws(JSONFault) in
            let value = try scanner.skipValue()
            if found == name { range = value }
        }
        guard let range else { return nil }
        return Array(body[..<range.lowerBound]) + Array("\"\(text)\"".utf8) + Array(body[range.upperBound...])
    }
}

/// A search's answer, as far as one resource is looked for.
enum SearchSet {
    /// How many were found; `nil` where it is no search's answer.
    static func total(_ body: [UInt8]) -> Int? {
        var kind: String?
        var total = 0
        var scanner = JSONScanner(body)
        do throws(JSONFault) {
            try scanner.readObject { (name, scanner) throws(JSONFault) in
                switch name {
                case "type": kind = try scanner.readScalar()
                case "entry":
                    try scanner.readList { (scanner) throws(JSONFault) in
                        total += 1
                        try scanner.skipValue()
                    }
                default: try scanner.skipValue()
                }
            }
        } catch {
            return nil
        }
        return kind == "searchset" ? total : nil
    }

    /// The logical id of the first resource found.
    static func firstID(_ body: [UInt8]) -> String? {
        var id: String?
        var scanner = JSONScanner(body)
        try? scanner.readObject { (name, scanner) throws(JSONFault) in
            guard name == "entry" else {
                try scanner.skipValue()
                return
            }
            try scanner.readList { (scanner) throws(JSONFault) in
                try scanner.readObject { (name, scanner) throws(JSONFault) in
                    guard name == "resource" else {
                        try scanner.skipValue()
                        return
                    }
                    try scanner.readObject { (name, scanner) throws(JSONFault) in
                        guard name == "id", id == nil else {
                            try scanner.skipValue()
                            return
                        }
                        id = try scanner.readScalar()
                    }
                }
            }
        }
        return id
    }
}
