import FHIRR4
import Testing
import TransactionBundling

@testable import Delivery

/// Which version of a resource stands, regardless of the order in which they come.
struct VerificationTallyTests {
    private static func member(_ digest: UInt64, rank: UInt64 = 0) -> BundleMember {
        BundleMember(id: ResourceID(high: 1, low: 1), digest: digest, rank: rank, type: .observation)
    }

    @Test(arguments: [
        [member(1), member(2)], [member(2), member(1)], [member(9), member(2, rank: 1)],
        [member(2, rank: 1), member(9)],
    ])
    func `the version with the higher rank stands, then the one with the greater digest`(_ versions: [BundleMember]) {
        var tally = VerificationTally()
        for version in versions {
            if case .wanted = tally.admit(version), tally.stands(version) { tally.note(.missing, version) }
        }
        #expect(versions.filter { tally.stands($0) }.map(\.digest) == [2])
        #expect(tally.count == 1)
    }

    @Test func `findings about a version that lost are forgotten`() {
        var tally = VerificationTally()
        _ = tally.admit(Self.member(1))
        tally.note(.different, Self.member(1), ["status"])
        _ = tally.admit(Self.member(2))
        #expect(tally.faults.isEmpty)
        #expect(tally.copyCount(.observation) == 1)
        #expect(!tally.stands(Self.member(1)))
    }
}
