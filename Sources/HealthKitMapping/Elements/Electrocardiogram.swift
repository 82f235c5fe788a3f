internal import FHIRR4
internal import HealthExport

/// An electrocardiogram.
struct ElectrocardiogramObservation {
    static let type = "HKElectrocardiogram"

    let context: MappingContext

    func map(_ electrocardiogram: Electrocardiogram) -> MappedElement { MappedElement() }
}
