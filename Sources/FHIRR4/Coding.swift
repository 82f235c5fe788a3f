/// A code of a terminology, as FHIR's `Coding` gives it: `8867-4` of `http://loinc.org`.
///
/// Source: <https://hl7.org/fhir/R4/datatypes.html#Coding>.
public struct Coding: Sendable, Hashable {
    /// The terminology's URI, such as `http://loinc.org`.
    public var system: String
    /// The code itself, such as `8867-4`.
    public var code: String
    /// The terminology's words for the code, such as `Heart rate`; `nil` where none was checked.
    public var display: String?

    /// Makes a coding of its three parts.
    public init(system: String, code: String, display: String? = nil) {
        self.system = system
        self.code = code
        self.display = display
    }
}
