internal import TransactionBundling

/// The first Bundles of an export that nothing has shown to be the patient's, held until enough in it is known.
struct HeldBundles {
    /// Whether Bundles are held; `nil` before the first.
    var isHolding: Bool?
    var bundles: [TransactionBundle] = []
    var sampleCount = 0
    /// How many of the samples the ledger knows.
    var knownCount = 0
    var byteCount = 0

    mutating func hold(_ bundle: TransactionBundle, sampleCount: Int, knownCount: Int) {
        bundles.append(bundle)
        self.sampleCount += sampleCount
        self.knownCount += knownCount
        byteCount += bundle.body.count
    }

    /// Whether more is known than two people have in common: in a thousand heart rates in whole numbers, both may have
    /// the same rate in one second by chance.
    var isRecognized: Bool { knownCount >= 2 + sampleCount / 1000 }

    /// Whether an export of the same person would have something that is known in so much.
    var isFull: Bool { sampleCount >= 4096 || byteCount >= 8 << 20 }

    /// Fewer may all be new.
    static let wholeCount = 100
    /// Anyone who has delivered so many samples that show whose they are has one of them in each export.
    static let tellingCount = 10
}
