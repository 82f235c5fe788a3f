import FHIRR4
import ArgumentParser
import ExportPipeline
import HealthKitMapping

/// Whose data an export holds: never guessed.
struct PatientOptions: ParsableArguments {
    @Option(
        name: .customLong("patient"),
        help: ArgumentHelp("The patient's id on the FHIR server, such as p123, or PGHD_PATIENT.", valueName: "id")
    )
    var patients: [String] = []

    /// The id that was given.
    var patient: String? { patients.first }

    @Flag(
        help: """
            Also write a Patient with this id, birth date and sex. sync and send leave an existing one as it is; \
            another program that posts Bundles may replace it.
            """
    )
    var includePatient = false

    func validate() throws {
        guard Set(patients).count > 1 else { return }
        throw ValidationError(
            "--patient: several ids (expected one, since all of an export is one person's): leave the others out"
        )
    }

    /// Refuses to write a Patient where it would get an id other than the one given.
    ///
    /// - Parameter form: what makes the server choose ids, such as `--conditional`.
    /// - Throws: `ValidationError` with `--include-patient`.
    func refusePatient(with form: String) throws {
        guard includePatient else { return }
        throw ValidationError(
            "--include-patient: can't be joined with \(form) (there the server chooses ids, and would choose another than "
                + "--patient): create the Patient on the server first"
        )
    }

    /// The id that was given, else the one that the sign-in was made for.
    ///
    /// - Parameter signedIn: the patient in context of a sign-in, where a command has one.
    /// - Returns: a FHIR id.
    /// - Throws: `ValidationError` where there is none, `ExportPipelineError.patientID` where it is not a FHIR id.
    func checkedPatient(orSignedIn signedIn: String? = nil) throws -> String {
        guard let patient = try Setting.patient.value(patient) ?? signedIn else {
            throw ValidationError(
                "--patient is missing: the export does not say which patient of the server it belongs to (expected an "
                    + "id): give the patient's id there, such as --patient p123"
            )
        }
        guard LogicalID.isValid(patient) else { throw ExportPipelineError.patientID }
        return patient
    }
}
