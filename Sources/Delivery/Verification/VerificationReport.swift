internal import FHIRR4

/// What a server has of an export, resource by resource.
public struct VerificationReport: Sendable {
    /// What can be wrong with a resource.
    public enum Kind: String, Sendable, CaseIterable {
        /// The server's numbers are those that binary floating point keeps: `0.8` for `0.80`, 17 digits at most.
        case rounded
        /// The server does not have it.
        case missing
        /// The server has it with other content.
        case different
        /// The server has it more than once.
        case doubled
        /// The server has a resource of pghd's for this patient that the export does not hold.
        case extra
    }

    /// One resource with something wrong.
    public struct Finding: Sendable, Equatable {
        /// What is wrong.
        public var kind: Kind
        /// Its name: `Observation/h…` with pghd's id; for an extra one, the server's name.
        public var resource: String
        /// The elements that differ, or the server's names for the copies.
        public var details: [String]
    }

    /// Why it can't be known whether the server has more than the export.
    public enum Unknown: String, Sendable {
        /// The export was not read whole, or an option left samples out.
        case partialExport
        /// The input was bare XML or one electrocardiogram: the rest of the export is elsewhere.
        case partialInput
        /// The server does not search by the system of identifiers.
        case server
        /// The server counts fewer resources of ours than it has shown.
        case count
        /// The server's list of resources can't be read to its end.
        case pages
    }

    /// Resources of the export, each counted once.
    public internal(set) var checked: UInt64 = 0
    /// How many have something wrong, by kind; extra ones as far as that can be known.
    public internal(set) var counts: [Kind: UInt64] = [:]
    /// Why it is not known whether the server has more; `nil` where it is known.
    public internal(set) var extraUnknown: Unknown? = .partialExport
    /// Resources on the server, no longer in the export, that are marked as entered in error.
    public internal(set) var enteredInError: UInt64 = 0
    /// Requests made; a repeated one counts once.
    public internal(set) var requests: UInt64 = 0
    /// How many resources the rebuilt ledger has as delivered; `nil` where no rebuild was asked for.
    public internal(set) var rebuilt: UInt64?
    /// Whether a rebuild was asked for but not done, because the export could not be read to its end.
    public internal(set) var leftLedger = false
    /// Where a damaged ledger was put.
    public internal(set) var ledgerSetAside: String?

    var faults: [ResourceID: VerificationTally.Fault] = [:]
    var texts: [[String]] = []
    /// The names of extra resources, as far as the server gives them.
    var extraNames: [String] = []

    /// How many resources are there once, with the same content.
    public var same: UInt64 {
        checked - [.rounded, .missing, .different, .doubled].reduce(0) { $0 + (counts[$1] ?? 0) }
    }

    /// Whether nothing is wrong, as far as that can be known; rounded numbers don't count, since a server rounds
    /// everybody's.
    public var isClean: Bool { counts.allSatisfy { $0.key == .rounded || $0.value == 0 } }

    /// Passes all findings to `body`, ordered by kind, then by type and id.
    public func forEachFinding(_ body: (Finding) throws -> Void) rethrows {
        for kind in Kind.allCases where kind != .extra {
            let some = faults.filter { $0.value.kind == kind }.sorted {
                ($0.value.type.rawValue, $0.key) < ($1.value.type.rawValue, $1.key)
            }
            for (id, fault) in some {
                let details = fault.text < 0 ? [] : texts[Int(fault.text)]
                try body(Finding(kind: kind, resource: "\(fault.type.name)/\(id.text)", details: details))
            }
        }
        for name in extraNames.sorted() { try body(Finding(kind: .extra, resource: name, details: [])) }
    }
}
