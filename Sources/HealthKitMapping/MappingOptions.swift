public import FHIRR4
internal import HealthExport
internal import OpenSSLCrypto

/// What a conversion is asked to do, as far as single resources are concerned.
public struct MappingOptions: Sendable {
    /// The patient's logical id on the server, such as `p123`; never guessed.
    public var patientID: String
    /// Whether resources are written alone, or as which kind of Bundle entry.
    public var form: EntryForm
    /// The IANA zone to write times in if a sample does not name its own; `nil` writes UTC.
    public var timeZone: String?
    /// Only these types, by Apple's full identifiers, such as `HKQuantityTypeIdentifierHeartRate`; `nil` for all,
    /// an empty set for none.
    public var types: Set<String>?
    /// Only samples that start at this instant or later, in seconds since 1970.
    public var since: Int64?
    /// Only samples that start before this instant.
    public var until: Int64?
    /// Whether daily summaries are made.
    public var summarizes = false
    /// Whether workouts' routes are written: they show where someone lives.
    public var includesRoutes = false
    /// Whether a Patient is written from what `Me` says, which creates one if there is none; not with conditional
    /// creates, where the server chooses the id that everything else refers to.
    public var includesPatient = false
    /// Whether metadata without a place of its own in FHIR is kept, in extensions.
    public var keepsMetadata = true
    /// Makes ids an HMAC: random bytes, as many as `identityKeyByteCounts` allows.
    ///
    /// They are never printed.
    public var identityKey: [UInt8]? {
        get { hiddenIdentityKey.bytes }
        set { hiddenIdentityKey.bytes = newValue }
    }
    private var hiddenIdentityKey = HiddenBytes()

    /// How long an identity key may be.
    public static let identityKeyByteCounts = 16...4096

    /// Options for everything of one patient, in UTC, as entries that update.
    public init(patientID: String, form: EntryForm = .update) {
        self.patientID = patientID
        self.form = form
    }

    /// `Patient/ID`.
    package var subject: String { "Patient/\(patientID)" }

    /// The options that change a resource's bytes, for the Bundle's key: `conditional;time-zone=Europe/Paris`.
    package var fingerprint: String {
        [
            form == .conditionalCreate ? "conditional" : nil,
            keepsMetadata ? nil : "no-metadata",
            timeZone.map { "time-zone=\($0)" },
        ].compactMap { $0 }.joined(separator: ";")
    }
}

extension MappingOptions {
    /// Whether only part of the export's samples is asked for, so that one that does not come may be there all the
    /// same.
    package var isFiltered: Bool { types != nil || since != nil || until != nil }

    /// Whether `--since` and `--until` include a sample that starts at this instant.
    func isWanted(_ start: Int64) -> Bool { start >= since ?? .min && start < until ?? .max }

    /// Whether `--types` asks for a type of exactly these bytes.
    func wants(_ type: String) -> Bool {
        guard let types else { return true }
        return types.firstIndex(of: type).map { types[$0].isExactly(type) } ?? false
    }
}
