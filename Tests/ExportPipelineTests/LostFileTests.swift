import ExportPipeline
import Foundation
import HealthExport
import HealthKitMapping
import TestSupport
import Testing

/// Files next to the XML that can't be read are never lost without notice.
struct LostFileTests {
    private static let elements = """
         <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="30" durationUnit="min" \
        sourceName="Watch" startDate="2024-06-16 09:00:00 +0100" endDate="2024-06-16 09:30:00 +0100">
          <WorkoutRoute sourceName="Watch" startDate="2024-06-16 09:00:00 +0100" endDate="2024-06-16 09:30:00 +0100">
           <FileReference path="/workout-routes/a.gpx"/>
          </WorkoutRoute>
         </Workout>
         <ClinicalRecord type="Observation" identifier="lab-1" sourceName="Clinic of Nowhere" fhirVersion="4.0.1" \
        receivedDate="2024-06-16 12:00:00 +0100" resourceFilePath="/clinical-records/a.json"/>

        """
    private static let files = [
        ("electrocardiograms", "a.csv", Self.electrocardiogram), ("workout-routes", "a.gpx", "<gpx></gpx>"),
        ("clinical-records", "a.json", "{}"),
    ]
    private static let electrocardiogram = """
        Name,Ada
        Date of Birth,"Jan 8, 2002"
        Recorded Date,2024-06-16 09:31:03 +0100
        Classification,Sinus Rhythm
        Symptoms,
        Software Version,2.0
        Device,"Watch7,12"
        Sample Rate,512 hertz

        Lead,Lead I
        Unit,µV

        12.5
        13.5

        """

    let folder: TemporaryFolder
    private let options = ConversionOptions.sample.with { $0.mapping.includesRoutes = true }

    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("export")
        try folder.write(export(Self.elements).utf8, to: "export/export.xml")
    }

    /// The damage that both commands report after `put` has put each file or folder in place.
    private func damage(_ put: (_ folder: String, _ name: String, _ text: String) throws -> Void) throws -> [String] {
        for (folder, name, text) in Self.files { try put(folder, name, text) }
        let run = try Run(folder.path("export"), options: options)
        #expect(!run.report.damage.isEmpty && run.report.missingFiles == [:])
        #expect(try run.entries.allSatisfy { $0.type != "DocumentReference" })
        let inspection = try Inspection().run(ExportInput(path: folder.path("export")))
        #expect(inspection.damage.places.map(\.words).sorted() == run.report.damage.places.map(\.words).sorted())
        return run.report.damage.places.map(\.words)
    }

    @Test func `a folder that is a symbolic link is reported, and its contents are not called missing`() throws {
        let words = try damage { folder, name, text in
            try self.folder.makeFolder(folder)
            try self.folder.write(text.utf8, to: "\(folder)/\(name)")
            try self.folder.link("export/" + folder, to: self.folder.path(folder))
        }
        let unread = try Run(folder.path("export"), options: options).report.unreadFiles
        #expect(unread == ["electrocardiogram": 1, "workoutRoute": 1, "clinicalRecord": 1])
        let rest = "can't be listed, or is a symbolic link, which is not followed; nothing in it was read"
        #expect(
            words == [
                "folder of workout routes: \(rest)", "folder of clinical records: \(rest)",
                "folder of electrocardiograms: \(rest)",
            ]
        )
    }

    @Test func `a file that is a symbolic link is reported`() throws {
        let words = try damage { folder, name, text in
            try self.folder.write(text.utf8, to: name)
            try self.folder.makeFolder("export/" + folder)
            try self.folder.link("export/\(folder)/\(name)", to: self.folder.path(name))
        }
        let rest = "a symbolic link, which is not followed; it was left out"
        #expect(
            words == ["workout route 1: \(rest)", "clinical record 1: \(rest)", "electrocardiogram 1: \(rest)"]
        )
    }

    @Test func `a file among the electrocardiograms that is not one is reported`() throws {
        try folder.makeFolder("export/electrocardiograms")
        try folder.makeFolder("export/electrocardiograms/2024")
        try folder.write(Self.electrocardiogram.utf8, to: "export/electrocardiograms/2024/a.csv")
        try folder.write(Self.electrocardiogram.utf8, to: "export/electrocardiograms/.b.csv.icloud")
        try folder.write(export("").utf8, to: "export/export.xml")
        let run = try Run(folder.path("export"), options: options)
        #expect(run.report.files == ["electrocardiogram": 1])
        let words = [
            "electrocardiogram 1: no .csv file, such as one that is not downloaded or not copied to its end; it was left out"
        ]
        #expect(run.report.damage.places.map(\.words) == words)
        #expect(try Inspection().run(ExportInput(path: folder.path("export"))).damage.places.map(\.words) == words)
    }

    @Test func `a pipe among the electrocardiograms is reported, and not waited for`() throws {
        try folder.makeFolder("export/electrocardiograms")
        try #require(unsafe mkfifo(folder.path("export/electrocardiograms/a.csv"), 0o600) == 0)
        try folder.write(export("").utf8, to: "export/export.xml")
        let words = ["electrocardiogram 1: the file is empty, damaged or went away; it was left out"]
        #expect(try Run(folder.path("export"), options: options).report.damage.places.map(\.words) == words)
        #expect(try Inspection().run(ExportInput(path: folder.path("export"))).damage.places.map(\.words) == words)
    }

    @Test func `a file that is cut short is reported and left out`() throws {
        let words = try damage { folder, name, text in
            try self.folder.makeFolder("export/" + folder)
            let cut = folder == "electrocardiograms" ? text.replacing("13.5", with: "13.") : String(text.dropLast())
            try self.folder.write(cut.utf8, to: "export/\(folder)/\(name)")
        }
        let rest = "the file is empty, damaged or went away; it was left out"
        #expect(words.prefix(2) == ["workout route 1: \(rest)", "clinical record 1: \(rest)"])
        #expect(words.count == 3)
    }

    @Test(arguments: [
        ([UInt8](), "the file is empty, damaged or went away; it was left out"), ([0xB5], notUTF8),
        ([0xB5, 0x00], notUTF8),
    ])
    func `an electrocardiogram that is not text is reported and left out`(_ micro: [UInt8], _ rest: String) throws {
        try folder.makeFolder("export/electrocardiograms")
        let parts = Self.electrocardiogram.split(separator: "µ").map { Array($0.utf8) }
        try folder.write(
            micro.isEmpty ? [] : parts[0] + micro + parts[1],
            to: "export/electrocardiograms/a.csv"
        )
        try folder.write(export("").utf8, to: "export/export.xml")
        let words = ["electrocardiogram 1: \(rest)"]
        #expect(try Run(folder.path("export"), options: options).report.damage.places.map(\.words) == words)
        #expect(try Inspection().run(ExportInput(path: folder.path("export"))).damage.places.map(\.words) == words)
    }

    private static let notUTF8 =
        "not UTF-8: an editor or a spreadsheet may have saved it; it was left out: take the file that Health made"

    @Test func `an unsupported compression method of a file in a zip is named`() throws {
        let members = [("export.xml", export(Self.elements))] + Self.files.map { ("\($0.0)/\($0.1)", $0.2) }
        var zip = ZipBuilder(members.map { .stored($0.0, contents: Array($0.1.utf8)) })
        for index in 1..<zip.members.count { zip.members[index].method = 12 }
        let path = try folder.write(zip.bytes(), to: "export.zip")
        let words = try Run(path, options: options).report.damage.places.map(\.words)
        let rest = "compressed by zip method 12, not 0 or 8; it was left out: unpack the zip and give the folder"
        #expect(
            words == ["workout route 1: \(rest)", "clinical record 1: \(rest)", "electrocardiogram 1: \(rest)"]
        )
        #expect(try Inspection().run(ExportInput(path: path)).damage.places.map(\.words).sorted() == words.sorted())
    }
}
