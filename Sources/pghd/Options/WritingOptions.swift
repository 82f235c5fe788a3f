import ArgumentParser
import ExportPipeline
import FHIRR4
import HealthKitMapping
import TransactionBundling

/// How resources and Bundles are written.
struct WritingOptions: ParsableArguments {
    static let entryRange = BundleLimits.entryCounts
    static let byteRange = 10_000...BundleLimits.byteCounts.upperBound

    @Option(
        help: ArgumentHelp(
            "The zone to write times in, such as Europe/Paris, where a sample names none, or PGHD_TIME_ZONE. "
                + "(default: none, which writes UTC with a Z)",
            valueName: "zone"
        )
    )
    var timeZone: String?

    @Flag(help: "Create by identifier (ifNoneExist), for servers that refuse ids chosen by clients.")
    var conditional = false

    @Flag(
        help: """
            Add daily summaries: totals and means by day of --time-zone, iPhone and Watch resolved, tagged so that \
            nobody adds them to the samples.
            """
    )
    var summaries = false

    @Flag(
        inversion: .prefixedNo,
        help: "Keep metadata that has no place of its own in FHIR, in extensions."
    )
    var metadata = true

    @Option(
        help: ArgumentHelp(
            "Most entries of a Bundle, \(entryRange.words).",
            valueName: "count"
        )
    )
    var maxEntries = BundleLimits.defaultMaximumEntryCount

    @Option(
        help: ArgumentHelp(
            "Most bytes of a Bundle, \(byteRange.words).",
            valueName: "count"
        )
    )
    var maxBytes = BundleLimits.defaultMaximumByteCount

    @Option(
        help: ArgumentHelp(
            "Make ids an HMAC with this file's bytes as the key; only its owner may read it.",
            valueName: "file"
        ),
        completion: .file()
    )
    var idKey: String?

    func validate() throws {
        guard Self.entryRange.contains(maxEntries) else {
            throw ValidationError.outOfRange("--max-entries", maxEntries, Self.entryRange)
        }
        guard Self.byteRange.contains(maxBytes) else {
            throw ValidationError.outOfRange("--max-bytes", maxBytes, Self.byteRange)
        }
        _ = try timeZone.map(Self.checkedTimeZone)
    }

    /// Puts the form of resources into `options`.
    ///
    /// - Throws: `ValidationError` for a key file that can't be used.
    func apply(to options: inout MappingOptions) throws {
        options.timeZone = try Setting.timeZone.value(timeZone).map(Self.checkedTimeZone)
        options.keepsMetadata = metadata
        options.summarizes = summaries
        if conditional { options.form = .conditionalCreate }
        options.identityKey = try idKey.map { try IdentityKeyFile.bytes(atPath: $0) }
    }

    /// The size of Bundles.
    var limits: BundleLimits { BundleLimits(maximumEntryCount: maxEntries, maximumByteCount: maxBytes) }

    private static func checkedTimeZone(_ name: String) throws -> String {
        guard isKnownTimeZone(name) else {
            throw ValidationError(
                "--time-zone: '\(name)' is not an IANA time zone of a region (expected a name such as Europe/Paris): "
                    + "check its spelling"
            )
        }
        return name
    }
}
