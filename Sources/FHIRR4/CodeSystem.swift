/// FHIR's URIs for the terminologies that are used in more than one place here.
///
/// Source: <https://hl7.org/fhir/R4/terminologies-systems.html>.
package enum CodeSystem {
    /// LOINC.
    package static let loinc = "http://loinc.org"
    /// SNOMED CT, of any edition.
    package static let snomedCT = "http://snomed.info/sct"
    /// UCUM, the units.
    package static let ucum = "http://unitsofmeasure.org"
}
