// The resources of a yearly visit to the clinic.
extension ClinicalFile {
    var haemoglobin: String {
        laboratory(
            code: "4548-4",
            display: "Hemoglobin A1c/Hemoglobin.total in Blood",
            value: "5.\(random(below: 5) + 1)",
            unit: "%",
            low: "4.0",
            high: "5.6"
        )
    }

    var ferritin: String {
        laboratory(
            code: "2276-4",
            display: "Ferritin [Mass/volume] in Serum or Plasma",
            value: "\(random(below: 60) + 28)",
            unit: "ng/mL",
            low: "15",
            high: "150"
        )
    }

    var immunization: String {
        """
          "status" : "completed",
          "vaccineCode" : {
            "coding" : [
              {
                "system" : "http://hl7.org/fhir/sid/cvx",
                "code" : "140",
                "display" : "Influenza, seasonal, injectable, preservative free"
              }
            ],
            "text" : "Influenza vaccine"
          },
          "patient" : {
            "reference" : "\(record.patient)"
          },
          "occurrenceDateTime" : "\(date)",
          "primarySource" : true,
          "lotNumber" : "X\(random(below: 9000) + 1000)"
        """
    }

    var medicationRequest: String {
        """
          "status" : "active",
          "intent" : "order",
          "medicationCodeableConcept" : {
            "text" : "Loratadine 10 mg tablet"
          },
          "subject" : {
            "reference" : "\(record.patient)"
          },
          "authoredOn" : "\(date)",
          "dosageInstruction" : [
            {
              "text" : "One tablet a day while there is pollen"
            }
          ]
        """
    }

    private func random(below bound: Int) -> Int {
        var random = RandomSequence(seed: record.person.seed, stream: "result", day: record.day)
        return random.below(bound)
    }

    private func laboratory(
        code: String,
        display: String,
        value: String,
        unit: String,
        low: String,
        high: String
    ) -> String {
        func quantity(_ value: String, indent: String) -> String {
            """
            {
            \(indent)  "value" : \(value),
            \(indent)  "unit" : "\(unit)",
            \(indent)  "system" : "http://unitsofmeasure.org",
            \(indent)  "code" : "\(unit)"
            \(indent)}
            """
        }
        return """
              "status" : "final",
              "category" : [
                {
                  "coding" : [
                    {
                      "system" : "http://terminology.hl7.org/CodeSystem/observation-category",
                      "code" : "laboratory"
                    }
                  ]
                }
              ],
              "code" : {
                "coding" : [
                  {
                    "system" : "http://loinc.org",
                    "code" : "\(code)",
                    "display" : "\(display)"
                  }
                ],
                "text" : "\(display)"
              },
              "subject" : {
                "reference" : "\(record.patient)"
              },
              "effectiveDateTime" : "\(date)",
              "valueQuantity" : \(quantity(value, indent: "  ")),
              "referenceRange" : [
                {
                  "low" : \(quantity(low, indent: "      ")),
                  "high" : \(quantity(high, indent: "      "))
                }
              ]
            """
    }
}
