import ArgumentParser
import HealthKitMapping

/// Names of types as people write them.
enum TypeNames {
    private static let prefixes = ["", "HKQuantityTypeIdentifier", "HKCategoryTypeIdentifier"]

    /// The identifiers that `text` names, such as `HeartRate,HKCategoryTypeIdentifierSleepAnalysis`.
    ///
    /// Each type stands for its other names in the table too, since exports write either.
    ///
    /// - Throws: `ValidationError` for a name that the table doesn't know.
    static func resolve(_ text: String, in table: MappingTable) throws -> Set<String> {
        var identifiers: Set<String> = []
        for name in text.split(separator: ",").map({ $0.trimmed }) where !name.isEmpty {
            if let other = ElementMapper.typeNames.first(where: { $0.key == name || $0.value == name }) {
                identifiers.insert(other.value)
                continue
            }
            guard let type = prefixes.lazy.compactMap({ table.type($0 + name) }).first else {
                throw ValidationError(message(for: name, in: table))
            }
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

    private static func message(for name: String, in table: MappingTable) -> String {
        let lowered = name.lowercased()
        let names = table.types.map { shortName($0.identifier) }
        var similar = names.filter { $0.lowercased() == lowered }
        if similar.isEmpty, lowered.count >= 4 { similar = names.filter { $0.lowercased().contains(lowered) } }
        let expected =
            similar.isEmpty ? "names such as HeartRate,StepCount" : similar.prefix(3).joined(separator: " or ")
        return "--types: '\(name)' is no type in the table (expected \(expected)): see 'pghd types'"
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
