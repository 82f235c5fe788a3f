import Foundation
import Testing

@testable import SyntheticExport

/// The contents of the files next to the XML.
struct OtherFileTests {
    private static let files = Result {
        try SyntheticExport(.init(extent: .days(120), shape: .full)).otherFiles
    }

    private func files(in folder: String) throws -> [any OtherFile] {
        try Self.files.get().filter { $0.path.hasPrefix(folder + "/") }
    }

    // MARK: Electrocardiograms

    @Test func `an electrocardiogram has Apple's header and thirty seconds of voltages`() throws {
        let file = try #require(try files(in: "electrocardiograms").last)
        #expect(file.path == "electrocardiograms/ecg_2024-06-24.csv")
        let lines = file.lines
        #expect(
            Array(lines.prefix(13)) == [
                "Name,\"Alex Example\"", "Date of Birth,\"Mar 9, 1984\"", "Recorded Date,2024-06-24 20:23:22 -0700",
                "Classification,Sinus Rhythm", "Symptoms,", "Software Version,1.90", "Device,\"Watch7,1\"",
                "Sample Rate,512 hertz", "", "", "Lead,Lead I", "Unit,\u{B5}V", "",
            ]
        )
        #expect(lines.last?.isEmpty == true)
        let voltages = lines.dropFirst(13).dropLast()
        #expect(voltages.count == 15_360)
        let isVoltage = /-?\d{1,4}\.\d{3}/
        #expect(voltages.allSatisfy { $0.wholeMatch(of: isVoltage) != nil })
    }

    @Test func `all five findings occur, and every second one is a sinus rhythm`() throws {
        let findings = try files(in: "electrocardiograms").map { $0.lines[3] }
        #expect(Set(findings).count == 5)
        #expect(abs(findings.count { $0 == "Classification,Sinus Rhythm" } * 2 - findings.count) <= 1)
    }

    @Test(arguments: [
        ("Sinus Rhythm", 56...80, 0.0...0.12), ("Atrial Fibrillation", 80...115, 0.12...0.5),
        ("Heart Rate Over 120", 121...140, 0.0...0.05),
    ])
    func `the rate and the regularity of the beats fit the finding`(
        _ finding: String,
        _ rates: ClosedRange<Int>,
        _ irregularity: ClosedRange<Double>
    ) throws {
        let found = try files(in: "electrocardiograms").filter { $0.lines[3] == "Classification,\(finding)" }
        #expect(!found.isEmpty)
        for file in found {
            let intervals = self.intervals(of: file.lines.dropFirst(13).compactMap(Double.init))
            let mean = intervals.reduce(0, +) / Double(intervals.count)
            #expect(rates.contains(Int(60 * 512 / mean)))
            let variance = intervals.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(intervals.count)
            #expect(irregularity.contains(variance.squareRoot() / mean))
        }
    }

    /// The numbers of samples from one R wave to the next.
    private func intervals(of voltages: [Double]) -> [Double] {
        let threshold = (voltages.max() ?? 0) * 0.6
        let starts = voltages.indices.dropFirst().filter { voltages[$0 - 1] < threshold && voltages[$0] >= threshold }
        // Noise on the slope is not a second beat.
        let beats = starts.reduce(into: [Int]()) { beats, start in
            if start - (beats.last ?? -100) > 60 { beats.append(start) }
        }
        return zip(beats, beats.dropFirst()).map { Double($1 - $0) }
    }

    // MARK: Routes

    @Test func `a track is as long as its workout's distance, in order of time, and ends near its start`() throws {
        let text = try GeneratedText.fullMonth.get()
        for file in try files(in: "workout-routes").suffix(2) {
            let place = try #require(text.lines.firstIndex { $0.attribute("path") == "/" + file.path })
            let workout = try #require(text.lines[..<place].lastIndex { $0.hasPrefix(" <Workout ") })
            let distance = try #require(text.lines[workout..<place].first { $0.contains("IdentifierDistance") })
            let miles = try #require(distance.attribute("sum").flatMap(Double.init))
            let points = file.lines.filter { $0.hasPrefix("      <trkpt ") }
            let speeds = points.compactMap { number(in: "speed", of: $0) }
            #expect(points.count == speeds.count && points.count > 1200)
            #expect((0.97...1.03).contains(speeds.reduce(0, +) / 1609.344 / miles))
            let times = points.compactMap { $0.firstMatch(of: /<time>(.*)<\/time>/).map { String($0.1) } }
            #expect(times == times.sorted() && Set(times).count == points.count)
            // It ends at most 400 m north or south of its start.
            let ends = [points[0], points[points.count - 1]].compactMap { point in
                point.attribute("lat").flatMap(Double.init)
            }
            #expect(abs(ends[0] - ends[1]) < 0.0036)
        }
    }

    @Test func `a track gives the time of the export and the name in its path, and is closed`() throws {
        let file = try #require(try files(in: "workout-routes").first)
        let lines = file.lines
        #expect(lines[0] == #"<?xml version="1.0" encoding="UTF-8"?>"#)
        #expect(lines[3] == "    <time>2024-07-01T15:12:31Z</time>")
        let name = file.path.dropFirst("workout-routes/route_".count).dropLast(4)
        #expect(lines[6] == "    <name>Route \(name.replacing("_", with: " ").replacing(".", with: ":"))</name>")
        #expect(lines.suffix(4) == ["    </trkseg>", "  </trk>", "</gpx>", ""])
    }

    @Test(arguments: [(-480, 34.1, -118.3), (60, 52.5, 13.3), (840, 0.0, -150.0), (-720, 0.0, -180.0)])
    func `a route begins where the person lives`(_ offset: Int, _ latitude: Double, _ longitude: Double) throws {
        let options = SyntheticExport.Options(extent: .days(28), utcOffsetMinutes: offset, shape: .full)
        let route = try #require(try SyntheticExport(options).otherFiles.first { $0.path.hasSuffix(".gpx") })
        let point = try #require(route.lines.first { $0.hasPrefix("      <trkpt ") })
        #expect(abs(try #require(point.attribute("lat").flatMap(Double.init)) - latitude) < 0.1)
        #expect(abs(try #require(point.attribute("lon").flatMap(Double.init)) - longitude) < 0.1)
    }

    private func number(in element: String, of point: String) -> Double? {
        point.components(separatedBy: "<\(element)>").dropFirst().first
            .flatMap { Double($0.prefix { $0 != "<" }) }
    }

    // MARK: Clinical records

    @Test func `a clinical record's file has the type and the id that its element gives`() throws {
        let elements = try GeneratedText.fullMonth.get().elements("ClinicalRecord")
        #expect(
            elements.compactMap { $0.attribute("type") } == [
                "AllergyIntolerance", "Condition", "Procedure", "MedicationOrder", "Observation", "Observation",
                "Immunization", "MedicationRequest",
            ]
        )
        #expect(Set(elements.compactMap { $0.attribute("identifier") }).count == 8)
        for element in elements {
            let path = try #require(element.attribute("resourceFilePath")?.dropFirst())
            let file = try #require(try files(in: "clinical-records").first { $0.path == path })
            let object = try JSONSerialization.jsonObject(with: Data(file.bytes))
            let resource = try #require(object as? [String: Any])
            #expect(resource["resourceType"] as? String == element.attribute("type"))
            #expect(resource["id"] as? String == element.attribute("identifier"))
            let isOld = element.attribute("type") == "MedicationOrder"
            #expect(element.attribute("fhirVersion") == (isOld ? "1.0.2" : "4.0.1"))
        }
    }
}
