/// A clinical record's resource in Apple's layout: two spaces per level, and a space on either side of a colon.
///
/// All persons and findings are invented; the few codes are from LOINC, CVX and ICD-10-CM.
struct ClinicalFile: OtherFile {
    let record: ClinicalRecord

    var path: String { record.path }

    func write(to bytes: inout ByteWriter) {
        bytes.append(
            string: """
                {
                  "resourceType" : "\(record.kind.resourceType)",
                  "id" : "\(record.identifier)",
                \(elements)
                }

                """
        )
    }

    private var elements: String {
        switch record.kind {
        case .allergy: allergy
        case .condition: condition
        case .procedure: procedure
        case .medicationOrder: medicationOrder
        case .haemoglobin: haemoglobin
        case .ferritin: ferritin
        case .immunization: immunization
        case .medicationRequest: medicationRequest
        }
    }

    /// The day of the visit.
    var date: CalendarDate { CalendarDate(daysSince1970: record.day) }

    // MARK: From long ago

    private var allergy: String {
        """
          "clinicalStatus" : {
            "coding" : [
              {
                "system" : "http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical",
                "code" : "active"
              }
            ]
          },
          "verificationStatus" : {
            "coding" : [
              {
                "system" : "http://terminology.hl7.org/CodeSystem/allergyintolerance-verification",
                "code" : "confirmed"
              }
            ]
          },
          "type" : "allergy",
          "category" : [
            "medication"
          ],
          "criticality" : "low",
          "code" : {
            "text" : "Penicillin"
          },
          "patient" : {
            "reference" : "\(record.patient)"
          },
          "recordedDate" : "1996-05-14",
          "reaction" : [
            {
              "manifestation" : [
                {
                  "text" : "Rash"
                }
              ],
              "severity" : "mild"
            }
          ]
        """
    }

    private var condition: String {
        """
          "clinicalStatus" : {
            "coding" : [
              {
                "system" : "http://terminology.hl7.org/CodeSystem/condition-clinical",
                "code" : "active"
              }
            ]
          },
          "verificationStatus" : {
            "coding" : [
              {
                "system" : "http://terminology.hl7.org/CodeSystem/condition-ver-status",
                "code" : "confirmed"
              }
            ]
          },
          "category" : [
            {
              "coding" : [
                {
                  "system" : "http://terminology.hl7.org/CodeSystem/condition-category",
                  "code" : "problem-list-item"
                }
              ]
            }
          ],
          "code" : {
            "coding" : [
              {
                "system" : "http://hl7.org/fhir/sid/icd-10-cm",
                "code" : "J30.1",
                "display" : "Allergic rhinitis due to pollen"
              }
            ],
            "text" : "Hay fever"
          },
          "subject" : {
            "reference" : "\(record.patient)"
          },
          "onsetDateTime" : "2004",
          "recordedDate" : "2004-06-02"
        """
    }

    private var procedure: String {
        """
          "status" : "completed",
          "code" : {
            "text" : "Arthroscopy of the left knee"
          },
          "subject" : {
            "reference" : "\(record.patient)"
          },
          "performedDateTime" : "2011-10-03"
        """
    }

    private var medicationOrder: String {
        """
          "status" : "completed",
          "dateWritten" : "2017-03-20",
          "patient" : {
            "reference" : "\(record.patient)"
          },
          "medicationCodeableConcept" : {
            "text" : "Ibuprofen 400 mg tablet"
          },
          "dosageInstruction" : [
            {
              "text" : "One tablet when in pain, three a day at most"
            }
          ]
        """
    }
}
