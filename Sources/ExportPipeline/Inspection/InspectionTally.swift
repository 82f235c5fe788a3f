/// What one chunk holds, counted by a worker; the committing thread adds the tallies up.
struct InspectionTally: Sendable {
    /// Records that share type, unit and source.
    struct Row: Sendable {
        /// What they share.
        let name: InspectedName
        /// How many there are.
        let records: UInt64
        /// How many of them a conversion writes on their own.
        let written: UInt64
        /// The first and the last start among them, in seconds since 1970; `nil` if none has a date.
        let starts: ClosedRange<Int64>?
    }

    var rows: [Row] = []
    /// Records by the month of their start: 12 × year + month − 1.
    var months: [(month: Int32, records: UInt64)] = []
}

/// The type, unit and source of some records, and what the mapping says about them.
struct InspectedName: Sendable {
    var type: String
    /// Without its molar mass; `nil` for records without a unit.
    var unit: String?
    var source: String
    /// Whether they are written with Apple's code alone because the mapping has no code for this type or unit, not by
    /// intention.
    var lacksCodes: Bool
    var isKnownUnit = true
    /// A value without a meaning in the mapping: Apple's name for it, or `other`.
    var unknownValue: String?
}
