/// What is stored: the resources that a patient's generated data consists of.
enum ResourceType: String, CaseIterable, Sendable {
    case device = "Device"
    case documentReference = "DocumentReference"
    case observation = "Observation"
    case patient = "Patient"
    case visionPrescription = "VisionPrescription"

    /// Elements that R4 requires.
    var requiredElements: [String] {
        switch self {
        case .observation: ["status", "code"]
        case .documentReference: ["status", "content"]
        case .visionPrescription: ["status", "created", "patient", "dateWritten", "prescriber", "lensSpecification"]
        case .device, .patient: []
        }
    }

    /// The element that says whose the resource is; a Patient is its own.
    var patientElement: String? {
        switch self {
        case .observation, .documentReference: "subject"
        case .device, .visionPrescription: "patient"
        case .patient: nil
        }
    }
}

/// A FHIR `id`: 1 to 64 letters, digits, `-` or `.` (R4, datatypes, section 2.24.0.1).
enum ResourceID {
    static func isValid(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }

    /// The id of a reference to a Patient of this server, relative or below its base; `nil` for other references.
    static func patient(of reference: String, base: String) -> String? {
        let path = reference.hasPrefix("\(base)/") ? reference.dropFirst(base.count + 1) : reference[...]
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 4 && parts[2] == "_history", parts[0] == "Patient" else { return nil }
        let id = String(parts[1])
        return isValid(id) ? id : nil
    }
}
