/// FHIR's URIs for the terminologies that are used in more than one place here.
///
/// Source: <https://hl7.org/fhir/R4/terminologies-systems.html>.
public enum CodeSystem {
    /// LOINC.
    public static let loinc = "http://loinc.org"
    /// SNOMED CT, of any edition.
    public static let snomedCT = "http://snomed.info/sct"
    /// UCUM, the units.
    public static let ucum = "http://unitsofmeasure.org"
}
