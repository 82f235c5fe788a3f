/// A code of a terminology, as FHIR's `Coding` gives it: `8867-4` of `http://loinc.org`.
///
/// Source: <https://hl7.org/fhir/R4/datatypes.html#Coding>.
package struct Coding: Sendable, Hashable {
    /// The terminology's URI, such as `http://loinc.org`.
    package var system: String
    /// The code itself, such as `8867-4`.
    package var code: String
    /// The terminology's words for the code, such as `Heart rate`; `nil` where none was checked.
    package var display: String?

    /// Makes a coding from its three parts.
    package init(system: String, code: String, display: String? = nil) {
        self.system = system
        self.code = code
        self.display = display
    }

    /// Appends the coding as JSON.
    package func write(to json: inout JSONBytes) {
        json.append(literal: "{\"system\":")
        json.appendString(system)
        json.append(literal: ",\"code\":")
        json.appendString(code)
        if let display {
            json.append(literal: ",\"display\":")
            json.appendString(display)
        }
        json.append(literal: "}")
    }
}

extension JSONBytes {
    /// Appends a `CodeableConcept` of codings, the preferred one first, and a text; nothing if there is neither.
    package mutating func appendConcept(_ codings: [Coding], text: String? = nil) {
        guard !codings.isEmpty || text != nil else { return }
        append(literal: "{")
        if !codings.isEmpty {
            append(literal: "\"coding\":[")
            for (place, coding) in codings.enumerated() {
                if place > 0 { append(literal: ",") }
                coding.write(to: &self)
            }
            append(literal: text == nil ? "]" : "],")
        }
        if let text {
            append(literal: "\"text\":")
            appendString(text)
        }
        append(literal: "}")
    }
}
