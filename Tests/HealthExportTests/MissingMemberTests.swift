@testable import HealthExport
import Testing

/// References to files that do not exist.
struct MissingMemberTests {
    /// If each look-up went through all files, this would take many minutes.
    @Test func `200,000 missing files are looked up among as many`() {
        let members = MemberIndex(
            (0..<200_000).map { (path: Array("attachments/a\($0)".utf8), byteCount: 1, place: .input) }
        )
        #expect((0..<200_000).allSatisfy { members.member(at: "/attachments/b\($0)") == nil })
        #expect(members.member(at: "/attachments/a99999")?.ordinal == 200_000)
    }

    @Test func `a file in a folder that can't be listed is reported as that folder`() {
        let members = MemberIndex([], unlisted: [.workoutRoute])
        #expect(members.member(at: "/workout-routes/a.gpx")?.place == .unreadable(.unlistedFolder))
        #expect(members.member(at: "/clinical-records/a.json") == nil)
        #expect(members.members(of: .workoutRoute).map(\.ordinal) == [1])
    }
}
