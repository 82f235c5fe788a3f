import FHIRR4
import HealthExport

extension SupportedTypesTable {
    /// One JSON object with a line for each type and sorted keys, ending with a line feed.
    ///
    /// `{"aliases":{…},"counts":{…},"types":[{"category":"vital-signs","codings":[…],…},…],"version":"1",…}`.
    /// Keys are stable: new ones may be added; none is removed or changes its meaning.
    package static func json(_ table: MappingTable) -> String {
        let counts = counts(table)
        let types = table.types.map { object(row($0)).text }
        let activities = table.workoutActivities.map { object($0).text }
        let languages = ElectrocardiogramLanguage.allCases.map { ($0.rawValue, object(labels(in: $0))) }
        return """
            {
            "aliases": \(TypesJSON.object(table.aliases.mapValues(TypesJSON.string)).text),
            "counts": \(object(counts).text),
            "electrocardiogramLabels": \(TypesJSON.object(Dictionary(uniqueKeysWithValues: languages)).text),
            "types": [
            \(types.joined(separator: ",\n"))
            ],
            "version": \(TypesJSON.string(table.version).text),
            "workoutActivities": [
            \(activities.joined(separator: ",\n"))
            ]
            }

            """
    }

    private static func object(_ counts: Counts) -> TypesJSON {
        .object([
            "aliases": .number(counts.aliases),
            "categoryTypes": .number(counts.categoryTypes),
            "electrocardiogramLanguages": .number(counts.electrocardiogramLanguages),
            "quantityTypes": .number(counts.quantityTypes),
            "typesWithLOINC": .number(counts.withLOINC),
            "typesWithSNOMEDCT": .number(counts.withSNOMEDCT),
            "workoutActivities": .number(counts.workoutActivities),
        ])
    }

    private static func object(_ activity: (number: Int, name: String, mapping: ValueMapping)) -> TypesJSON {
        .object([
            "identifier": .string(activity.name), "number": .number(activity.number),
            "text": .string(activity.mapping.text), "codings": .list(activity.mapping.codings.map { object($0) }),
        ])
    }

    private static func object(_ labels: [(row: ElectrocardiogramRow, labels: [String])]) -> TypesJSON {
        .object(
            Dictionary(uniqueKeysWithValues: labels.map { ($0.row.rawValue, .list($0.labels.map(TypesJSON.string))) })
        )
    }

    private static func object(_ row: Row) -> TypesJSON {
        let type = row.type
        var members: [String: TypesJSON] = [
            "identifier": .string(type.identifier),
            "display": .string(type.display),
            "kind": .string(type.kind.rawValue),
            "category": .string(type.category),
            "codings": .list(type.standardCodings.map { object($0.coding, ucumCode: $0.ucumCode) }),
        ]
        switch type.kind {
        case .quantity:
            members["units"] = .list(
                type.appleUnits.compactMap { appleUnit in
                    writtenUnit(appleUnit, of: type).map { unit in
                        .object([
                            "appleUnit": .string(appleUnit), "ucumCode": .string(unit.ucumCode),
                            "label": .string(unit.display),
                        ])
                    }
                }
            )
        case .category:
            members["isEvent"] = .boolean(type.isEvent)
            members["values"] = .list(
                row.values.map { value in
                    .object([
                        "number": .number(value.number), "text": .string(value.mapping.text),
                        "codings": .list(value.mapping.codings.map { object($0) }),
                    ])
                }
            )
        }
        return .object(members)
    }

    private static func object(_ coding: Coding, ucumCode: String? = nil) -> TypesJSON {
        var members: [String: TypesJSON] = ["system": .string(coding.system), "code": .string(coding.code)]
        members["display"] = coding.display.map(TypesJSON.string)
        members["ucumCode"] = ucumCode.map(TypesJSON.string)
        return .object(members)
    }
}

/// JSON as text, without spaces and with sorted keys.
private indirect enum TypesJSON {
    case string(String)
    case number(Int)
    case boolean(Bool)
    case list([TypesJSON])
    case object([String: TypesJSON])

    var text: String {
        switch self {
        case .string(let value): Self.quoted(value)
        case .number(let value): "\(value)"
        case .boolean(let value): "\(value)"
        case .list(let items): "[" + items.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.sorted { $0.key < $1.key }.map { "\(Self.quoted($0.key)):\($0.value.text)" }
                .joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ value: String) -> String {
        var bytes = JSONBytes(capacity: 64)
        bytes.appendString(value)
        return unsafe bytes.withBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
