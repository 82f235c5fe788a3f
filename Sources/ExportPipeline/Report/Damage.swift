public import HealthExport

/// What is wrong with an input that was read as far as possible.
///
/// Such as `3 forbiddenCharacter` with their places, or an early end. Says where and of what kind; holds no content of
/// the file.
public struct Damage: Sendable, Equatable {
    /// How many faults are kept with their places.
    public static let maximumPlaceCount = 1000

    /// Whether the export was read to `</HealthData>`.
    public var isComplete = false
    /// Why the input ended early, in words; `nil` if it did not.
    public var inputFault: String?
    /// Faults that the run survived, by kind.
    public private(set) var counts: [String: UInt64] = [:]
    /// The first of those faults, with their places; at most `maximumPlaceCount`.
    public private(set) var places: [Malformation] = []
    /// Whether an element that is or may be a panel could not be read.
    private var hasLostCorrelation = false

    /// No damage yet, of an input that is not read yet.
    public init() {}

    /// Whether nothing is wrong; otherwise the exit code is 1.
    public var isEmpty: Bool { isComplete && inputFault == nil && counts.isEmpty }

    /// Whether the XML was read to its end.
    var isWhole: Bool { isComplete && inputFault == nil }

    /// Whether elements could not be read, so that what was made of the others may lack them.
    ///
    /// A record with unusable dates does not count: it was read, and belongs to no day.
    var hasLostElements: Bool { !isWhole || counts.keys.contains { Self.losses.contains($0) } }

    /// Whether all damage is the phone's own doing and was repaired, so that the export holds all it should.
    ///
    /// iOS 16.0 doubled a `startDate`; several pictures of a prescription share a tag; some records end before they
    /// start; some names have control bytes, in every export. A byte that XML forbids may also come from a bad copy,
    /// except in a zip, whose checksum would show that.
    ///
    /// - Parameter kind: the input's form.
    /// - Returns: whether it holds everything.
    func isMended(in kind: ExportInput.Kind) -> Bool {
        var mended: Set<Malformation.Kind> = [.doubledStartDate, .doubledIdentifier, .endBeforeStart]
        if kind == .zip { mended.insert(.forbiddenCharacter) }
        return isWhole && Set(counts.keys).isSubset(of: mended.map(\.rawValue))
    }

    /// Whether there may have been panels that could not be read.
    var mayLackPanels: Bool { !isComplete || hasLostCorrelation }

    private static let losses = Set(
        [Malformation.Kind.notWellFormed, .forbiddenName, .duplicateAttribute, .undefinedEntity, .tooLarge, .truncated]
            .map(\.rawValue)
    )

    /// Counts a fault and keeps its place while there is room.
    package mutating func add(_ fault: Malformation) {
        counts[fault.kind.rawValue, default: 0] += 1
        if fault.file == nil, Self.mayHideCorrelation(fault) { hasLostCorrelation = true }
        // iOS 16.0 may cause one for each statistic of each workout, so half of the room is kept for other faults.
        let room = fault.kind == .doubledStartDate ? Self.maximumPlaceCount / 2 : Self.maximumPlaceCount
        if places.count < room { places.append(fault) }
    }

    /// Whether a panel may have been lost with the element that a fault concerns.
    ///
    /// A hole is reported with the element that it begins in, whatever else was in it; for an unusable tag the element
    /// is known.
    private static func mayHideCorrelation(_ fault: Malformation) -> Bool {
        switch fault.kind {
        case .notWellFormed, .forbiddenName, .tooLarge, .truncated: true
        case .duplicateAttribute, .undefinedEntity: fault.element == nil || fault.element == .correlation
        default: false
        }
    }

    /// Records how the XML ended.
    mutating func noteEnd(_ outcome: ChunkRing.Outcome) {
        isComplete = outcome.isComplete
        inputFault = outcome.inputFault.map { "\($0)" }
    }

    /// One line for a run whose summary nobody sees, without a full stop.
    ///
    /// - Parameter isReported: whether its JSON shows the places.
    /// - Returns: what is wrong, and how to see where.
    package func sentence(isReported: Bool) -> String {
        if let inputFault { return "damaged, the rest was done: \(inputFault)" }
        let total = counts.values.reduce(0, +)
        let extent = total > 0 ? "damaged in \(ReportText.counted(total, "place"))" : "damaged"
        let ending = isComplete ? "" : ", and it ends before </HealthData>"
        let next = isReported ? "its 'malformations' are the places" : "run again with --report FILE for the places"
        return "\(extent)\(ending) (expected a whole export): the rest was done; \(next)"
    }

    /// One line for each fault up to `most`, then how many more there are; `none` if nothing is wrong.
    func lines(most: Int) -> [String] {
        var lines: [String] = []
        if let inputFault { lines.append(inputFault) }
        if !isComplete, inputFault == nil {
            lines.append("the export ends before </HealthData>: what came before the break was read")
        }
        lines += places.prefix(most).map(\.words)
        let total = counts.values.reduce(0, +)
        let shown = UInt64(min(places.count, most))
        if total > shown {
            lines.append("and \(ReportText.grouped(total - shown)) more; in all " + kinds)
        }
        return lines.isEmpty ? ["none"] : lines
    }

    /// `3 forbiddenCharacter, 1 truncated`, in the report's own words.
    private var kinds: String {
        counts.mostFrequentFirst
            .map { "\(ReportText.grouped($0.value)) \($0.key)" }
            .joined(separator: ", ")
    }

    /// How the input ended, as keys of a report's JSON.
    var endMembers: [(String, ReportJSON)] {
        [("complete", .bool(isComplete)), ("inputFault", inputFault.map { .string($0) } ?? .null)]
    }

    /// The faults, as keys of a report's JSON.
    var faultMembers: [(String, ReportJSON)] {
        [("malformationCounts", .counts(counts)), ("malformations", .malformations(places))]
    }
}
