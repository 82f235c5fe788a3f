internal import FHIRR4
internal import TransactionBundling

extension Selection {
    /// What is to be done with a Bundle.
    struct Verdict {
        /// The Bundle as the ledger knows it.
        var home: LedgerChange.Home
        /// Members to be sent.
        var wanted: [ResourceID] = []
        /// Those of them that the server may have in another version.
        var changed: Set<ResourceID> = []
        /// Those of `changed` of which the server has taken a version before.
        var replaced: Set<ResourceID> = []
        /// Those that were found to be absent, and of an older export those that the ledger does not know: the server is asked
        /// for them.
        var absent: [BundleMember] = []
        /// Those that the ledger does not know, where another machine may have brought them.
        var unknown: [BundleMember] = []
        /// Those of them of which the server may have a later version, which stays.
        var mayBeLater: Set<ResourceID> = []
        /// Members of which the server has, or may have, another version that stays.
        var standing: Set<ResourceID> = []
        /// Whether one of those to be sent was acknowledged before, in another version.
        var replaces = false
        /// Whether one of them was refused in an earlier run.
        var wasRefused = false
        /// Whether the ledger knows one of them, and not what the server has of it or that it has nothing.
        var wasForgotten = false
        /// Members that are live with these digests.
        var presentCount = 0
        /// Those of them that this run has brought by settling what the last one left open: they count as delivered.
        var settledCount = 0
        /// Those of them that the ledger has as part of another Bundle.
        var moved: [BundleMember] = []
        /// Members that stand in another Bundle of this run already.
        var twinCount = 0
        /// Members that the server has in a later version, or that were deleted since.
        var outdatedCount = 0
        /// Twins that lost, with their digests.
        var aliases: [(ResourceID, UInt64)] = []
        /// Those whose twins are of a version that is replaced.
        var outlived: [ResourceID] = []
        /// Devices that it carries and that nobody has acknowledged yet.
        var bringsDevices = false
    }
}
