internal import FHIRR4

/// What surrounds a resource in each form, whole or cut where an id is, as templates need it.
extension EntryForm {
    /// Whether a request follows the resource and has its id once more.
    var hasRequest: Bool { self != .resource }

    /// Appends everything of a resource or entry before its own elements, including the id where it is written.
    func writeOpening(_ type: ResourceType, _ id: ResourceID, to json: inout JSONBytes) {
        writeBeforeID(type, to: &json)
        if self == .conditionalCreate { json.append(uuidOf: id) } else { json.append(id) }
        writeAfterID(type, to: &json)
    }

    /// Appends everything after the last element.
    func writeClosing(_ type: ResourceType, _ id: ResourceID, to json: inout JSONBytes) {
        writeBeforeLastID(type, to: &json)
        if hasRequest { json.append(id) }
        writeAfterLastID(to: &json)
    }

    /// Appends the opening up to the id, which is a UUID in conditional creates.
    func writeBeforeID(_ type: ResourceType, to json: inout JSONBytes) {
        guard self != .conditionalCreate else { return json.append(literal: "{\"fullUrl\":\"urn:uuid:") }
        if self == .update { json.append(literal: "{\"resource\":") }
        json.append(literal: "{\"resourceType\":\"")
        json.append(type.name)
        json.append(literal: "\",\"id\":\"")
    }

    /// Appends the rest of the opening.
    func writeAfterID(_ type: ResourceType, to json: inout JSONBytes) {
        if self == .conditionalCreate {
            json.append(literal: "\",\"resource\":{\"resourceType\":\"")
            json.append(type.name)
        }
        json.append(literal: "\"")
    }

    /// Appends the closing up to the id in the request, or all of it if there is none.
    func writeBeforeLastID(_ type: ResourceType, to json: inout JSONBytes) {
        json.append(literal: "}")
        guard hasRequest else { return }
        json.append(literal: ",\"request\":{\"method\":\"")
        json.append(literal: self == .update ? "PUT" : "POST")
        json.append(literal: "\",\"url\":\"")
        json.append(type.name)
        guard self == .conditionalCreate else { return json.append(literal: "/") }
        json.append(literal: "\",\"ifNoneExist\":\"identifier=")
        json.append(ResourceID.identifierSystem)
        json.append(literal: "|")
    }

    /// Appends the rest of the closing.
    func writeAfterLastID(to json: inout JSONBytes) {
        if hasRequest { json.append(literal: "\"}}") }
    }

    /// Appends how another resource of the same output is referred to: `Device/h…`.
    func writeReference(_ type: String, _ id: ResourceID, to json: inout JSONBytes) {
        if self == .conditionalCreate {
            json.append(literal: "urn:uuid:")
            json.append(uuidOf: id)
        } else {
            json.append(type)
            json.append(literal: "/")
            json.append(id)
        }
    }

    /// The same as text.
    func reference(type: String, id: ResourceID) -> String {
        var json = JSONBytes(capacity: 64)
        writeReference(type, id, to: &json)
        return unsafe json.withBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
