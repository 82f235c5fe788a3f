internal import FHIRR4
internal import HealthExport
public import HealthKitMapping

/// What a run did, in numbers: the content of `--report FILE`, whose keys are stable.
///
/// Holds no value, name or date of any person: names from the file are in it only if they are Apple's own; others are
/// counted as `other`.
public struct RunReport: Sendable, Equatable {
    /// What is wrong with the input.
    public var damage = Damage()
    /// Whether the damage may have cost something: not if all of it is the phone's own doing and was repaired.
    public var mayHaveLost = false
    /// Bytes of XML read, unpacked; the file's bytes if the input is one electrocardiogram.
    public var bytesRead: UInt64 = 0
    /// Bytes written, compressed if that was requested.
    public var bytesWritten: UInt64 = 0
    /// Records by type, and what the mapping does not know, in elements too.
    public var tally = MappingTally()
    /// Records inside another element: a workout's, and a food's nutrients, are written; all others are only counted.
    public var nestedRecords: UInt64 = 0
    /// Elements other than `Record`, by name, nested ones too.
    public var elements: [String: UInt64] = [:]
    /// Attributes that Apple's DTD does not declare.
    public var unmappedAttributes: UInt64 = 0
    /// Resources written, by resource type.
    public var resources: [String: UInt64] = [:]
    /// Bundles written (groups of lines with `--format resources`).
    public var bundles: UInt64 = 0
    /// How many resources are in them.
    public var entries: UInt64 = 0
    /// Resources that another one in their Bundle repeats.
    public var duplicates: UInt64 = 0
    /// Those of them with other content, where no version shows which of the two is newer.
    public var conflictingDuplicates: UInt64 = 0
    /// Records that are not written on their own because a panel, or a food's nutrient at the top level, covers them.
    public var inPanels: UInt64 = 0
    /// Values of blood pressure that are not written because their panels may have been lost.
    ///
    /// The export is cut before the panels, or a correlation could not be read.
    public var withoutPanel: UInt64 = 0
    /// Whether daily summaries were requested but not written, because elements of the export were lost.
    public var leavesOutSummaries = false
    /// Resources that should have waited but were written at once, because there was no room.
    public var writtenEarly: UInt64 = 0
    /// Files next to the XML that were read, by kind, such as `electrocardiogram`.
    public var files: [String: UInt64] = [:]
    /// Files that the XML refers to but the export does not hold, by kind.
    public var missingFiles: [String: UInt64] = [:]
    /// Files next to the XML that were not read: not asked for, not named by the XML, or of a kind that is not
    /// converted.
    public var unreadFiles: [String: UInt64] = [:]
    /// Whether there is any XML, not just one electrocardiogram; not part of the JSON.
    public var hasXML = true
    /// The run's wall-clock time in seconds.
    public var seconds: Double = 0
    /// The most memory that the process held.
    public var peakMemoryBytes: UInt64 = 0
    /// When the run began, by the system's clock, in seconds since 1970, such as 1719817200.
    public var started: Int64 = 0
    /// What identifies the mapping in keys, such as `8`.
    public var mappingVersion = ""
    /// Whether daily summaries use days of UTC because no time zone was given; not part of the JSON.
    public var sumsUTCDays = false
    /// The value of `ExportDate` in seconds since 1970; not part of the JSON.
    public private(set) var exportSeconds: Int64?
    /// The same as a FHIR instant; not part of the JSON.
    public var exportDate: String? { exportSeconds.map(FHIRDateTime.utcText) }
    /// By how much the phone's clock was ahead of UTC on that day, such as `+01:00`; not part of the JSON.
    package private(set) var exportOffset: String?

    /// A report of nothing.
    public init() {}

    /// Whether a file that the XML refers to is missing or unusable.
    ///
    /// - Parameter withRoutes: whether routes were asked for.
    /// - Returns: whether there is such a file.
    package func lacksFiles(withRoutes: Bool) -> Bool {
        !missingFiles.isEmpty || (withRoutes && tally.unmapped.elements[ElementName.workoutRoute.text, default: 0] > 0)
    }

    /// Counts the elements of one batch.
    mutating func add(_ batch: borrowing ElementBatch, converted: Set<ElementName>) {
        for element in ElementName.allCases {
            let index = Int(element.rawValue)
            // There is always one root, whole or not; `damage` says whether the file closed it.
            if element != .record, element != .healthData, batch.elementCounts[index] > 0 {
                elements[element.text, default: 0] += batch.elementCounts[index]
            }
            if batch.unreadCounts[index] > 0 {
                tally.unmapped.elements[element.text, default: 0] += batch.unreadCounts[index]
            }
            if !converted.contains(element), batch.topLevelCounts[index] > 0 {
                tally.unmapped.elements[element.text, default: 0] += batch.topLevelCounts[index]
            }
        }
        let record = Int(ElementName.record.rawValue)
        nestedRecords += batch.elementCounts[record] - min(batch.topLevelCounts[record], batch.elementCounts[record])
        unmappedAttributes += batch.unknownAttributes
    }

    /// Counts what the mapping does not know in elements other than records.
    mutating func add(_ elements: ElementTally) {
        tally.unmapped.add(elements.unmapped)
    }

    /// Counts files next to the XML.
    mutating func add(_ tally: FileTally) {
        files.merge(tally.read, uniquingKeysWith: +)
        missingFiles.merge(tally.missing, uniquingKeysWith: +)
    }

    /// Keeps the text of `ExportDate` as an instant; a text that is not one counts as an unknown value.
    mutating func noteExportDate(_ text: String) {
        if let seconds = ExportDate.seconds(text), FHIRDateTime.range.contains(seconds) {
            exportSeconds = seconds
            // The form was checked: `±HHMM` at the end.
            exportOffset = "\(text.suffix(5).prefix(3)):\(text.suffix(2))"
        } else {
            tally.unmapped.values["other", default: 0] += 1
        }
    }

    /// The report as JSON, with keys in a fixed order, indented by two spaces.
    public var json: String { ReportJSON.object(members).text + "\n" }

    /// Its keys and values, in the order in which they are written.
    var members: [(String, ReportJSON)] {
        damage.endMembers + [
            ("mayHaveLost", .bool(mayHaveLost)),
            ("bytesRead", .count(bytesRead)),
            ("bytesWritten", .count(bytesWritten)),
            ("records", .counts(tally.records)),
            ("nestedRecords", .count(nestedRecords)),
            ("filteredRecords", .count(tally.filteredRecords)),
            ("elements", .counts(elements)),
            ("resources", .counts(resources)),
            ("bundles", .count(bundles)),
            ("entries", .count(entries)),
            ("duplicates", .count(duplicates)),
            ("conflictingDuplicates", .count(conflictingDuplicates)),
            ("inPanels", .count(inPanels)),
            ("withoutPanel", .count(withoutPanel)),
            ("leavesOutSummaries", .bool(leavesOutSummaries)),
            ("writtenEarly", .count(writtenEarly)),
            ("files", .counts(files)),
            ("missingFiles", .counts(missingFiles)),
            ("unreadFiles", .counts(unreadFiles)),
        ] + damage.faultMembers + [
            (
                "unmapped",
                .object([
                    ("types", .counts(tally.unmapped.types)), ("units", .counts(tally.unmapped.units)),
                    ("values", .counts(tally.unmapped.values)), ("percents", .counts(tally.unmapped.suspectPercents)),
                    ("elements", .counts(tally.unmapped.elements)),
                    ("attributes", .counts(unmappedAttributes > 0 ? ["other": unmappedAttributes] : [:])),
                ])
            )
        ] + ReportJSON.run(seconds: seconds, peakMemoryBytes: peakMemoryBytes, started: started) + [
            ("mappingVersion", .string(mappingVersion))
        ]
    }
}
