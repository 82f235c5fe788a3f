internal import FHIRR4

/// Tags in `meta.tag` that keep sums out of sums.
enum SummaryTag {
    /// For what sums up samples.
    static let summary = tag("summary", "Summary of samples")
    /// For what one of a workout's activities came to, which the workout's own resources include.
    static let part = tag("part", "Part of a workout")

    private static func tag(_ code: String, _ display: String) -> Coding {
        Coding(system: "urn:uuid:7b23b66f-1057-4da6-9c18-807f61327475", code: code, display: display)
    }
}
