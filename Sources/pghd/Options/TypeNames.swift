import ArgumentParser
import HealthKitMapping

/// Names of types as people write them.
enum TypeNames {
    private static let prefixes = ["", "HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier"]

    /// The identifiers that `text` names, such as `HeartRate,HKCategoryTypeIdentifierSleepAnalysis`.
    ///
    /// Case does not matter. Each type also stands for its other names in the table, since exports use either, and a
    /// panel for what is in it.
    ///
    /// - Throws: `ValidationError` for a name that the table doesn't know.
    static func resolve(_ text: String, in table: MappingTable) throws -> Set<String> {
        var identifiers: Set<String> = []
        let panels = ElementMapper.panelTypes(in: table)
        for name in text.split(separator: ",").map({ $0.trimmed }) where !name.isEmpty {
            func isNamed(_ others: String...) -> Bool { others.contains { $0.lowercased() == name.lowercased() } }
            if let other = ElementMapper.typeNames.first(where: { isNamed($0.key, $0.value) }) {
                identifiers.insert(other.value)
                continue
            }
            if let panel = panels.first(where: { isNamed($0.key, "HKCorrelationTypeIdentifier" + $0.key) }) {
                identifiers.formUnion(panel.value)
                continue
            }
            let type =
                prefixes.lazy.compactMap { table.type($0 + name) }.first
                ?? table.types.first { isNamed($0.identifier, shortName($0.identifier)) }
            guard let type else { throw ValidationError(message(for: name, in: table)) }
            identifiers.insert(type.identifier)
            for (alias, identifier) in table.aliases where identifier == type.identifier { identifiers.insert(alias) }
        }
        guard !identifiers.isEmpty else {
            throw ValidationError(
                "--types: no name in it (expected names such as HeartRate,StepCount): see 'pghd types'"
            )
        }
        return identifiers
    }

    /// The names that are not those of a record's type, in order.
    static func others(in table: MappingTable) -> [String] {
        (Array(ElementMapper.typeNames.keys) + ElementMapper.panelTypes(in: table).keys).sorted()
    }

    private static func message(for name: String, in table: MappingTable) -> String {
        let lowered = name.lowercased()
        let names = others(in: table) + table.types.map { shortName($0.identifier) }
        let similar = lowered.count >= 4 ? names.filter { $0.lowercased().contains(lowered) } : []
        let expected =
            similar.isEmpty ? "names such as HeartRate,StepCount" : similar.prefix(3).joined(separator: " or ")
        return "--types: '\(name)' is not a type in the table (expected \(expected)): see 'pghd types'"
    }

    private static func shortName(_ identifier: String) -> String {
        for prefix in prefixes.dropFirst() where identifier.hasPrefix(prefix) {
            return String(identifier.dropFirst(prefix.count))
        }
        return identifier
    }
}

extension Substring {
    /// The text without spaces around it.
    fileprivate var trimmed: String {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
