@testable import HealthExport
import TestSupport
import Testing

/// References to files that are not there.
struct MissingMemberTests {
    private static let count = 20_000
    private let members = MemberIndex(
        (0..<count).map { (path: Array("attachments/a\($0)".utf8), byteCount: 1, place: .input) },
        unlisted: [.workoutRoute]
    )

    /// Once for each path, all files were looked at.
    @Test func `a file that is missing is looked up as fast as one that is there`() {
        func seconds(_ name: String) -> Double {
            threadSeconds { for number in 0..<Self.count { _ = members.member(at: "/attachments/\(name)\(number)") } }
        }
        let there = seconds("a")
        #expect(seconds("b") < 5 * there)
    }

    @Test func `what may lie in a folder that can't be listed is that folder`() {
        #expect(members.member(at: "/workout-routes/a.gpx")?.place == .unreadable(.unlistedFolder))
        #expect(members.member(at: "/clinical-records/a.json") == nil)
        #expect(members.members(of: .workoutRoute).map(\.ordinal) == [1])
    }
}
