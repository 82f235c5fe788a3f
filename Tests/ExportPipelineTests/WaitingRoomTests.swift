import FHIRR4
import Testing

@testable import ExportPipeline

struct WaitingRoomTests {
    @Test func `uncovered resources come out complete, type by type, in the order in which they came`() {
        var room = WaitingRoom()
        // Three hundred resources of 1 KB: several packed blocks and an open one.
        for number in 0..<300 { keep(number, kind: UInt64(number % 2), in: &room) }
        #expect(
            texts(of: &room) == (0..<300).filter { $0 % 2 == 0 }.map(text) + (0..<300).filter { $0 % 2 == 1 }.map(text)
        )
        #expect(texts(of: &room) == [])
    }

    @Test(arguments: [10, 300])
    func `types are ordered by their first resource that stays uncovered`(_ count: Int) {
        var room = WaitingRoom()
        for number in 0..<count { keep(number, kind: UInt64(number % 2), in: &room) }
        room.cover(id(0))
        let odd = (0..<count).filter { $0 % 2 == 1 }
        #expect(texts(of: &room) == odd.map(text) + (1..<count).filter { $0 % 2 == 0 }.map(text))
    }

    @Test func `a resource that is covered, before or after it comes, never comes out`() {
        var room = WaitingRoom()
        room.cover(id(7))
        for number in 0..<300 { keep(number, in: &room) }
        for number in 0..<290 where number != 7 { room.cover(id(number)) }
        #expect(texts(of: &room) == (290..<300).map(text))
        #expect(room.coveredCount == 290)
    }

    @Test func `of two resources with one id the one of higher rank stays, in the place of the later`() {
        var room = WaitingRoom()
        keep(1, rank: 2, in: &room)
        keep(2, in: &room)
        keep(1, rank: 3, content: "newer", in: &room)
        keep(1, rank: 1, content: "older", in: &room)
        #expect(texts(of: &room) == [text(2), "newer"])
        #expect(room.twinCount == 2)
        #expect(room.conflictingTwinCount == 0)
    }

    @Test func `different resources with one id and rank conflict`() {
        var room = WaitingRoom()
        keep(1, digest: 7, in: &room)
        keep(1, digest: 7, in: &room)
        keep(1, digest: 8, in: &room)
        keep(1, digest: 6, in: &room)
        #expect(room.twinCount == 3)
        #expect(room.conflictingTwinCount == 2)
    }

    @Test func `only JSON that is still waiting counts towards the limit`() {
        var room = WaitingRoom(byteLimit: 100 * text(0).utf8.count)
        for number in 0..<100 { keep(number, in: &room) }
        #expect(!keep(100, in: &room))
        // Each leaves room for one, although it is packed; the covered ones in between make the room compact itself.
        for number in 200..<1000 {
            room.cover(id(number < 300 ? number - 200 : number - 100))
            #expect(keep(number, in: &room))
        }
        #expect(room.overflowCount == 1)
        #expect(texts(of: &room) == (900..<1000).map(text))
    }

    @Test func `beyond the limit of covered ids a cover only applies to what is already waiting`() {
        var room = WaitingRoom(coveredLimit: 1)
        keep(2, in: &room)
        for number in 1...3 { room.cover(id(number)) }
        for number in [1, 3] { keep(number, in: &room) }
        #expect(texts(of: &room) == [text(3)])
        #expect(room.coveredCount == 2)
    }

    private func id(_ number: Int) -> ResourceID { ResourceID(high: 1, low: UInt64(number)) }

    /// A kilobyte that differs from all others.
    private func text(_ number: Int) -> String { "\(1000 + number)" + String(repeating: "\(number % 10)", count: 1020) }

    @discardableResult
    private func keep(
        _ number: Int,
        kind: UInt64 = 0,
        rank: UInt64 = 0,
        digest: UInt64 = 0,
        content: String? = nil,
        in room: inout WaitingRoom
    ) -> Bool {
        let bytes = Array((content ?? text(number)).utf8)
        let row = EncodedResource(
            id: id(number),
            digest: digest,
            rank: rank,
            kind: kind,
            start: 0,
            count: UInt32(bytes.count),
            device: -1,
            gateway: -1
        )
        return unsafe bytes.withUnsafeBytes { unsafe room.keep(row, $0) }
    }

    private func texts(of room: inout WaitingRoom) -> [String] {
        var texts: [String] = []
        unsafe room.empty { rows, bytes in
            for row in rows {
                let range = Int(row.start)..<Int(row.start) + Int(row.count)
                texts.append(unsafe String(decoding: bytes[range], as: UTF8.self))
            }
        }
        return texts
    }
}
