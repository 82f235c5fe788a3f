internal import FHIRR4

/// What a server has of an export, resource by resource.
public struct VerificationReport: Sendable {
    /// What can be wrong with one resource.
    public enum Kind: String, Sendable, CaseIterable {
        /// The server has it with numbers as binary floating point keeps them: `0.8` for `0.80`, 17 digits at most.
        case rounded
        /// The server does not have it.
        case missing
        /// It has it, and says something else.
        case different
        /// It has it more than once.
        case doubled
        /// It has a resource of this patient and of pghd's that the export does not hold.
        case extra
    }

    /// One resource with which something is wrong.
    public struct Finding: Sendable, Equatable {
        /// What is wrong.
        public var kind: Kind
        /// Its name: `Observation/h…` with our id, for one that is extra the server's.
        public var resource: String
        /// The elements that differ, or the server's names of the copies.
        public var details: [String]
    }

    /// Why nobody can tell whether the server has more than the export.
    public enum Unknown: String, Sendable {
        /// The export was not read whole, or samples were left out of it by an option.
        case partialExport
        /// A bare XML or one electrocardiogram: what else belongs to it lies elsewhere.
        case partialInput
        /// The server does not search by the identifiers' system.
        case server
        /// The server's list of them can't be read to its end.
        case pages
    }

    /// Resources of the export, each counted once.
    public internal(set) var checked: UInt64 = 0
    /// How many are wrong, by kind; those that are extra as far as that can be told.
    public internal(set) var counts: [Kind: UInt64] = [:]
    /// Why it is not known whether there are more; `nil` where it is known.
    public internal(set) var extraUnknown: Unknown? = .partialExport
    /// Resources on the server, no longer in the export, that are marked as entered in error.
    public internal(set) var enteredInError: UInt64 = 0
    /// Requests made, repeated ones counted once.
    public internal(set) var requests: UInt64 = 0
    /// Resources that the rebuilt ledger holds for delivered; `nil` where none was asked for.
    public internal(set) var rebuilt: UInt64?
    /// Whether a rebuild was asked for and not done, since the export could not be read to its end.
    public internal(set) var leftLedger = false
    /// Where a damaged ledger was put.
    public internal(set) var ledgerSetAside: String?

    var faults: [ResourceID: VerificationTally.Fault] = [:]
    var texts: [[String]] = []
    /// Names of what is extra, as far as the server tells them.
    var extraNames: [String] = []

    /// Those that are there once, with the same content.
    public var same: UInt64 {
        checked - [.rounded, .missing, .different, .doubled].reduce(0) { $0 + (counts[$1] ?? 0) }
    }

    /// Whether nothing is wrong, as far as it can be told; a server that rounds numbers does so to everybody's.
    public var isClean: Bool { counts.allSatisfy { $0.key == .rounded || $0.value == 0 } }

    /// Hands all findings to `body`, by kind, then by type and id.
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
