internal import FHIRR4

/// What a template says of a value.
extension TemplateWriter {
    /// Writes the value up to its number, or all of one that is no number.
    func writeValueOpening(
        _ key: RecordKey,
        _ mapping: TypeMapping?,
        _ info: inout TemplateInfo,
        _ json: inout JSONBytes
    ) {
        switch key.fixedValue {
        case nil: json.append(",\"valueQuantity\":{\"value\":")
        case .text(let text):
            info.unknownValue = text ?? ""
            let unit = ValueUnit.behindText(key.unit) { (mapping?.unit($0) ?? table.unit($0))?.display }
            writeText(text?.unlessBlank.map { $0 + unit }, &json)
        case .category(let text):
            if let value = mapping?.value(text ?? ""), mapping?.isEvent == false {
                json.append(",\"valueCodeableConcept\":{\"coding\":[")
                for (index, coding) in value.codings.enumerated() {
                    if index > 0 { json.append(",") }
                    write(coding, &json)
                }
                json.append("],\"text\":")
                json.appendString(value.text)
                json.append("}")
            } else if let mapping, mapping.isEvent, text == nil || mapping.value(text ?? "") != nil {
                // The sample says all by being there; HealthKit gives it no value.
                json.append(",\"valueBoolean\":true")
            } else {
                info.unknownValue = text
                if let text, !FHIRText.isBlank(text) {
                    json.append(",\"valueCodeableConcept\":{\"text\":")
                    json.appendString(text)
                    json.append("}")
                } else {
                    writeText(nil, &json)
                }
            }
        }
    }

    private func writeText(_ text: String?, _ json: inout JSONBytes) {
        if let text, !FHIRText.isBlank(text) {
            json.append(",\"valueString\":")
            json.appendString(text)
        } else {
            json.append(
                ",\"dataAbsentReason\":{\"coding\":[{\"system\":"
                    + "\"http://terminology.hl7.org/CodeSystem/data-absent-reason\",\"code\":\"unknown\","
                    + "\"display\":\"Unknown\"}]}"
            )
        }
    }

    /// Writes what stands behind the number.
    func writeUnit(_ key: RecordKey, _ meaning: Meaning, _ json: inout JSONBytes) {
        if let unit = meaning.unit {
            json.append(",\"unit\":")
            json.appendString(unit.display)
            json.append(",\"system\":\"http://unitsofmeasure.org\",\"code\":")
            json.appendString(unit.ucumCode)
        } else if let unit = key.unit?.unlessBlank {
            json.append(",\"unit\":")
            json.appendString(unit)
        }
        json.append("}")
    }

    func write(_ coding: Coding, _ json: inout JSONBytes) {
        json.append("{\"system\":")
        json.appendString(coding.system)
        json.append(",\"code\":")
        json.appendString(coding.code)
        if let display = coding.display {
            json.append(",\"display\":")
            json.appendString(display)
        }
        json.append("}")
    }
}
