internal import FHIRR4

/// What keeps summaries out of sums of samples: a tag in `meta.tag`.
enum SummaryTag {
    static let coding = Coding(
        system: "urn:uuid:7b23b66f-1057-4da6-9c18-807f61327475",
        code: "summary",
        display: "Summary of samples"
    )
}
