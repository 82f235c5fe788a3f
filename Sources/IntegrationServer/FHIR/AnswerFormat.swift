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
        guard MediaRange.isServed(accept.split(separator: ",").map { MediaRange($0) }) else {
            throw Refusal(406, .notSupported, "answers are JSON of R4 only (expected Accept: application/fhir+json)")
        }
    }

    /// - Throws: status 406 for the value of a `_format` that is not JSON.
    static func require(format: String) throws(Refusal) {
        let range = MediaRange(format)
        // A query's plus is a space unless it was encoded.
        let types = ["json", "application/json", "application/fhir+json", "application/fhir json"]
        guard types.contains(range.type), range.isR4 else {
            throw Refusal(406, .notSupported, "answers are JSON of R4 only (expected _format=json)")
        }
    }
}
