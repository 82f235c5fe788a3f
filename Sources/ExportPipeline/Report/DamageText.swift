internal import HealthExport

/// What is wrong with an input, in words for people.
enum DamageText {
    /// One line a fault up to `mostPlaces`, then how many more there are; `none` where nothing is wrong.
    static func lines(
        isComplete: Bool,
        inputFault: String?,
        counts: [String: UInt64],
        places: [Malformation],
        mostPlaces: Int
    ) -> [String] {
        var lines: [String] = []
        if let inputFault { lines.append(inputFault) }
        if !isComplete, inputFault == nil {
            lines.append("the export ends before </HealthData>: what came before the break was read")
        }
        lines += places.prefix(mostPlaces).map(\.words)
        let total = counts.values.reduce(0, +)
        let shown = UInt64(min(places.count, mostPlaces))
        if total > shown {
            lines.append("and \(ReportText.grouped(total - shown)) more; in all " + kinds(counts))
        }
        return lines.isEmpty ? ["none"] : lines
    }

    /// `3 forbiddenCharacter, 1 truncated`, in the report's own words.
    private static func kinds(_ counts: [String: UInt64]) -> String {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\(ReportText.grouped($0.value)) \($0.key)" }
            .joined(separator: ", ")
    }
}
