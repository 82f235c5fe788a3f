import FHIRR4
import Testing
import TransactionBundling

@testable import Delivery

/// What is posted as one Bundle, and its halves.
struct PartTests {
    @Test func `a half knows what the whole knew, but for its key's end and the conflicts that it met`() throws {
        let members = (1...4).map { number in
            BundleMember(id: ResourceID(high: number, low: number), digest: 1, type: .observation)
        }
        // `{}` and a digit in each place, so that the halves differ.
        let body = Array("{}1,{}2,{}3,{}4,".utf8)
        let entries = members.indices.map { TransactionBundle.Entry(member: members[$0], range: $0 * 4..<$0 * 4 + 3) }
        let bundle = TransactionBundle(key: "k", body: body, entries: entries)
        let home = LedgerChange.Home(number: 1, key: "k", memberCount: 4)
        let submission = Submission(home: home, members: members, liveCount: 0, turn: Turn(number: 1), slotCount: 1)
        var part = Part(bundle, submission, generation: 2)
        part.companions = [members[0].id]
        part.delay = .seconds(3)
        part.mayBeThere = true
        part.keyEnds = .now
        part.isDoubtful = true
        part.mayBeStored = [members[1].id]
        part.takenCount = 7
        part.conflicts = 5
        part.began = .now - .seconds(60)
        let halves = try #require(part.halves())
        #expect(halves.map { $0.bundle.ownMembers.map(\.id) } == [members[..<2].map(\.id), members[2...].map(\.id)])
        #expect(Set(halves.map(\.bundle.key)).count == 2)
        for half in halves {
            #expect(half.companions == part.companions)
            #expect((half.generation, half.delay, half.began) == (2, .seconds(3), part.began))
            #expect(half.mayBeThere && half.isDoubtful)
            #expect(half.mayBeStored == part.mayBeStored)
            #expect((half.takenCount, half.conflicts) == (7, 0))
            #expect(half.keyEnds == nil)
            #expect(half.submission === submission)
        }
    }
}
