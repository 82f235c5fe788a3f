internal import TransactionBundling

/// The largest Bundle that a server takes, as far as that is known or was learnt.
struct LargestBundle {
    private var byteCount = Int.max
    private var entryCount: Int
    /// Of the largest that it has taken.
    private var takenByteCount = 0

    /// - Parameter entryCount: how many entries it is known to take at most.
    init(entryCount: Int) { self.entryCount = entryCount }

    /// Whether it is worth a try.
    func holds(_ bundle: TransactionBundle) -> Bool {
        bundle.body.count <= byteCount && bundle.entries.count <= entryCount
    }

    /// The server has taken this one.
    mutating func noteTaken(_ bundle: TransactionBundle) { takenByteCount = max(takenByteCount, bundle.body.count) }

    /// The server has refused this one for its size.
    ///
    /// - Parameters:
    ///   - bundle: what was refused.
    ///   - maximumEntryCount: how many entries it has said that it takes; `nil` where it names no number.
    ///   - isAlone: whether it can't be divided.
    mutating func noteTooLarge(_ bundle: TransactionBundle, maximumEntryCount: Int?, isAlone: Bool) {
        if let maximumEntryCount {
            entryCount = min(entryCount, maximumEntryCount)
        } else if bundle.body.count <= takenByteCount || isAlone {
            // Others as large were taken, or this one alone is too much: that tells nothing of others.
            byteCount = .max
        } else {
            byteCount = min(byteCount, max(bundle.body.count / 2, takenByteCount))
        }
    }
}
