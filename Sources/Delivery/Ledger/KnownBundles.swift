/// What a run knows of each Bundle that the ledger has met, in memory: 64 to 128 bytes a Bundle.
///
///     var bundles = KnownBundles()
///     try ledger.readKeys { bundles.add($0) }
///     bundles.meetStanding(key)  // the Bundle, where the server has all of it
struct KnownBundles {
    /// What is true of a Bundle.
    struct Marks: OptionSet {
        let rawValue: UInt8

        /// The server has all that its key stands for.
        static let standing = Marks(rawValue: 1)
        /// It held members when the run began.
        static let held = Marks(rawValue: 2)
        /// This run has met it.
        static let seen = Marks(rawValue: 4)
    }

    /// A Bundle without its key.
    struct Known {
        var kind: UInt64
        /// How many resources it is for.
        var memberCount: Int32
        var marks: Marks = []
    }

    private var numbers: [KeyHead: Int64] = [:]
    private var bundles: [Int64: Known] = [:]
    private var nextNumber: Int64 = 1

    /// Takes in what the ledger has of a key.
    mutating func add(_ key: Ledger.Key) {
        var known = Known(kind: key.kind, memberCount: Int32(clamping: key.memberCount))
        if key.liveCount == key.memberCount { known.marks.insert(.standing) }
        if key.liveCount > 0 { known.marks.insert(.held) }
        numbers[KeyHead(key.key)] = key.number
        bundles[key.number] = known
        nextNumber = max(nextNumber, key.number + 1)
    }

    /// Meets a Bundle whose key stands.
    ///
    /// - Parameters:
    ///   - key: the Bundle's.
    ///   - needsKind: whether a Bundle that held members of an unknown kind is not met.
    /// - Returns: the Bundle; `nil` if it does not stand: then it is not met.
    mutating func meetStanding(_ key: String, needsKind: Bool = false) -> Known? {
        guard let number = numbers[KeyHead(key)], let known = bundles[number], known.marks.contains(.standing),
            known.kind != 0 || !needsKind || !known.marks.contains(.held)
        else { return nil }
        bundles[number]?.marks.insert(.seen)
        return known
    }

    /// The number of a key; `nil` if it was never met.
    func number(of key: String) -> Int64? { numbers[KeyHead(key)] }

    /// Whether a key stands; asking does not meet it.
    func isStanding(_ key: String) -> Bool {
        number(of: key).flatMap { bundles[$0] }?.marks.contains(.standing) ?? false
    }

    /// How many resources a key is for; `nil` if it was never met.
    func memberCount(of key: String) -> Int? { number(of: key).flatMap { bundles[$0] }.map { Int($0.memberCount) } }

    /// The number of a key, a new one if it was never met; from here on the key is of this kind.
    mutating func number(of key: String, kind: UInt64, memberCount: Int) -> Int64 {
        let head = KeyHead(key)
        let number = numbers[head] ?? nextNumber
        if number == nextNumber { nextNumber += 1 }
        numbers[head] = number
        let memberCount = Int32(clamping: memberCount)
        if kind != 0 || bundles[number] == nil {
            bundles[number, default: Known(kind: kind, memberCount: memberCount)].kind = kind
        }
        return number
    }

    /// Sets the kind of a Bundle for which nobody has given one.
    mutating func learn(_ kind: UInt64, of number: Int64) {
        if bundles[number]?.kind == 0 { bundles[number]?.kind = kind }
    }

    /// The kind of the Bundle with this number; 0 if nobody has given it.
    func kind(of number: Int64) -> UInt64 { bundles[number]?.kind ?? 0 }

    /// Sets a mark on the Bundle with this number, if there is one.
    mutating func mark(_ number: Int64, _ mark: Marks) { bundles[number]?.marks.insert(mark) }

    /// Removes a mark from it.
    mutating func unmark(_ number: Int64, _ mark: Marks) { bundles[number]?.marks.remove(mark) }

    /// Whether this run has met the Bundle with this number.
    func isSeen(_ number: Int64) -> Bool { bundles[number]?.marks.contains(.seen) ?? false }

    /// Whether a Bundle held members and this run has not met it.
    var hasUnseen: Bool { bundles.values.contains { $0.marks.isDisjoint(with: .seen) && $0.marks.contains(.held) } }
}

/// The first half of a Bundle's key: 128 bits of a SHA-256, never the same for two keys, in a quarter of the text's
/// memory.
private struct KeyHead: Hashable {
    private let high: UInt64
    private let low: UInt64

    init(_ key: String) {
        let digits = key.utf8
        let middle = digits.index(digits.startIndex, offsetBy: 16, limitedBy: digits.endIndex) ?? digits.endIndex
        high = Self.number(digits[..<middle])
        low = Self.number(digits[middle...].prefix(16))
    }

    private static func number(_ digits: Substring.UTF8View) -> UInt64 {
        digits.reduce(0) { $0 << 4 | UInt64($1 < 0x3A ? $1 & 0x0F : ($1 & 0x0F) + 9) }
    }

    /// The key is a hash already.
    func hash(into hasher: inout Hasher) { hasher.combine(high) }
}
