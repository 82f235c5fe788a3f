/// The one format of answers, JSON, and how clients ask for it (R4, section 3.1.0.1.11).
enum AnswerFormat {
    /// - Throws: status 406 where something else is asked for; `_format` takes precedence over `Accept`.
    static func require(accept: String?, _ query: [QueryItem]) throws(Refusal) {
        let formats = query.filter { $0.name == "_format" }.map(\.value)
        guard formats.isEmpty else {
            for format in formats { try require(format: format) }
            return
        }
        guard let accept else { return }
        guard accept.split(separator: ",").contains(where: { MediaRange($0).isServed }) else {
            throw Refusal(406, .notSupported, "answers are JSON of R4 only (expected Accept: application/fhir+json)")
        }
    }

    /// - Throws: status 406 for the value of a `_format` that is not JSON.
    static func require(format: String) throws(Refusal) {
        let type = format.lowercased().split(separator: ";").first?.trimmingSpaces ?? ""
        // A query's plus is a space unless it was encoded.
        guard ["json", "application/json", "application/fhir+json", "application/fhir json"].contains(type) else {
            throw Refusal(406, .notSupported, "answers are JSON only (expected _format=json)")
        }
    }
}
