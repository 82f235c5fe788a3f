/// A resource as a client sent it, checked as far as storing it requires.
struct ResourceContent: Sendable {
    let type: ResourceType
    let value: JSONValue
    /// The server's base, which absolute references to its own resources begin with.
    let base: String

    init(_ value: JSONValue, expecting expected: ResourceType? = nil, base: String) throws(Refusal) {
        guard value.isObject, let name = value["resourceType"]?.string else {
            throw Refusal(400, .structure, "this is not a resource (expected an object with resourceType)")
        }
        guard let type = ResourceType(rawValue: name) else {
            throw Refusal(
                expected == nil ? 404 : 400,
                .notSupported,
                "this resource type is not stored here (expected \(expected.map(\.rawValue) ?? "another"))"
            )
        }
        guard expected == nil || expected == type else {
            throw Refusal(400, .invalid, "a \(name) stands where a \(expected?.rawValue ?? "") must be")
        }
        for element in type.requiredElements where value[element]?.isNull ?? true {
            throw Refusal(422, .required, "\(element) is missing", at: "\(name).\(element)")
        }
        if let meta = value["meta"], !meta.isObject {
            throw Refusal(400, .structure, "meta is not an object", at: "\(name).meta")
        }
        self.type = type
        self.value = value
        self.base = base
    }

    /// The id that the client gave; `nil` without one.
    func givenID() throws(Refusal) -> String? {
        guard let id = value["id"] else { return nil }
        guard let text = id.string, ResourceID.isValid(text) else {
            throw Refusal(
                400,
                .value,
                "this is not an id (expected 1 to 64 letters, digits, - or .)",
                at: "\(type.rawValue).id"
            )
        }
        return text
    }

    /// The id of its patient, where it names one.
    var patientID: String? { subject().flatMap { ResourceID.patient(of: $0, base: base) } }

    /// The id of its patient once it is stored under an id: a Patient is its own.
    func patientID(withID id: String) -> String? { type == .patient ? id : patientID }

    /// The reference that says whose the resource is, replaced where `links` says so.
    func subject(links: ReferenceLinks = ReferenceLinks()) -> String? {
        guard let element = type.patientElement else { return nil }
        return value[element]?["reference"]?.string.map { links[$0] ?? $0 }
    }

    /// The bytes that are stored: the members as they came, but the type, `id` and `meta` first, `meta` without version
    /// and time, and the text of references replaced where `links` says so.
    func storedBytes(id: String, links: ReferenceLinks) -> [UInt8] {
        let edits = links.isEmpty ? [] : references.filter { links[$0.text] != nil }
        var bytes = Array(Self.prefix(type: type, id: id).utf8)
        bytes.reserveCapacity(value.range.count + 64)
        func copy(_ range: Range<Int>) {
            var position = range.lowerBound
            for edit in edits[Self.first(of: edits, from: range.lowerBound)...] {
                guard edit.value.range.lowerBound < range.upperBound else { break }
                bytes += value.source[position..<edit.value.range.lowerBound]
                bytes += Array(JSONEscapes.quoted(links[edit.text] ?? "").utf8)
                position = edit.value.range.upperBound
            }
            bytes += value.source[position..<range.upperBound]
        }
        func member(_ member: JSONMember) {
            bytes += Array("\(JSONEscapes.quoted(member.name)):".utf8)
            copy(member.value.range)
        }
        var isFirst = true
        for kept in value["meta"]?.members ?? [] where kept.name != "versionId" && kept.name != "lastUpdated" {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            member(kept)
        }
        bytes.append(UInt8(ascii: "}"))
        for kept in value.members where !["resourceType", "id", "meta"].contains(kept.name) {
            bytes.append(UInt8(ascii: ","))
            member(kept)
        }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// The index of the first reference at `place` or after it.
    private static func first(of edits: [(text: String, value: JSONValue)], from place: Int) -> Int {
        var (low, high) = (0, edits.count)
        while low < high {
            let middle = (low + high) / 2
            if edits[middle].value.range.lowerBound < place { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Every `reference` with a text, in the order of the document.
    var references: [(text: String, value: JSONValue)] {
        var found: [(String, JSONValue)] = []
        func visit(_ value: JSONValue) {
            switch value.content {
            case .object(let members):
                for member in members {
                    if member.name == "reference", let text = member.value.string {
                        found.append((text, member.value))
                    } else {
                        visit(member.value)
                    }
                }
            case .array(let elements): for element in elements { visit(element) }
            default: break
            }
        }
        visit(value)
        return found
    }

    /// A conditional reference's type and query: `Patient?identifier=…`; `nil` for other references.
    static func condition(of reference: String) -> (ResourceType, Substring)? {
        guard let mark = reference.firstIndex(of: "?"), let type = ResourceType(rawValue: String(reference[..<mark]))
        else { return nil }
        return (type, reference[mark...].dropFirst())
    }

    private static func prefix(type: ResourceType, id: String) -> String {
        "{\"resourceType\":\"\(type.rawValue)\",\"id\":\"\(id)\",\"meta\":{"
    }

    /// Whether bytes from the database begin as `storedBytes(id:links:)` does.
    static func isStored(_ bytes: [UInt8], type: ResourceType, id: String) -> Bool {
        let prefix = prefix(type: type, id: id).utf8
        return bytes.count > prefix.count && bytes.starts(with: prefix)
    }

    /// Stored bytes with version and time, as a client gets them.
    static func rendered(_ stored: [UInt8], type: ResourceType, id: String, version: Int, updated: Int64) -> [UInt8] {
        let split = prefix(type: type, id: id).utf8.count
        var meta = "\"versionId\":\"\(version)\",\"lastUpdated\":\"\(FHIRInstant.text(updated))\""
        if stored[split] != UInt8(ascii: "}") { meta += "," }
        return stored[..<split] + Array(meta.utf8) + stored[split...]
    }
}
