import FHIRR4
import Foundation
import HealthExport
import HealthKitMapping
import Testing

/// What one element was mapped to.
struct MappedElements {
    var rows: [EncodedResource] = []
    /// The JSON of each resource.
    var json: [String] = []
    var tally = ElementTally()
    var faults: [Malformation.Kind] = []

    var ids: [String] { rows.map(\.id.text) }

    /// The first resource whose JSON contains `text`.
    func first(_ text: String) throws -> String { try #require(json.first { $0.contains(text) }) }
}

/// Maps one element.
func mapElement(
    _ element: HealthElement,
    options: MappingOptions = MappingOptions(patientID: "p1", form: .resource)
) throws -> MappedElements {
    try mapWith(options) { mapper, json, rows, fault in mapper.map(element, into: &json, rows: &rows, fault: fault) }
}

func mapFile(_ file: ReferencedFile, content: String?, options: MappingOptions) throws -> MappedElements {
    try mapWith(options) { mapper, json, rows, fault in
        mapper.map(file, content: content.map { Array($0.utf8) }, into: &json, rows: &rows, fault: fault)
    }
}

private func mapWith(
    _ options: MappingOptions,
    _ map: (ElementMapper, inout JSONBytes, inout RawArray<EncodedResource>, (Malformation.Kind) -> Void) ->
        ElementTally
) throws -> MappedElements {
    var json = JSONBytes()
    var rows = RawArray<EncodedResource>()
    var mapped = MappedElements()
    let mapper = ElementMapper(table: try .embedded(), options: options, registry: DeviceRegistry())
    var faults: [Malformation.Kind] = []
    mapped.tally = map(mapper, &json, &rows) { faults.append($0) }
    mapped.faults = faults
    let bytes = unsafe json.withBytes { unsafe Array($0) }
    for index in 0..<rows.count {
        let row = rows[index]
        mapped.rows.append(row)
        mapped.json.append(String(decoding: bytes[Int(row.start)..<Int(row.start + row.count)], as: UTF8.self))
    }
    return mapped
}

/// A workout of half an hour.
func workout(
    _ activity: String = "Running",
    _ attributes: [(String, String)] = [],
    children: [HealthElement] = []
) -> HealthElement {
    HealthElement(
        .workout,
        [
            .init("workoutActivityType", "HKWorkoutActivityType" + activity), .init("sourceName", "App"),
            .init("startDate", "2024-06-01 08:00:00 +0100"), .init("endDate", "2024-06-01 08:30:00 +0100"),
        ] + attributes.map { HealthElement.Attribute($0.0, $0.1) },
        children: children
    )
}

func metadata(_ key: String, _ value: String) -> HealthElement {
    HealthElement(.metadataEntry, [.init("key", key), .init("value", value)])
}

func element(_ name: ElementName, _ attributes: KeyValuePairs<String, String>, _ children: [HealthElement] = [])
    -> HealthElement
{
    HealthElement(name, attributes.map { HealthElement.Attribute($0.key, $0.value) }, children: children)
}
