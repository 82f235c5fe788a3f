internal import FHIRR4
internal import HTTPTransport

extension HTTPResponse {
    /// The scheme that a 401 asks for instead of a token, such as `Basic`; `nil` if it takes tokens, or says nothing
    /// useful.
    ///
    /// It is shown to people, so it must be a short word, as the registered schemes are: anything else may hold
    /// anything.
    ///
    /// Source: RFC 9110, section 11.6.1.
    var schemeBesidesBearer: String? {
        guard !asksForBearer, let scheme = challengeWords.first else { return nil }
        let isWord = scheme.utf8.allSatisfy { byte in
            byte | 0x20 &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "-")
        }
        return isWord && scheme.utf8.count <= 30 ? String(scheme) : nil
    }

    /// Whether a 401 or 403 speaks of tokens, as a server that reads them does (RFC 6750, section 3).
    private var asksForBearer: Bool { challengeWords.contains { $0.lowercased() == "bearer" } }

    /// The first words of all challenges, and of their parameters after a comma.
    private var challengeWords: [Substring] {
        let fields = headers.filter { $0.name.lowercased() == "www-authenticate" }.map(\.value)
        return fields.flatMap { $0.split(separator: ",") }.compactMap { $0.split(whereSeparator: \.isWhitespace).first }
    }

    /// Whether it seems to come from something in front of the FHIR server: it neither speaks of tokens nor is FHIR.
    var isOfAnother: Bool { !asksForBearer && JSONValue(beginning: body)?["resourceType"] == nil }

    /// Whether the body is a page for a browser, as a gateway, a firewall or a proxy sends: no FHIR server writes one
    /// for a client that accepts `application/fhir+json`.
    var isPage: Bool {
        let start = body.drop { $0 <= 0x20 }.prefix(14).map { $0 | 0x20 }
        return start.starts(with: "<!doctype html".utf8) || start.starts(with: "<html".utf8)
    }
}
