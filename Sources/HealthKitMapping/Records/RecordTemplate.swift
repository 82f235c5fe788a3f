internal import FHIRR4
internal import HealthExport
internal import OpenSSLCrypto

/// What all records of one type, unit, source and device share, worked out once.
///
/// The JSON of an Observation is some fixed pieces around its id, time and number; the two hashes start from the states
/// after their fixed fields. So a record costs only what differs.
struct RecordTemplate: BitwiseCopyable {
    /// Where a piece of fixed JSON is in the mapper's arena.
    struct Piece: BitwiseCopyable {
        var start: UInt32 = 0
        var count: UInt32 = 0

        /// A part of it.
        func part(_ range: Range<UInt32>) -> Piece {
            Piece(start: start &+ range.lowerBound, count: range.upperBound &- range.lowerBound)
        }
    }
    /// Up to the id in `"id":"`.
    var beforeID = Piece()
    /// Up to the id in `identifier`.
    var beforeIdentifier = Piece()
    /// Up to the effective time.
    var beforeEffective = Piece()
    /// Up to the number; the whole value if `valueIsFixed`.
    var beforeValue = Piece()
    /// Up to the id in `request.url` or `ifNoneExist`, or to the end.
    var afterValue = Piece()
    /// Where metadata's elements and extensions go in `afterValue`: after `device`, and after the gateway's extension.
    var deviceEnd: UInt32 = 0
    var gatewayEnd: UInt32 = 0
    /// Where metadata may go.
    var metadataPlaces = MetadataPlaces()
    /// What follows the last id.
    var end = Piece()
    /// Whether an id is between `afterValue` and `end`.
    var hasTrailingID = true
    /// Whether the resource's own id is written: servers choose it in conditional creates.
    var hasOwnID = true

    var identityHead: SHA256Midstate
    /// The same without the source, for samples with a sync identifier that no other app may use.
    var unsourcedHead: SHA256Midstate
    var digestHead: SHA256Midstate
    var conversion = ValueConversion.asWritten
    /// The rule to the canonical unit, for the identity of numbers.
    var canonicalUnit = CanonicalUnit.itself
    /// Whether that rule changes nothing.
    var isCanonical = true
    /// What follows the number in the identity, for units that the scheme doesn't know: ` furlong`.
    var identitySuffix = Piece()
    /// The value's identity text, if it is the same for every record.
    var fixedIdentityValue = Piece()
    /// The canonical source name, which the identity has in addition to a short sync identifier.
    var sourceName = Piece()
    /// Whether the value is part of the template (categories, and quantities that are not a number).
    var valueIsFixed = false
    /// Whether its numbers are fractions in Apple's `%`: one above `fractionCeiling` needs another template.
    var takesFractions = false
    var fractionCeiling = FractionCeiling.usual
    /// Whether it is that other template.
    var isSuspect = false
    /// Whether the options ask for this type.
    var isWanted = true
    var kind: UInt64 = 0
    /// Its place in `SummarySeries.all`; -1 if no summary is wanted.
    var series: Int16 = -1
    /// What its numbers are divided by for the series, and the number of its source there.
    var seriesDivisor: UInt64 = 1
    var seriesSource: UInt64 = 0
    /// For sleep, the stage's raw number.
    var seriesStage: UInt64 = 0
    /// Whether it is written in its place or waits for a panel.
    var role = EncodedResource.Role.resource
    /// Whether food panels may hold the same sample once more.
    var isNutrient = false
    var device: Int32 = -1
    var gateway: Int32 = -1
    /// Its place in the cache's `infos`, for counting.
    var info: Int32 = 0
    /// Records that used it: all of them, those that were written, and those that the options left out.
    var records: UInt64 = 0
    var written: UInt64 = 0
    var filtered: UInt64 = 0

    /// Whether a number needs the other template, the one for suspect numbers.
    @inline(__always)
    func isExceeded(by value: ExactDecimal) -> Bool { takesFractions && value.isAbove(fractionCeiling) }

    /// Whether numbers are converted before they are written.
    var isConverted: Bool { if case .asWritten = conversion { false } else { true } }

    /// Whether a record of it may be written as a copy of an earlier one, with another id, time and number.
    var isRepeatable: Bool {
        isWanted && !valueIsFixed && !isSuspect && series < 0 && role == .resource && !isNutrient && hasOwnID
            && hasTrailingID
    }
}

/// The texts that a template is made from.
struct RecordKey {
    var type: String
    var unit: String?
    var sourceName: String
    var sourceVersion: String
    var device: String
    var deviceMetadata = DeviceMetadata()
    /// Whether a laboratory took it.
    var wasTakenInLab = false
    /// A number in Apple's `%` above the type's ``FractionCeiling``.
    var isSuspectPercent = false
    /// The value, if it is part of the template; `nil` for numbers.
    var fixedValue: FixedValue?

    /// A value that does not vary within its template.
    enum FixedValue: Equatable {
        /// A category value's text, or `nil` for an event without one.
        case category(String?)
        /// The text of a quantity that is not a number.
        case text(String?)
    }
}
