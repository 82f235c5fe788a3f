import HealthExport
import TestSupport
import Testing

/// An unpacked export as input.
struct InputFolderTests {
    private static let noExport = """
        export: no Apple Health export inside (expected an XML file with <HealthData>): \
        give the zip or the folder that holds it, or export it again with "Export All Health Data"
        """

    private static func linked(_ name: String) -> String {
        """
        export: \(name) is a symbolic link, which is not followed (expected the file or folder itself): \
        put it there, or give the path that it leads to
        """
    }

    let folder: TemporaryFolder
    let export: String

    init() throws {
        folder = try TemporaryFolder()
        export = try folder.makeFolder("export")
    }

    @Test func `a file that iCloud has not downloaded is reported`() throws {
        try folder.write([0x62, 0x70], to: "export/.export.xml.icloud")
        #expect(
            folder.openingFault(of: export)
                == """
                export: no Apple Health export inside but a file that iCloud has not downloaded (expected an XML file with \
                <HealthData>): download it first
                """
        )
    }

    @Test func `the main XML is found in the folder itself`() throws {
        try folder.write(sampleXML, to: "export/vienti.xml")
        try folder.write(Array("<ClinicalDocument>".utf8) + sampleXML, to: "export/export_cda.xml")
        let input = try ExportInput(path: export)
        #expect(input.kind == .folder)
        #expect(input.mainMemberName == "vienti.xml")
        #expect(try folder.outcome(of: export) == Outcome(bytes: sampleXML))
        #expect(try ExportInput(path: "\(export)/").mainMemberName == "vienti.xml")
    }

    @Test func `the main XML is found in apple_health_export below the folder`() throws {
        try folder.makeFolder("export/apple_health_export")
        try folder.write(sampleXML, to: "export/apple_health_export/導出.xml")
        try folder.makeFolder("export/apple_health_export/electrocardiograms")
        try folder.write([], to: "export/apple_health_export/electrocardiograms/ecg_2024-03-31.csv")
        try folder.write([], to: "export/apple_health_export/electrocardiograms/notes.txt")
        try folder.makeFolder("export/apple_health_export/attachments")
        try folder.write([], to: "export/apple_health_export/attachments/eye.pdf")
        try folder.write([], to: "export/apple_health_export/.DS_Store")
        try folder.write([], to: "export/not part of it.txt")
        let input = try ExportInput(path: export)
        #expect(input.mainMemberName == nil)
        #expect(input.otherMembers[.electrocardiogram] == 2)
        #expect(input.otherMembers[.attachment] == 1)
        #expect(input.otherMembers[.other] == 0)
        #expect(try folder.outcome(of: export) == Outcome(bytes: sampleXML))
    }

    @Test func `a copied folder of electrocardiograms is read, and any other file counts as one more`() throws {
        for name in [
            "electrocardiograms", "electrocardiograms 2", "electrocardiograms 2/@eaDir", "notes", "notes/deeper",
            ".git",
        ] {
            try folder.makeFolder("export/\(name)")
        }
        try folder.write(sampleXML, to: "export/export.xml")
        for name in ["electrocardiograms/ecg_1.csv", "electrocardiograms 2/ecg_2.csv"] {
            try folder.write([1], to: "export/\(name)")
        }
        for name in [
            "electrocardiograms/.localized", "electrocardiograms/Icon\r", "electrocardiograms/.directory",
            "electrocardiograms 2/@eaDir/ecg_2.csv@SynoEAStream", "notes/deeper/note.txt",
        ] {
            try folder.write([1], to: "export/\(name)")
        }
        let input = try ExportInput(path: export)
        #expect(input.otherMembers[.electrocardiogram] == 2)
        #expect(input.otherMembers[.other] == 1)
        #expect(try input.members(of: .electrocardiogram).map { try input.contents(of: $0, atMost: 9) } == [[1], [1]])
    }

    @Test(arguments: ["apple_health_export 2", "Mein Export"])
    func `the main XML is found in the only folder, whatever its name`(_ name: String) throws {
        try folder.makeFolder("export/\(name)")
        try folder.makeFolder("export/__MACOSX")
        try folder.makeFolder("export/.Trash")
        try folder.write(sampleXML, to: "export/\(name)/export.xml")
        let input = try ExportInput(path: export)
        #expect(input.mainMemberName == "\(name)/export.xml")
        #expect(try folder.outcome(of: export) == Outcome(bytes: sampleXML))
        // Also next to other folders without an export.
        try folder.makeFolder("export/another")
        try folder.write(Array("<plist/>".utf8), to: "export/another/notes.xml")
        #expect(try folder.outcome(of: export) == Outcome(bytes: sampleXML))
    }

    @Test(arguments: [
        ("apple_health_export", "apple_health_export 2"), ("Anna", "Ben"), ("apple_health_export", "Alt"),
    ])
    func `two export folders next to each other are refused`(_ first: String, _ second: String) throws {
        for name in [first, second] {
            try folder.makeFolder("export/\(name)")
            try folder.write(sampleXML, to: "export/\(name)/export.xml")
        }
        #expect(folder.openingFault(of: export) == "export: \(severalExports)")
    }

    @Test(arguments: ["export 2.xml", "apple_health_export/export 2.xml"])
    func `a folder with two exports is refused`(_ second: String) throws {
        try folder.makeFolder("export/apple_health_export")
        try folder.write(sampleXML, to: "export/apple_health_export/export.xml")
        try folder.write(sampleXML + [0x0A], to: "export/" + second)
        #expect(folder.openingFault(of: export) == "export: \(severalExports)")
    }

    @Test func `symbolic links and pipes in a folder are not followed`() throws {
        try folder.write(sampleXML, to: "outside.xml")
        try folder.link("export/export.xml", to: folder.path("outside.xml"))
        _ = try folder.makePipe("export/pipe.xml")
        try folder.makeFolder("elsewhere")
        try folder.write(sampleXML, to: "elsewhere/export.xml")
        try folder.link("export/apple_health_export", to: folder.path("elsewhere"))
        #expect(folder.openingFault(of: export) == Self.linked("apple_health_export"))
    }

    @Test(arguments: [("export.xml", "export.xml"), ("Exportación.XML", "its XML"), ("notes.txt", nil)])
    func `a main XML that is a symbolic link is named in the message`(_ name: String, _ said: String?) throws {
        try folder.write(sampleXML, to: "outside.xml")
        try folder.link("export/" + name, to: folder.path("outside.xml"))
        #expect(folder.openingFault(of: export) == said.map { Self.linked($0) } ?? Self.noExport)
    }

    @Test func `a symbolic link that the user gives is followed`() throws {
        try folder.write(sampleXML, to: "export/export.xml")
        try folder.link("link", to: export)
        #expect(try folder.outcome(of: folder.path("link")) == Outcome(bytes: sampleXML))
    }

    @Test func `a folder without an export is reported`() throws {
        #expect(folder.openingFault(of: export) == Self.noExport)
        try folder.write(Array("<plist/>".utf8), to: "export/export.xml")
        #expect(folder.openingFault(of: export) == Self.noExport)
    }

    @Test(arguments: ["export.zip", "Export.ZIP"])
    func `a zip inside a folder or another zip is named in the message`(_ name: String) throws {
        let inner = ZipBuilder([.stored("export.xml", contents: sampleXML)]).bytes()
        let inFolder = try folder.write(inner, to: "export/" + name)
        let fault = "no Apple Health export inside but \(name) (expected an XML file with <HealthData>)"
        #expect(folder.openingFault(of: export) == "export: \(fault): give that zip itself")
        _ = inFolder
        let outer = try folder.write(ZipBuilder([.stored(name, contents: inner)]), to: "outer.zip")
        #expect(folder.openingFault(of: outer) == "outer.zip: \(fault): give that zip itself")
    }

    @Test func `a folder with only an empty XML is reported`() throws {
        try folder.write([], to: "export/export.xml")
        #expect(
            folder.openingFault(of: export)
                == """
                export: the XML inside is 0 bytes long (expected an XML file with <HealthData>): \
                export it again with "Export All Health Data"
                """
        )
    }
}
