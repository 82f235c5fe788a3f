/// A record that a clinic sent to the person's phone: an element, and a FHIR resource in a file of its own.
///
/// Four records are from long ago; a yearly visit adds four.
struct ClinicalRecord {
    let kind: Kind
    let person: Person
    /// The day of the visit, or the day on which the phone received a record from long ago, in days since 1970.
    let day: Int

    enum Kind: String, CaseIterable {
        // From long ago.
        case allergy, condition, procedure, medicationOrder
        // From each visit.
        case haemoglobin, ferritin, immunization, medicationRequest

        static let lasting: [Kind] = [.allergy, .condition, .procedure, .medicationOrder]
        static let ofVisits: [Kind] = [.haemoglobin, .ferritin, .immunization, .medicationRequest]

        /// The FHIR resource type.
        var resourceType: String {
            switch self {
            case .allergy: "AllergyIntolerance"
            case .condition: "Condition"
            case .procedure: "Procedure"
            case .medicationOrder: "MedicationOrder"
            case .haemoglobin, .ferritin: "Observation"
            case .immunization: "Immunization"
            case .medicationRequest: "MedicationRequest"
            }
        }

        /// Whether it comes from a hospital that speaks FHIR DSTU2; the others are in R4.
        var isOld: Bool { self == .medicationOrder }
    }

    private static let visits = Occasions(
        stream: "visit",
        period: 364,
        least: 1,
        since: Introduction.clinicalRecords + 30
    )

    /// The records in an export, those from long ago first.
    static func all(of person: Person, in days: DayRange) -> [ClinicalRecord] {
        guard let last = days.ends?.last, last >= Introduction.clinicalRecords else { return [] }
        let lasting = Kind.lasting.map {
            ClinicalRecord(kind: $0, person: person, day: Introduction.clinicalRecords)
        }
        return lasting
            + visits.all(of: person, in: days).flatMap { day, _ in
                Kind.ofVisits.map { ClinicalRecord(kind: $0, person: person, day: day) }
            }
    }

    /// The file's path, such as `clinical-records/Condition-7C1E7D8C-2F0B-4E67-9E8A-0A6B0A3C9D11.json`.
    var path: String {
        var random = self.random
        return "clinical-records/\(kind.resourceType)-\(random.uuid()).json"
    }

    /// The id that the clinic's server gave it.
    var identifier: String {
        var random = self.random
        _ = random.uuid()
        return "\(kind.rawValue)-\(random.uuid().lowercased())"
    }

    /// A reference to the patient on the clinic's server.
    var patient: String {
        var random = RandomSequence(seed: person.seed, stream: "patient", day: kind.isOld ? 1 : 0)
        return "Patient/\(random.uuid().lowercased())"
    }

    /// What the file's name and the id are drawn from.
    private var random: RandomSequence {
        RandomSequence(seed: person.seed &+ UInt64(Kind.allCases.firstIndex(of: kind) ?? 0), stream: "clinic", day: day)
    }

    func write(to writer: inout ElementWriter) {
        writer.bytes.append(" <ClinicalRecord type=\"")
        writer.bytes.append(string: kind.resourceType)
        writer.bytes.append("\" identifier=\"")
        writer.bytes.append(string: identifier)
        writer.bytes.append(
            kind.isOld
                ? "\" sourceName=\"Old Town Hospital\" sourceURL=\"https://dstu2.example.org/"
                : "\" sourceName=\"Example Valley Clinic\" sourceURL=\"https://fhir.example.org/r4/"
        )
        writer.bytes.append(string: "\(kind.resourceType)/\(identifier)")
        writer.bytes.append(kind.isOld ? "\" fhirVersion=\"1.0.2" : "\" fhirVersion=\"4.0.1")
        writer.bytes.append("\" receivedDate=\"")
        // At 19:00, after the visit.
        writer.date(person.zone.startOfDay(day) + 68_400)
        writer.bytes.append("\" resourceFilePath=\"/")
        writer.bytes.append(string: path)
        writer.bytes.append("\"/>\n")
    }
}
