import Testing

@testable import HealthExport

/// What a phone wrote twice in one tag is read as it was meant, and nothing else is changed.
struct PhoneSlipTests {
    @Test(arguments: [
        (#"<WorkoutStatistics startDate="a" startDate="b"/>"#, #"<WorkoutStatistics startDate="a" endDate="b"/>"#),
        (
            "<WorkoutStatistics\tstartDate = 'a'\n sum=\"1\" startDate = 'b' >",
            "<WorkoutStatistics\tstartDate = 'a'\n sum=\"1\" endDate = 'b' >"
        ),
        (
            #"<WorkoutStatistics unit="/>" startDate="a" startDate="b"/>"#,
            #"<WorkoutStatistics unit="/>" startDate="a" endDate="b"/>"#
        ),
        (
            "<WorkoutStatistics startDate=\"\u{B}\" startDate=\"b\"/>",
            "<WorkoutStatistics startDate=\"\u{FFFD}\" endDate=\"b\"/>"
        ),
    ])
    func `the second startDate of a statistic is read as its endDate`(_ written: String, _ meant: String) {
        let repaired = Self.repaired(written)
        #expect(repaired.text == meant)
        #expect(repaired.kinds.last == .doubledStartDate)
    }

    @Test(arguments: [
        (#"<Attachment identifier="a" identifier="b"/>"#, #"<Attachment identifier="a" />"#, 1),
        (#"<Attachment identifier="a" identifier='b' identifier="a">"#, #"<Attachment identifier="a"  >"#, 2),
        ("<Attachment identifier=\"\u{B}\" identifier=\"\u{B}\"/>", "<Attachment identifier=\"\u{FFFD}\" />", 1),
    ])
    func `an attachment's identifiers but the first are left out`(_ written: String, _ meant: String, _ count: Int) {
        let repaired = Self.repaired(written)
        #expect(repaired.text == meant)
        #expect(repaired.kinds.filter { $0 == .doubledIdentifier }.count == count)
        #expect(repaired.kinds.last == .doubledIdentifier)
    }

    @Test(arguments: [
        #"<Attachment identifier="a"/>"#,
        #"<Attachment identifier="a" Identifier="b"/>"#,
        #"<Attachment identifier="a"identifier="b"/>"#,
        #"<Attachments identifier="a" identifier="b"/>"#,
        #"<WorkoutStatistics startDate="a" endDate="b"/>"#,
        #"<WorkoutStatistics startDate="a" startDate="b" endDate="c"/>"#,
        #"<WorkoutStatistics startDate="a" startDate="b" startDate="c"/>"#,
        #"<WorkoutStatistics startDate="a" StartDate="b"/>"#,
        #"<WorkoutStatistics startDate="a"startDate="b"/>"#,
        #"<WorkoutStatistics startDate="a" startDate=b/>"#,
        #"<WorkoutStatistics startDate="a" startDate="b"#,
        #"<WorkoutStatistics startDate="a" startDate"#,
        #"<WorkoutStatistics startDate="a" startDate="b<"/>"#,
        #"<WorkoutStatistics ="" startDate="a" startDate="b"/>"#,
        #"<WorkoutStatistics x<y="" startDate="a" startDate="b"/>"#,
        #"<WorkoutStatisticsOf startDate="a" startDate="b"/>"#,
        #"<Record startDate="a" startDate="b"/>"#,
        #"<!-- <WorkoutStatistics startDate="a" startDate="b"/> -->"#,
        #"<![CDATA[<WorkoutStatistics startDate="a" startDate="b"/>]]>"#,
    ])
    func `any other doubled attribute stays as it is`(_ text: String) {
        let repaired = Self.repaired(text)
        #expect(repaired.text == text)
        #expect(repaired.kinds.isEmpty)
    }

    @Test func `offsets after a repair are still those of the file`() {
        let text = Array(#"<WorkoutStatistics startDate="a" startDate="b" sum="1"/>"#.utf8)
        unsafe text.withUnsafeBytes { bytes in
            let repair = unsafe TextRepair(bytes)
            #expect(repair.places.map(\.offset) == [33])
            #expect([0, 33, 40, 45].map { repair.originalOffset(of: $0) } == [0, 33, 42, 47])
        }
    }

    private static func repaired(_ text: String) -> (text: String, kinds: [Malformation.Kind]) {
        unsafe Array(text.utf8).withUnsafeBytes { bytes in
            let repair = unsafe TextRepair(bytes)
            let text = unsafe repair.text.withElements { unsafe String(decoding: $0, as: UTF8.self) }
            return (text, repair.places.map(\.kind))
        }
    }
}
