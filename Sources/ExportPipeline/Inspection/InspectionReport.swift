package import FHIRR4
package import HealthExport

/// The content of an export, as `pghd inspect` shows it.
///
/// Every `Record` element is counted, including nested ones, as `pghd convert` counts them. It holds no sample's value,
/// but names of sources and dates of samples: it is health data.
package struct InspectionReport: Sendable, Equatable {
    /// The records of one type.
    package struct TypeSummary: Sendable, Equatable {
        /// As the export writes it, such as `HKQuantityTypeIdentifierHeartRate`; empty if there is none.
        package let type: String
        /// How many there are.
        package let records: UInt64
        /// The first and the last start, in seconds since 1970; `nil` if no record has a date.
        package let starts: ClosedRange<Int64>?
        /// Records by unit, without molar masses: `mmol/L`.
        package let units: [String: UInt64]
        /// The standard codes that they are written with in their most frequent unit.
        package let codings: [Coding]
        /// Whether the mapping knows the type; an unknown type is written with Apple's code alone.
        package let isKnown: Bool

        /// A summary with these values.
        package init(
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
    package struct SourceSummary: Sendable, Equatable {
        /// Its `sourceName`.
        package let name: String
        /// How many there are.
        package let records: UInt64

        /// A summary with these values.
        package init(name: String, records: UInt64) {
            self.name = name
            self.records = records
        }
    }

    /// The records of one month, by their start in UTC.
    package struct MonthSummary: Sendable, Equatable {
        /// The year, such as 2024.
        package let year: Int
        /// The month, 1 to 12.
        package let month: Int
        /// How many there are; never 0.
        package let records: UInt64

        /// A summary with these values.
        package init(year: Int, month: Int, records: UInt64) {
            self.year = year
            self.month = month
            self.records = records
        }
    }

    /// An electrocardiogram that can be read: when and how it was recorded, without its content.
    package struct ElectrocardiogramSummary: Sendable, Equatable {
        /// When it was recorded, in seconds since 1970.
        package let recorded: Int64
        /// How many voltages it has.
        package let sampleCount: Int
        /// Samples a second, such as `512` or `511.562`.
        package let sampleRate: String

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
    package static let maximumNameCount = 10_000
    /// The most units of a type that are kept apart.
    static let maximumUnitCount = 100
    /// The name for those beyond `maximumNameCount`.
    package static let nameOfTheRest = "(others)"

    /// The form of the input.
    package var kind = ExportInput.Kind.xml
    /// The main XML's name inside a zip or folder.
    package var memberName: String?
    /// How many other files there are.
    package var otherMembers = MemberCounts()
    /// The electrocardiograms, the earliest first.
    package var electrocardiograms: [ElectrocardiogramSummary] = []
    /// What is wrong with the input.
    package var damage = Damage()
    /// Bytes of XML read, unpacked.
    package var bytesRead: UInt64 = 0
    /// When the export was made, as a FHIR instant; `nil` if it does not say so.
    package var exportDate: String?
    /// By how much the phone's clock was ahead of UTC then, such as `+01:00`.
    package var exportOffset: String?
    /// All `Record` elements.
    package var records: UInt64 = 0
    /// Those inside another element, such as `Correlation`.
    package var nestedRecords: UInt64 = 0
    /// Records by type, the most frequent first.
    package var types: [TypeSummary] = []
    /// Records by source, the most frequent first.
    package var sources: [SourceSummary] = []
    /// Records by month, the earliest first; a record without a date is in none.
    package var months: [MonthSummary] = []
    /// Elements other than `Record`, by name, nested ones too.
    package var elements: [String: UInt64] = [:]
    /// Types that the mapping doesn't know, with their records; here and below, nested or unusable records don't count.
    package var unmappedTypes: [String: UInt64] = [:]
    /// Units that the mapping doesn't know; their values are written without a UCUM code.
    package var unmappedUnits: [String: UInt64] = [:]
    /// Values that the mapping doesn't know, by Apple's name or as `other`; they are written as text.
    package var unmappedValues: [String: UInt64] = [:]
    /// Elements that this version does not convert, by name.
    package var unmappedElements: [String: UInt64] = [:]
    /// Attributes that Apple's DTD does not declare.
    package var unmappedAttributes: UInt64 = 0
    /// The run's wall-clock time in seconds.
    package var seconds: Double = 0
    /// The most memory that the process held.
    package var peakMemoryBytes: UInt64 = 0
    /// When the run began, by the system's clock, in seconds since 1970, such as 1719817200.
    package var started: Int64 = 0

    /// A report of nothing.
    package init() {}
}
