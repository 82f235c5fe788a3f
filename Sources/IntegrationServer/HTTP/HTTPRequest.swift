/// One request, with its whole body.
struct HTTPRequest: Sendable {
    var method: String
    let target: RequestTarget
    /// Names in lower case; the values of a repeated name joined by a comma (RFC 9110, section 5.3).
    let headers: [String: String]
    var body: [UInt8] = []
    var keepsConnection = true

    /// - Throws: status 405 for another method; `GET` includes `HEAD` (see ``Router``).
    func require(_ methods: String...) throws(Refusal) {
        guard methods.contains(method) else { throw Refusal.methodNotAllowed(methods) }
    }

    /// Media type without parameters, in lower case: `application/fhir+json`.
    var mediaType: String? {
        headers["content-type"]?.split(separator: ";").first.map { $0.lowercased().trimmingSpaces }
    }

    /// The value of `Authorization: Bearer …` (RFC 6750, section 2.1).
    var bearerToken: String? {
        guard let value = headers["authorization"] else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return String(parts[1]).trimmingSpaces
    }

    /// The value of a preference in the `Prefer` header, such as `representation` for `return` (RFC 7240, section 2).
    ///
    /// In lower case and without quotes; the first one counts.
    func preference(_ name: String) -> String? {
        for part in headers["prefer"]?.split(whereSeparator: { $0 == "," || $0 == ";" }) ?? [] {
            let sides = part.split(separator: "=", maxSplits: 1).map { $0.lowercased().trimmingSpaces }
            guard sides.count == 2, sides[0] == name else { continue }
            let value = sides[1]
            return value.count > 1 && value.hasPrefix("\"") && value.hasSuffix("\"")
                ? String(value.dropFirst().dropLast()) : value
        }
        return nil
    }
}

extension StringProtocol {
    /// The text without spaces and tabs at its ends.
    var trimmingSpaces: String {
        guard let start = firstIndex(where: { $0 != " " && $0 != "\t" }),
            let end = lastIndex(where: { $0 != " " && $0 != "\t" })
        else { return "" }
        return String(self[start...end])
    }
}
