internal import TransactionBundling

/// The first Bundles of an export of which nothing tells whose it is, held back until something in it is known.
struct HeldBundles {
    /// Whether Bundles are held; `nil` before the first.
    var isHolding: Bool?
    var bundles: [TransactionBundle] = []
    var sampleCount = 0
    /// How many of them the ledger has as they are.
    var knownCount = 0
    var byteCount = 0

    mutating func hold(_ bundle: TransactionBundle, sampleCount: Int, knownCount: Int) {
        bundles.append(bundle)
        self.sampleCount += sampleCount
        self.knownCount += knownCount
        byteCount += bundle.body.count
    }

    /// Whether more is known than two people have in common: of a thousand heart rates in whole numbers, one second in both
    /// may have the same by chance.
    var isRecognized: Bool { knownCount >= 2 + sampleCount / 1000 }

    /// Whether so much of an export of the same person would have something that is known.
    var isFull: Bool { sampleCount >= 4096 || byteCount >= 8 << 20 }

    /// Fewer may be new altogether.
    static let wholeCount = 100
    /// Who has delivered so many samples that tell a person has one in each export.
    static let tellingCount = 10
}
