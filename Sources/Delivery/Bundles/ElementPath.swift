/// Distinguishes a path into a resource from a text that may quote what is in it.
///
///     Bundle.entry[3].resource.valueQuantity.value     a path
///     Observation.value = 72, 77.123456, Anna          not a path
///
/// A path is a resource's type and names of R4's elements, with only numbers in brackets: whatever a server writes
/// there, it says nothing about a patient.
enum ElementPath {
    /// A Bundle of ours has up to 30,000 entries.
    private static let maximumDigitCount = 5

    /// Whether `text` is a path.
    static func isPath(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let first = parts.first, types.contains(String(first)) else { return false }
        return parts.dropFirst().allSatisfy { part in
            let name = part.prefix { $0 != "[" }
            return names.contains(String(name)) && isIndex(part[name.endIndex...])
        }
    }

    /// Whether it is empty, or a number in brackets.
    private static func isIndex(_ text: Substring) -> Bool {
        guard !text.isEmpty else { return true }
        let digits = text.utf8.dropFirst().dropLast()
        return text.hasSuffix("]") && (1...maximumDigitCount).contains(digits.count)
            && digits.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Those that a Bundle of ours may hold, and those of answers.
    private static let types: Set = [
        "Bundle", "Device", "DocumentReference", "Observation", "OperationOutcome", "Parameters", "Patient",
        "VisionPrescription",
    ]

    /// The names of the elements of these and of the datatypes that they may hold.
    ///
    /// Source: <https://hl7.org/fhir/R4/definitions.json.zip>.
    private static let names: Set<String> = Set(
        """
        active add address age amount appliesTo assigner attachment authenticator author authorReference authorString
        axis backCurve base basedOn birthDate bodySite bounds boundsDuration boundsPeriod boundsRange brand
        carrierAIDC carrierHRF category city code coding color communication comparator component contact contained
        content contentType context count countMax country created creation currency custodian cylinder data
        dataAbsentReason date dateWritten dayOfWeek deceased deceasedBoolean deceasedDateTime definition denominator
        derivedFrom description details device deviceIdentifier deviceName diagnostics diameter dimensions display
        distinctIdentifier district div docStatus duration durationMax durationUnit effective effectiveDateTime
        effectiveInstant effectivePeriod effectiveTiming encounter end entry entryType etag event expirationDate
        expression extension eye facilityType factor family focus format frequency frequencyMax fullUrl gender
        generalPractitioner given hasMember hash high id identifier ifMatch ifModifiedSince ifNoneExist ifNoneMatch
        implicitRules interpretation issue issued issuer jurisdiction language lastModified lastUpdated
        lensSpecification line link location lotNumber low lowerLimit managingOrganization manufactureDate
        manufacturer maritalStatus masterIdentifier meta method mode modelNumber modifierExtension multipleBirth
        multipleBirthBoolean multipleBirthInteger name note numerator offset onBehalfOf organization origin other
        outcome owner parameter parent part partNumber partOf patient performer period periodMax periodUnit photo
        postalCode power practiceSetting preferred prefix prescriber prism product profile property rank reference
        referenceRange related relatesTo relation relationship repeat request resource response safety score search
        security securityLabel serialNumber severity sigFormat signature size source sourcePatientInfo specialization
        specimen sphere start state status statusReason subject suffix system systemType tag target targetFormat
        telecom text time timeOfDay timestamp title total type udiCarrier unit upperLimit url use userSelected value
        valueAddress valueAge valueAnnotation valueAttachment valueBase64Binary valueBoolean valueCanonical valueCode
        valueCodeableConcept valueCoding valueContactPoint valueCount valueDate valueDateTime valueDecimal
        valueDistance valueDuration valueHumanName valueId valueIdentifier valueInstant valueInteger valueMarkdown
        valueMeta valueMoney valueOid valuePeriod valuePositiveInt valueQuantity valueRange valueRatio valueReference
        valueSampledData valueSignature valueString valueTime valueTiming valueUnsignedInt valueUri valueUrl valueUuid
        version versionId when who
        """
        .split(whereSeparator: \.isWhitespace).map(String.init)
    )
}
