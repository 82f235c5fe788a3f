/// Placeholder until inspect is written.
struct InspectionTally: Sendable {}
