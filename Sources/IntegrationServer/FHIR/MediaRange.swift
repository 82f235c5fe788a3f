/// A media type with its parameters, as in `Accept` and `Content-Type`: `application/fhir+json; fhirVersion=4.0;
/// q=0.9`.
///
/// Source: RFC 9110, section 12.5.1; <https://hl7.org/fhir/R4/http.html#version-parameter>.
struct MediaRange {
    /// In lower case.
    let type: String
    private let parameters: [String: String]

    init(_ text: some StringProtocol) {
        let parts = text.lowercased().split(separator: ";").map(\.trimmingSpaces)
        type = parts.first ?? ""
        let pairs = parts.dropFirst().map { $0.split(separator: "=", maxSplits: 1).map(\.trimmingSpaces) }
        parameters = Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { first, _ in first }
    }

    /// Whether JSON is among these, by one of its two names: of R4 where they name a version of FHIR, and not refused by
    /// a weight of 0.
    ///
    /// Of the ranges that a name is in, the most specific one counts.
    static func isServed(_ ranges: [MediaRange]) -> Bool {
        ["application/fhir+json", "application/json"].contains { name in
            let deciding = [name, "application/*", "*/*"].lazy.map { type in ranges.filter { $0.type == type } }
                .first { !$0.isEmpty }
            return deciding?.contains { $0.isR4 && !$0.isRefused } ?? false
        }
    }

    private var isRefused: Bool { parameters["q"].flatMap { Double($0) } == 0 }

    /// Whether it names no version of FHIR other than R4.
    var isR4: Bool { ["4.0", nil].contains(parameters["fhirversion"]?.filter { $0 != "\"" }) }
}
