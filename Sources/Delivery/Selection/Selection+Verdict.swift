internal import FHIRR4
internal import TransactionBundling

extension Selection {
    /// What to do with a Bundle.
    struct Verdict {
        /// The Bundle as the ledger knows it.
        var home: LedgerChange.Home
        /// The members to be sent.
        var wanted: [ResourceID] = []
        /// Those of `wanted` that the server may have in another version.
        var changed: Set<ResourceID> = []
        /// Those of `changed` of which the server has taken a version before.
        var replaced: Set<ResourceID> = []
        /// Members that were found to be absent, that an older export brings and the ledger does not know, or of which
        /// the server may have a later version: the server is asked for them.
        var absent: [BundleMember] = []
        /// Members that the ledger does not know, where another machine may have brought them.
        var unknown: [BundleMember] = []
        /// Those of `absent` of which the server may have a later version, which then stays.
        var mayBeLater: Set<ResourceID> = []
        /// Members of which the server has, or may have, another version that stays.
        var standing: Set<ResourceID> = []
        /// Whether one of `wanted` was refused in an earlier run.
        var wasRefused = false
        /// Whether the ledger has one of `wanted` as unknown or absent.
        var wasForgotten = false
        /// How many members are live with these digests.
        var presentCount = 0
        /// How many of these became live when this run settled what the last one left open: they count as delivered.
        var settledCount = 0
        /// Live members whose home, kind or digest the ledger must update, such as those that were part of another
        /// Bundle.
        var moved: [BundleMember] = []
        /// How many members another Bundle of this run holds already.
        var twinCount = 0
        /// How many members the server has in a later version, or were deleted since.
        var outdatedCount = 0
        /// Twins that lost, with the losers' digests.
        var aliases: [(ResourceID, UInt64)] = []
        /// Members whose aliases belong to a version that is being replaced.
        var outlived: [ResourceID] = []
        /// Whether it carries Devices that the server has not acknowledged yet.
        var bringsDevices = false
    }
}
