import Glibc
import HealthExport
import TestSupport
import Testing

/// Files next to the main XML.
struct InputMemberTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let route = "/workout-routes/route_2024-06-16_9.31am.gpx"

    /// An export in a zip, with a member whose name is in NFD and one that is damaged.
    private func zip(_ prefix: String = "apple_health_export/") throws -> ExportInput {
        var damaged = ZipBuilder.Member.stored(prefix + "electrocardiograms/ecg_3.csv", contents: [1, 2, 3])
        damaged.checksum = 0
        return try ExportInput(
            path: folder.write(
                ZipBuilder([
                    .stored(prefix + "export.xml", contents: sampleXML),
                    .stored(prefix + "electrocardiograms/", contents: []),
                    .deflated(prefix + "electrocardiograms/ecg_2.csv", contents: Array("two".utf8)),
                    .stored(prefix + "electrocardiograms/ecg_1.CSV", contents: Array("one".utf8)),
                    damaged,
                    .stored(prefix + "electrocardiograms/readme.txt", contents: [1]),
                    .stored("__MACOSX/" + prefix + "electrocardiograms/._ecg_1.csv", contents: [1]),
                    .stored(prefix + String(Self.route.dropFirst()), contents: Array("route".utf8)),
                    .stored(prefix + "clinical-records/re\u{301}sume\u{301}.json", contents: Array("record".utf8)),
                ])
            )
        )
    }

    @Test func `members are ordered by name`() throws {
        let input = try zip()
        let members = input.members(of: .electrocardiogram)
        #expect(members.map(\.ordinal) == [1, 2, 3, 4])
        #expect(try input.contents(of: members[0], atMost: 3) == Array("one".utf8))
        #expect(try input.contents(of: members[1], atMost: 3) == Array("two".utf8))
    }

    /// The XML does not name these files: one that is skipped would be lost without notice.
    @Test func `all files in electrocardiograms count, at any depth, in a folder as in a zip`() throws {
        let names = [
            ".ecg_1.csv.icloud", "2025/ecg_2.csv", "2025/older/ecg_3.CSV", "ecg_4.csv.part", "ecg_5", ".DS_Store",
            "ecg_2.csv:Zone.Identifier", ".~lock.ecg_2.csv#", ".nfs0000000001", ".AppleDouble/ecg_2.csv",
            "._ecg_1.csv", "2025/Thumbs.db", "2025/desktop.ini", "__MACOSX/ecg_1.csv",
        ].map { "electrocardiograms/" + $0 }
        let files = names.map { ($0, Array($0.utf8)) }
        let zip = ZipBuilder(([("export.xml", sampleXML)] + files).map { .stored("Anna/" + $0.0, contents: $0.1) })
        try folder.makeFolder("Anna")
        for path in ["", "/2025", "/2025/older", "/__MACOSX", "/.AppleDouble"] {
            try folder.makeFolder("Anna/electrocardiograms" + path)
        }
        for file in [("export.xml", sampleXML)] + files { try folder.write(file.1, to: "Anna/" + file.0) }
        for path in [folder.path("Anna"), try folder.write(zip)] {
            let input = try ExportInput(path: path)
            let members = input.members(of: .electrocardiogram)
            let contents = members.map { member in
                Result { () throws(MemberFault) in
                    String(decoding: try input.contents(of: member, atMost: 99), as: UTF8.self)
                }
            }
            #expect(
                contents == [
                    .failure(.notCSV), .success(names[1]), .success(names[2]), .failure(.notCSV), .failure(.notCSV),
                ]
            )
            #expect(input.otherMembers[.electrocardiogram] == 5)
            #expect(input.otherMembers[.other] == 0)
        }
    }

    @Test func `an electrocardiogram outside its folder is recognized by its name`() throws {
        let zip = ZipBuilder(
            [
                "export.xml", "ecg_2024-06-01.csv", ".ecg_2024-06-02.csv.icloud", "notes.csv", "ecg_2024-06-01.txt",
                "ecg_summary.csv", "attachments/ecg_2024-06-01.csv",
            ].map {
                .stored("flat/" + $0, contents: $0 == "export.xml" ? sampleXML : [1])
            }
        )
        let counts = try ExportInput(path: folder.write(zip)).otherMembers
        #expect((counts[.electrocardiogram], counts[.attachment], counts[.other]) == (2, 1, 3))
    }

    @Test func `the names of the folders around an export say nothing about its files`() throws {
        let zip = ZipBuilder([
            .stored("electrocardiograms/export.xml", contents: sampleXML),
            .stored("electrocardiograms/notes.txt", contents: [1]),
        ])
        let counts = try ExportInput(path: folder.write(zip)).otherMembers
        #expect((counts[.electrocardiogram], counts[.other]) == (0, 1))
    }

    @Test func `backslashes separate names as slashes do, also in files that macOS adds`() throws {
        let names = [
            "electrocardiograms/ecg_1.csv", "electrocardiograms/._ecg_1.csv", "electrocardiograms/",
            "attachments/.DS_Store", "__MACOSX/electrocardiograms/x.csv", "export_cda.xml",
        ]
        let counts = try ["/", "\\"].map { separator in
            let members = names.map { ZipBuilder.Member.stored($0.replacing("/", with: separator), contents: [1]) }
            let zip = ZipBuilder([.stored("export.xml", contents: sampleXML)] + members)
            return try ExportInput(path: folder.write(zip, to: separator == "/" ? "slashes.zip" : "backslashes.zip"))
                .otherMembers
        }
        #expect(counts[0] == counts[1])
        #expect(counts[0][.electrocardiogram] == 1)
    }

    @Test func `a member that is damaged, too large or gone gives a typed fault`() throws {
        let input = try zip()
        let members = input.members(of: .electrocardiogram)
        #expect(throws: MemberFault.damaged) { try input.contents(of: members[2], atMost: 100) }
        #expect(throws: MemberFault.tooLarge(byteCount: 3)) { try input.contents(of: members[0], atMost: 2) }
        let other = try folder.write(
            ZipBuilder([.stored("export.xml", contents: sampleXML)]),
            to: "other.zip"
        )
        #expect(throws: MemberFault.gone) {
            try ExportInput(path: other).contents(of: members[0], atMost: 100)
        }
    }

    @Test(arguments: [
        route, String(route.dropFirst()), "/apple_health_export" + route, "/clinical-records/r\u{E9}sum\u{E9}.json",
        "/clinical-records/re\u{301}sume\u{301}.json",
    ])
    func `a path in the XML finds its member`(_ path: String) throws {
        for prefix in ["apple_health_export/", "", "Export von Anna/"] {
            let input = try zip(prefix)
            let member = try #require(input.member(at: path))
            let expected = path.contains("route") ? "route" : "record"
            #expect(try input.contents(of: member, atMost: 100) == Array(expected.utf8))
        }
    }

    @Test(arguments: [
        "/workout-routes/../workout-routes/route_2024-06-16_9.31am.gpx", "/etc/passwd", "", "/", "/workout-routes",
        "/workout-routes/", "/workout-routes/other.gpx", "/export.xml", "/workout-routes/route_2024-06-16_9.31am.gpx\0",
        "/clinical-records/route_2024-06-16_9.31am.gpx",
    ])
    func `a path that names no member finds nothing`(_ path: String) throws {
        #expect(try zip().member(at: path) == nil)
    }

    @Test func `a path never leads out into the file system`() throws {
        try folder.write(Array("secret".utf8), to: "secret.gpx")
        let export = try folder.makeFolder("export")
        try folder.makeFolder("export/workout-routes")
        try folder.write(sampleXML, to: "export/export.xml")
        try folder.write(Array("route".utf8), to: "export" + Self.route)
        try folder.link("export/workout-routes/link.gpx", to: folder.path("secret.gpx"))
        let input = try ExportInput(path: export)
        let member = try #require(input.member(at: Self.route))
        #expect(try input.contents(of: member, atMost: 100) == Array("route".utf8))
        for path in ["/workout-routes/../../secret.gpx", folder.path("secret.gpx")] {
            #expect(input.member(at: path) == nil)
        }
        let link = try #require(input.member(at: "/workout-routes/link.gpx"))
        #expect(throws: MemberFault.symbolicLink) { try input.contents(of: link, atMost: 100) }
    }

    @Test func `a member of a folder that has gone away is gone`() throws {
        let export = try folder.makeFolder("export")
        let inner = try folder.makeFolder("export/apple_health_export")
        try folder.makeFolder("export/apple_health_export/workout-routes")
        try folder.write(sampleXML, to: "export/apple_health_export/export.xml")
        try folder.write(Array("route".utf8), to: "export/apple_health_export" + Self.route)
        let member = try #require(ExportInput(path: export).member(at: Self.route))
        #expect(try ExportInput(path: export).contents(of: member, atMost: 100) == Array("route".utf8))
        #expect(throws: MemberFault.gone) { try ExportInput(path: inner).contents(of: member, atMost: 100) }
    }

    /// Apple names electrocardiograms by date: another person's file may have the same name, length and time.
    @Test func `a file that was replaced by another one is gone`() throws {
        let export = try unpacked()
        let input = try ExportInput(path: export)
        let ecg = try #require(input.members(of: .electrocardiogram).first)
        #expect(try input.contents(of: ecg, atMost: 100) == Array("Ann’s".utf8))
        #expect(try input.changeFault() == nil)
        let ecgPath = folder.path("export/electrocardiograms/ecg_2024-03-01.csv")
        var times = [timespec(tv_sec: 1_700_000_000, tv_nsec: 0), timespec(tv_sec: 1_700_000_000, tv_nsec: 0)]
        unsafe utimensat(AT_FDCWD, ecgPath, &times, 0)
        let before = try ExportInput(path: export)
        try folder.write(Array("Bob’s".utf8), to: "other.csv")
        unsafe utimensat(AT_FDCWD, folder.path("other.csv"), &times, 0)
        try #require(unsafe rename(folder.path("other.csv"), ecgPath) == 0)
        for input in [input, before] {
            #expect(throws: MemberFault.gone) { try input.contents(of: ecg, atMost: 100) }
            let fault = try input.changeFault()
            #expect(
                fault?.description
                    == """
                    \(export): files of the folder changed while it was read (expected the same ones from beginning to end): \
                    run again when it is fully unpacked, and use no file that was made of this one; what was sent the next \
                    sync puts right
                    """
            )
        }
        let now = try ExportInput(path: export)
        let other = try #require(now.members(of: .electrocardiogram).first)
        #expect(try now.contents(of: other, atMost: 100) == Array("Bob’s".utf8))
    }

    private func unpacked() throws -> String {
        let export = try folder.makeFolder("export")
        try folder.makeFolder("export/electrocardiograms")
        try folder.write(sampleXML, to: "export/export.xml")
        try folder.write(Array("Ann’s".utf8), to: "export/electrocardiograms/ecg_2024-03-01.csv")
        return export
    }

    @Test func `a backup's hard link or new permissions do not make a file another one`() throws {
        let export = try unpacked()
        let input = try ExportInput(path: export)
        let ecg = try #require(input.members(of: .electrocardiogram).first)
        for name in ["export.xml", "electrocardiograms/ecg_2024-03-01.csv"] {
            try #require(unsafe link("\(export)/\(name)", "\(export)/backup-\(name.count)") == 0)
            try #require(unsafe chmod("\(export)/\(name)", 0o640) == 0)
        }
        #expect(try input.changeFault() == nil)
        #expect(try input.contents(of: ecg, atMost: 100) == Array("Ann’s".utf8))
        _ = try input.openMainXML()
    }

    @Test func `the main XML of a folder is the one that was listed`() throws {
        let export = try unpacked()
        let input = try ExportInput(path: export)
        try folder.write(sampleXML, to: "next.xml")
        try #require(unsafe rename(folder.path("next.xml"), folder.path("export/export.xml")) == 0)
        #expect(throws: HealthExportError.unreadableInput(.fileChanged, input: export)) { try input.openMainXML() }
        #expect(try input.changeFault() == .unreadableInput(.folderChanged, input: export))
    }

    @Test(arguments: [
        ("export/electrocardiograms/ecg_2024-03-02.csv", true), ("export/workout-routes/route.gpx", true),
        ("export/bundles.ndjson", false), ("export/notes/ecg.txt", false), ("export/.DS_Store", false),
        ("export/electrocardiograms/a.ndjson", false), ("export/attachments/a.ndjson", false),
    ])
    func `a file that appears while a folder is read is a change if it is of a kind that is read`(
        _ name: String,
        _ changes: Bool
    ) throws {
        let export = try unpacked()
        for name in ["workout-routes", "notes", "attachments"] { try folder.makeFolder("export/\(name)") }
        let input = try ExportInput(path: export)
        try folder.write([1], to: name)
        #expect((try input.changeFault() != nil) == changes)
    }

    @Test func `a bare XML file has no members`() throws {
        let input = try ExportInput(path: folder.write(sampleXML, to: "export.xml"))
        #expect(ExportMember.Kind.allCases.flatMap(input.members(of:)) == [])
        #expect(input.member(at: Self.route) == nil)
    }

    @Test func `a single electrocardiogram is an input of its own`() throws {
        let text = Array("Name,\nDate of Birth,\nRecorded Date,2024-06-16 09:31:02 +0100\n\n1\n".utf8)
        let input = try ExportInput(path: folder.write(text, to: "anything"))
        #expect(input.kind == .electrocardiogram)
        #expect(input.otherMembers[.electrocardiogram] == 1)
        let members = input.members(of: .electrocardiogram)
        #expect(try members.map { try input.contents(of: $0, atMost: 100) } == [text])
        #expect(throws: HealthExportError.self) { try input.openMainXML() }
    }
}
