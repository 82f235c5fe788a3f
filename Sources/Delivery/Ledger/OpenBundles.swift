internal import TransactionBundling

/// The Bundles that an earlier run may have posted and whose outcome it did not keep.
struct OpenBundles: Sendable {
    /// A Bundle without a kept body: its members are unknown, and are sent again when the export brings them.
    struct Forgotten: Sendable {
        /// When it was noted, in seconds since 1970.
        var began: Int64
        var members: [BundleMember]
    }

    /// Those with their bodies, which are settled by sending them again.
    var kept: [LedgerChange.Intent] = []
    var forgotten: [Forgotten] = []
}
