/// What one chunk holds, counted by a worker: the committer adds the tallies up.
struct InspectionTally: Sendable {
    /// Records that share type, unit and source.
    struct Row: Sendable {
        /// What they share.
        let name: InspectedName
        /// How many there are.
        let records: UInt64
        /// Those of them that a conversion writes each on its own.
        let written: UInt64
        /// The first and the last start among them, in seconds since 1970; `nil` where none has a date.
        let starts: ClosedRange<Int64>?
    }

    var rows: [Row] = []
    /// Records by the month of their start: 12 × year + month − 1.
    var months: [(month: Int32, records: UInt64)] = []
}

/// Type, unit and source of some records, and what the mapping says of them.
struct InspectedName: Sendable {
    var type: String
    /// Without its molar mass; `nil` for records without a unit.
    var unit: String?
    var source: String
    /// Whether they are written with Apple's code alone, though not because there is no other.
    var lacksCodes: Bool
    var isKnownUnit = true
    /// A value without a meaning in the mapping: Apple's name for it, or `other`.
    var unknownValue: String?
}
