internal import FHIRR4
internal import HealthExport
public import HealthKitMapping

/// What a run did, in numbers: the content of `--report FILE`, whose keys are stable.
///
/// Holds no value, name or date of anybody: names from the file are in it only where they
/// are Apple's own, and others are counted as `other`.
public struct RunReport: Sendable, Equatable {
    /// What is wrong with the input.
    public var damage = Damage()
    /// Bytes of XML read, unpacked; of an electrocardiogram alone, its bytes.
    public var bytesRead: UInt64 = 0
    /// Bytes written, compressed where asked.
    public var bytesWritten: UInt64 = 0
    /// Records by type, and what had no meaning in the mapping, elements too.
    public var tally = MappingTally()
    /// Records inside another element: a workout's and a food's nutrients are written, all others only counted.
    public var nestedRecords: UInt64 = 0
    /// Elements other than `Record`, by name, nested ones too.
    public var elements: [String: UInt64] = [:]
    /// Attributes that Apple's DTD does not declare.
    public var unmappedAttributes: UInt64 = 0
    /// Resources written, by resource type.
    public var resources: [String: UInt64] = [:]
    /// Bundles written (groups of lines with `--format resources`).
    public var bundles: UInt64 = 0
    /// Resources in them.
    public var entries: UInt64 = 0
    /// Resources that were the same as another in their Bundle.
    public var duplicates: UInt64 = 0
    /// Those of them that said something else, where no version tells which of the two is newer.
    public var conflictingDuplicates: UInt64 = 0
    /// Records that are not written on their own, since a panel holds them.
    public var inPanels: UInt64 = 0
    /// Values of blood pressure that are not written since their panels may have been lost: behind the end of a cut export, or
    /// in a correlation that could not be read.
    public var withoutPanel: UInt64 = 0
    /// Whether daily summaries were asked for and not written, since elements of the export were lost.
    public var leavesOutSummaries = false
    /// Resources that should have waited and were written at once, for want of room.
    public var writtenEarly: UInt64 = 0
    /// Files beside the XML that were read, by kind, such as `electrocardiogram`.
    public var files: [String: UInt64] = [:]
    /// Files that the XML refers to and the export does not hold, by kind.
    public var missingFiles: [String: UInt64] = [:]
    /// Files beside the XML that were not read: not asked for, not named by the XML, or of a kind that is not converted.
    public var unreadFiles: [String: UInt64] = [:]
    /// Whether there is an XML at all, and not one electrocardiogram alone; not part of the JSON.
    public var hasXML = true
    /// Wall-clock time.
    public var seconds: Double = 0
    /// The most memory that the process has held.
    public var peakMemoryBytes: UInt64 = 0
    /// When the run began, by the system's clock, in seconds since 1970, such as 1719817200.
    public var started: Int64 = 0
    /// What the mapping is told by in keys, ``MappingTable/fingerprint``, such as `8`.
    public var mappingVersion = ""
    /// Whether days were summed up that are those of UTC, since no time zone was given; not part of the JSON.
    public var sumsUTCDays = false
    /// The value of `ExportDate` in seconds since 1970; not part of the JSON.
    public private(set) var exportSeconds: Int64?
    /// The same as a FHIR instant; not part of the JSON.
    public var exportDate: String? { exportSeconds.map(FHIRDateTime.utcText) }

    /// Nothing yet.
    public init() {}

    /// Whether a file that the XML refers to is not there, or is none of its kind.
    ///
    /// - Parameter withRoutes: whether routes were asked for.
    /// - Returns: whether there is such a file.
    public func lacksFiles(withRoutes: Bool) -> Bool {
        !missingFiles.isEmpty || (withRoutes && tally.unmapped.elements[ElementName.workoutRoute.text, default: 0] > 0)
    }

    /// Counts the elements of one batch.
    mutating func add(_ batch: borrowing ElementBatch, converted: Set<ElementName>) {
        for element in ElementName.allCases {
            let index = Int(element.rawValue)
            // There is always one root, whole or not; the run knows whether the file closed it.
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

    /// Counts what had no meaning in elements other than records.
    mutating func add(_ elements: ElementTally) {
        tally.unmapped.add(elements.unmapped)
    }

    /// Counts files beside the XML.
    mutating func add(_ tally: FileTally) {
        files.merge(tally.read, uniquingKeysWith: +)
        missingFiles.merge(tally.missing, uniquingKeysWith: +)
    }

    /// Keeps the text of `ExportDate` as an instant; what is none counts as a value that is not known.
    mutating func noteExportDate(_ text: String) {
        if let seconds = ExportDate.seconds(text), FHIRDateTime.range.contains(seconds) {
            exportSeconds = seconds
        } else {
            tally.unmapped.values["other", default: 0] += 1
        }
    }

    /// The report as JSON, keys in a fixed order, two spaces deep.
    public var json: String { ReportJSON.object(members).text + "\n" }

    /// Its keys and values, in the order in which they are written.
    var members: [(String, ReportJSON)] {
        damage.endMembers + [
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
