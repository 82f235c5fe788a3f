internal import HealthExport

/// How many records there were of each type, and which names had no meaning in the table.
public struct MappingTally: Sendable, Equatable {
    /// Every `Record` element by type, nested ones included.
    public var records: [String: UInt64] = [:]
    /// Records that the options leave out: of other types, or before or after the time asked for.
    public var filteredRecords: UInt64 = 0
    /// What had no meaning in them.
    public var unmapped = UnmappedCounts()

    /// What quantities without a unit are counted as.
    public static let noUnit = "none"

    /// Nothing yet.
    public init() {}

    /// Adds what one batch counted.
    package mutating func add(_ count: TemplateCount) {
        let info = count.info
        records[Self.reportable(info.type), default: 0] += count.records
        filteredRecords += count.filtered
        // What is left out, or only repeats another record, is not written in any form.
        guard count.written > 0 else { return }
        if info.lacksCodes { unmapped.types[Self.reportable(info.type), default: 0] += count.written }
        // In real exports a unit's text is nobody's name, but it could be anything.
        if info.unknownUnit != nil { unmapped.units["other", default: 0] += count.written }
        if info.lacksUnit { unmapped.units[Self.noUnit, default: 0] += count.written }
        if info.isSuspectPercent { unmapped.suspectPercents[Self.reportable(info.type), default: 0] += count.written }
        if let value = info.unknownValue { unmapped.values[Self.reportable(value), default: 0] += count.written }
    }

    /// Whether a number of this type means nothing without a unit: Apple's quantities always have one.
    package static func wantsUnit(_ type: String) -> Bool { SampleKind(type: type) == .quantity }

    /// The name itself if it is Apple's, else `other`: any other text of a file is never repeated.
    package static func reportable(_ name: String) -> String {
        let isApples =
            name.hasPrefix("HK") && name.utf8.count <= 100
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: false
                }
            }
        return isApples ? name : "other"
    }
}

/// Records of one batch that share a template.
package struct TemplateCount: Sendable {
    let info: TemplateInfo
    /// All of them, nested ones included.
    let records: UInt64
    /// Those that became an Observation.
    let written: UInt64
    /// Those that the options leave out.
    let filtered: UInt64
}

extension TemplateCount {
    /// What a template has counted.
    init(_ template: RecordTemplate, info: TemplateInfo) {
        self.init(info: info, records: template.records, written: template.written, filtered: template.filtered)
    }
}
