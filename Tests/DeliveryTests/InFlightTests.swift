import FHIRR4
import Testing
import TransactionBundling

@testable import Delivery

/// Which resources are on their way, and in which version.
struct InFlightTests {
    private static func member(_ number: UInt64, digest: UInt64? = 1) -> BundleMember {
        let id = ResourceID(high: number &* 0x9E37_79B9_7F4A_7C15, low: number &* 0xC2B2_AE3D_27D4_EB4F)
        return BundleMember(id: id, digest: digest, type: .observation)
    }

    private static func submission(_ members: [BundleMember]) -> Submission {
        let home = LedgerChange.Home(number: 1, key: "k", memberCount: members.count)
        return Submission(home: home, members: members, liveCount: 0, turn: Turn(number: 1), slotCount: 1)
    }

    @Test(arguments: [
        (1 as UInt64?, 1 as UInt64?, InFlight.Meeting.same),
        (1, 2, .another),
        (nil, nil, .same),
        (1, nil, .same),
        (nil, 1, .another),
    ])
    func `a repeated resource is the same if digests agree or its own digest is unknown`(
        _ first: UInt64?,
        _ second: UInt64?,
        _ meeting: InFlight.Meeting
    ) {
        var inFlight = InFlight()
        #expect(inFlight.meet(Self.member(7, digest: second)) == nil)
        let submission = Self.submission([Self.member(6), Self.member(7, digest: first)])
        inFlight.insert(submission)
        #expect(inFlight.meet(Self.member(7, digest: second)) == meeting)
        #expect(inFlight.meet(Self.member(8, digest: second)) == nil)
        inFlight.remove(submission)
        #expect(inFlight.meet(Self.member(7, digest: second)) == nil)
    }

    @Test func `each of thousands of resources is known until its Bundle is done`() {
        var inFlight = InFlight()
        let submissions = (0..<40).map { number in
            Self.submission((0..<100).map { Self.member(UInt64(number * 100 + $0)) })
        }
        for submission in submissions { inFlight.insert(submission) }
        for submission in submissions.prefix(20) { inFlight.remove(submission) }
        let known = (0..<5000).filter { inFlight.meet(Self.member(UInt64($0))) != nil }
        #expect(known == Array(2000..<4000))
    }

    @Test func `a Bundle that is reported done twice is removed once`() {
        var inFlight = InFlight()
        let (one, two) = (Self.submission([Self.member(1)]), Self.submission([Self.member(1)]))
        inFlight.insert(one)
        inFlight.insert(two)
        inFlight.remove(one)
        inFlight.remove(one)
        #expect(inFlight.meet(Self.member(1)) == .same)
    }

    @Test func `a resource in more Bundles than can be counted is known until the last one is done`() {
        var inFlight = InFlight()
        let submissions = (0..<40).map { _ in Self.submission([Self.member(1)]) }
        for submission in submissions { inFlight.insert(submission) }
        for submission in submissions.dropLast() { inFlight.remove(submission) }
        #expect(inFlight.meet(Self.member(1)) == .same)
        inFlight.remove(submissions[39])
        #expect(inFlight.meet(Self.member(1)) == nil)
    }
}
