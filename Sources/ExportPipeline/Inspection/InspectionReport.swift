public import FHIRR4
public import HealthExport

/// The content of an export, as `pghd inspect` shows it.
///
/// Every `Record` element is counted, including nested ones, as `pghd convert` counts them. It holds no sample's value,
/// but names of sources and dates of samples: it is health data.
public struct InspectionReport: Sendable, Equatable {
    /// The records of one type.
    public struct TypeSummary: Sendable, Equatable {
        /// As the export writes it, such as `HKQuantityTypeIdentifierHeartRate`; empty if there is none.
        public let type: String
        /// How many there are.
        public let records: UInt64
        /// The first and the last start, in seconds since 1970; `nil` if no record has a date.
        public let starts: ClosedRange<Int64>?
        /// Records by unit, without molar masses: `mmol/L`.
        public let units: [String: UInt64]
        /// The standard codes that they are written with in their most frequent unit.
        public let codings: [Coding]
        /// Whether the mapping knows the type; an unknown type is written with Apple's code alone.
        public let isKnown: Bool

        /// A summary with these values.
        public init(
            type: String,
            records: UInt64,
            starts: ClosedRange<Int64>?,
            units: [String: UInt64],
            codings: [Coding],
            isKnown: Bool
        ) {
            self.type = type
            self.records = records
            self.starts = starts
            self.units = units
            self.codings = codings
            self.isKnown = isKnown
        }
    }

    /// The records of one app or device.
    public struct SourceSummary: Sendable, Equatable {
        /// Its `sourceName`.
        public let name: String
        /// How many there are.
        public let records: UInt64

        /// A summary with these values.
        public init(name: String, records: UInt64) {
            self.name = name
            self.records = records
        }
    }

    /// The records of one month, by their start in UTC.
    public struct MonthSummary: Sendable, Equatable {
        /// The year, such as 2024.
        public let year: Int
        /// The month, 1 to 12.
        public let month: Int
        /// How many there are; never 0.
        public let records: UInt64

        /// A summary with these values.
        public init(year: Int, month: Int, records: UInt64) {
            self.year = year
            self.month = month
            self.records = records
        }
    }

    /// An electrocardiogram that can be read: when and how it was recorded, without its content.
    public struct ElectrocardiogramSummary: Sendable, Equatable {
        /// When it was recorded, in seconds since 1970.
        public let recorded: Int64
        /// How many voltages it has.
        public let sampleCount: Int
        /// Samples a second, such as `512` or `511.562`.
        public let sampleRate: String

        init(_ electrocardiogram: Electrocardiogram) {
            recorded = electrocardiogram.recorded
            sampleCount = electrocardiogram.samples.count
            sampleRate =
                ExactDecimal(
                    digits: UInt128(electrocardiogram.sampleRate),
                    exponent: -electrocardiogram.sampleRateDecimals
                ).text
        }
    }

    /// The most types, and the most sources, that are kept apart; the rest are `nameOfTheRest`.
    public static let maximumNameCount = 10_000
    /// The most units of a type that are kept apart.
    public static let maximumUnitCount = 100
    /// The name for those beyond `maximumNameCount`.
    public static let nameOfTheRest = "(others)"

    /// The form of the input.
    public var kind = ExportInput.Kind.xml
    /// The main XML's name inside a zip or folder.
    public var memberName: String?
    /// How many other files there are.
    public var otherMembers = MemberCounts()
    /// The electrocardiograms, the earliest first.
    public var electrocardiograms: [ElectrocardiogramSummary] = []
    /// What is wrong with the input.
    public var damage = Damage()
    /// Bytes of XML read, unpacked.
    public var bytesRead: UInt64 = 0
    /// When the export was made, as a FHIR instant; `nil` if it does not say so.
    public var exportDate: String?
    /// All `Record` elements.
    public var records: UInt64 = 0
    /// Those inside another element, such as `Correlation`.
    public var nestedRecords: UInt64 = 0
    /// Records by type, the most frequent first.
    public var types: [TypeSummary] = []
    /// Records by source, the most frequent first.
    public var sources: [SourceSummary] = []
    /// Records by month, the earliest first; a record without a date is in none.
    public var months: [MonthSummary] = []
    /// Elements other than `Record`, by name, nested ones too.
    public var elements: [String: UInt64] = [:]
    /// Types that the mapping doesn't know, with their records; here and below, nested or unusable records don't count.
    public var unmappedTypes: [String: UInt64] = [:]
    /// Units that the mapping doesn't know; their values are written without a UCUM code.
    public var unmappedUnits: [String: UInt64] = [:]
    /// Values that the mapping doesn't know, by Apple's name or as `other`; they are written as text.
    public var unmappedValues: [String: UInt64] = [:]
    /// Elements that this version does not convert, by name.
    public var unmappedElements: [String: UInt64] = [:]
    /// Attributes that Apple's DTD does not declare.
    public var unmappedAttributes: UInt64 = 0
    /// The run's wall-clock time in seconds.
    public var seconds: Double = 0
    /// The most memory that the process held.
    public var peakMemoryBytes: UInt64 = 0
    /// When the run began, by the system's clock, in seconds since 1970, such as 1719817200.
    public var started: Int64 = 0

    /// A report of nothing.
    public init() {}
}
