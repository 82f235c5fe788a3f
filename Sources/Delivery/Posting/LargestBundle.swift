/// The largest Bundle that a server takes, as far as that is known or was learnt.
///
/// What it refuses for its size, it refuses for good. What it did not finish may have been too large, or the server was
/// in trouble for a while: after some Bundles that it has taken, twice as much is tried, until that is too much again.
struct LargestBundle {
    private var byteCount = Int.max
    private var entryCount: Int
    /// The size of the largest that it has taken.
    private var takenByteCount = 0
    /// The size that it is believed to finish.
    private var finishedByteCount = Int.max
    /// How many it has taken since that size was learnt.
    private var takenCount = 0
    /// Whether more was tried and was too much.
    private var isSettled = false

    /// Of a Bundle that was not finished, half is tried, and one part in so many for the framing of each half.
    private static let slack = 16
    /// How many are taken before twice as much is tried.
    private static let growthCount = 16

    /// - Parameter entryCount: how many entries it is known to take at most.
    init(entryCount: Int) { self.entryCount = entryCount }

    /// Whether a Bundle is worth trying.
    func holds(byteCount: Int, entryCount: Int) -> Bool {
        byteCount <= min(self.byteCount, finishedByteCount) && entryCount <= self.entryCount
    }

    /// Notes that the server has taken one.
    mutating func noteTaken(byteCount: Int) {
        takenByteCount = max(takenByteCount, byteCount)
        guard finishedByteCount < .max, !isSettled else { return }
        takenCount += 1
        guard takenCount >= Self.growthCount else { return }
        takenCount = 0
        finishedByteCount = finishedByteCount > .max / 2 ? .max : finishedByteCount * 2
    }

    /// Notes that the server has not finished one in its time.
    mutating func noteUnfinished(byteCount: Int) {
        // Others as large were taken, so this says nothing about them.
        guard byteCount > takenByteCount else { return }
        // It was tried because the limit had been raised.
        if finishedByteCount < .max, byteCount <= finishedByteCount { isSettled = true }
        finishedByteCount = min(finishedByteCount, max(byteCount / 2 + byteCount / Self.slack, takenByteCount))
        takenCount = 0
    }

    /// Notes that the server has refused one for its size.
    ///
    /// - Parameters:
    ///   - byteCount: the size of what was refused.
    ///   - maximumEntryCount: how many entries the server said it takes; `nil` if it gave no number.
    ///   - isAlone: whether it can't be divided.
    mutating func noteTooLarge(byteCount: Int, maximumEntryCount: Int?, isAlone: Bool) {
        if let maximumEntryCount {
            entryCount = min(entryCount, maximumEntryCount)
        } else if byteCount <= takenByteCount || isAlone {
            // Others as large were taken, or this one alone is too much: that says nothing about others.
            self.byteCount = .max
        } else {
            self.byteCount = min(self.byteCount, max(byteCount / 2, takenByteCount))
        }
    }
}
