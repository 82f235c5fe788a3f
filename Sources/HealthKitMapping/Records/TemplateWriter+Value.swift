internal import FHIRR4

/// What a template says about a value.
extension TemplateWriter {
    /// Writes a value up to its number, or all of it if it is not a number.
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
            let unit = ValueUnit.afterText(key.unit) { (mapping?.unit($0) ?? table.unit($0))?.display }
            writeText(text?.unlessBlank.map { $0 + unit }, &json)
        case .category(let text):
            if let value = mapping?.value(text ?? ""), mapping?.isEvent == false {
                json.append(",\"valueCodeableConcept\":")
                json.appendConcept(value.codings, text: value.text)
            } else if let mapping, mapping.isEvent, text == nil || mapping.value(text ?? "") != nil {
                // The sample's presence says everything; HealthKit gives it no value.
                json.append(",\"valueBoolean\":true")
            } else {
                // Whether an unknown type has values is not known.
                info.unknownValue = text ?? (mapping == nil ? nil : "")
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
            JSONValue.Member("dataAbsentReason", .dataAbsent("unknown", "Unknown")).writeNext(to: &json)
        }
    }

    /// Writes what follows the number.
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
}
