public import HealthExport

/// What is wrong with an input that was read as far as it goes: `3 forbiddenCharacter` with their places, an early end.
///
/// Says where and what kind; holds nothing of what stands there.
public struct Damage: Sendable, Equatable {
    /// How many faults keep their place.
    public static let maximumPlaceCount = 1000

    /// Whether the export was read to `</HealthData>`.
    public var isComplete = false
    /// Why the input ended early, in words; `nil` where it did not.
    public var inputFault: String?
    /// Faults that the run survived, by kind.
    public private(set) var counts: [String: UInt64] = [:]
    /// The first of those faults, with their places; at most `maximumPlaceCount`.
    public private(set) var places: [Malformation] = []
    /// Whether an element that is a panel, or may be one, could not be read.
    private var hasLostCorrelation = false

    /// None yet, of an input that was not read yet.
    public init() {}

    /// Whether nothing is wrong; anything else is exit code 1.
    public var isEmpty: Bool { isComplete && inputFault == nil && counts.isEmpty }

    /// Whether the XML was read to its end.
    var isWhole: Bool { isComplete && inputFault == nil }

    /// Whether there were elements that nobody could read, so that what was made of the others may lack them.
    ///
    /// A record whose dates are none was read: it is of no day.
    var hasLostElements: Bool { !isWhole || counts.keys.contains { Self.losses.contains($0) } }

    /// Whether all that is wrong is of the phone's own making and was mended, so that the export holds what it held before.
    ///
    /// iOS 16.0 doubled a `startDate`; some records end before they start; names have control bytes, in each export anew. A
    /// byte that XML forbids may come of a bad copy too, but for a zip, whose checksum tells.
    ///
    /// - Parameter kind: the input's form.
    /// - Returns: whether it holds all of it.
    func isMended(in kind: ExportInput.Kind) -> Bool {
        var mended: Set<Malformation.Kind> = [.doubledStartDate, .endBeforeStart]
        if kind == .zip { mended.insert(.forbiddenCharacter) }
        return isWhole && Set(counts.keys).isSubset(of: mended.map(\.rawValue))
    }

    /// Whether there may have been panels that nobody could read.
    var mayLackPanels: Bool { !isComplete || hasLostCorrelation }

    private static let losses = Set(
        [Malformation.Kind.notWellFormed, .forbiddenName, .duplicateAttribute, .undefinedEntity, .tooLarge, .truncated]
            .map(\.rawValue)
    )

    /// Counts a fault and keeps its place while there is room.
    public mutating func add(_ fault: Malformation) {
        counts[fault.kind.rawValue, default: 0] += 1
        if fault.file == nil, Self.mayHideCorrelation(fault) { hasLostCorrelation = true }
        // Of iOS 16.0 there may be one for each statistic of each workout: what was lost keeps its place.
        let room = fault.kind == .doubledStartDate ? Self.maximumPlaceCount / 2 : Self.maximumPlaceCount
        if places.count < room { places.append(fault) }
    }

    /// Whether a panel may have been lost with what a fault tells of.
    ///
    /// A hole is told by the element that it begins in, whatever lies in it; of a tag that can't be used the element is known.
    private static func mayHideCorrelation(_ fault: Malformation) -> Bool {
        switch fault.kind {
        case .notWellFormed, .forbiddenName, .tooLarge, .truncated: true
        case .duplicateAttribute, .undefinedEntity: fault.element == nil || fault.element == .correlation
        default: false
        }
    }

    /// Keeps how the XML ended.
    mutating func noteEnd(_ outcome: ChunkRing.Outcome) {
        isComplete = outcome.isComplete
        inputFault = outcome.inputFault.map { "\($0)" }
    }

    /// One line for a run whose summary nobody sees, without a full stop.
    ///
    /// - Parameter isReported: whether its JSON tells the places.
    /// - Returns: what is wrong, and what to do to see where.
    public func sentence(isReported: Bool) -> String {
        if let inputFault { return "damaged, the rest was done: \(inputFault)" }
        let total = counts.values.reduce(0, +)
        let extent = total > 0 ? "damaged in \(ReportText.counted(total, "place"))" : "damaged"
        let ending = isComplete ? "" : ", and it ends before </HealthData>"
        let next = isReported ? "its 'malformations' are the places" : "run again with --report FILE for the places"
        return "\(extent)\(ending) (expected a whole export): the rest was done; \(next)"
    }

    /// One line a fault up to `most`, then how many more there are; `none` where nothing is wrong.
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
