internal import TransactionBundling

/// The Bundles that a run before has posted, perhaps, and of which it kept no outcome.
struct OpenBundles: Sendable {
    /// One that is met again in the export, or what of it is still there.
    struct Forgotten: Sendable {
        /// When it was noted, in seconds since 1970.
        var began: Int64
        var members: [BundleMember]
    }

    /// With their bodies, to be settled by sending them again.
    var kept: [LedgerChange.Intent] = []
    var forgotten: [Forgotten] = []
}
