import ExportPipeline
import Foundation
import HealthKitMapping
import TestSupport
import Testing

/// Activity rings, audiograms, prescriptions and the answers in `Me`: the rules of docs/decisions/0010 to 0013.
struct SummaryElementTests {
    // MARK: Activity rings

    private func rings(_ day: String, _ attributes: String = #"appleExerciseTime="41""#) -> String {
        " <ActivitySummary dateComponents=\"\(day)\" \(attributes)/>\n"
    }

    @Test(arguments: [("2024-06-30", "final"), ("2024-07-01", "preliminary"), ("2024-07-02", "preliminary")])
    func `the day of the export is preliminary`(_ day: String, _ status: String) throws {
        let run = try Run(of: rings(day))
        #expect(try run.observations.map { $0.resource["status"] as? String } == [status])
    }

    @Test func `a day that has ended is sent again under the same id`() throws {
        let folder = try Samples.text("activity-rings")
        let later = folder.replacingOccurrences(of: "2024-06-18 00:30:00", with: "2024-06-19 00:30:00")
        #expect(folder != later)
        let (open, closed) = (try Run(text: folder), try Run(text: later))
        #expect(try open.ids() == closed.ids())
        #expect(try open.keys != closed.keys)
    }

    @Test func `a day's summary has the same id whatever its content`() throws {
        let first = try Run(of: rings("2024-06-16"))
        let second = try Run(of: rings("2024-06-16", #"activeEnergyBurned="5" activeEnergyBurnedUnit="kcal""#))
        let other = try Run(of: rings("2024-06-17"))
        #expect(try first.ids() == second.ids())
        #expect(try first.ids() != other.ids())
        #expect(try first.keys != second.keys)
    }

    @Test(arguments: [
        #"appleExerciseTime="0" appleExerciseTimeGoal="0""#, #"appleExerciseTimeGoal="30""#, #"appleStandHours="x""#,
    ])
    func `a summary without a usable ring is not written, and is counted`(_ attributes: String) throws {
        let run = try Run(of: rings("2024-06-16", attributes))
        #expect(run.lines.isEmpty)
        #expect(run.report.tally.unmapped.elements == ["ActivitySummary": 1])
    }

    @Test func `the move minutes of iOS 13 are the move time of later ones`() throws {
        let first = try Run(of: rings("2024-06-16", #"appleMoveMinutes="52" appleMoveMinutesGoal="60""#))
        let later = try Run(of: rings("2024-06-16", #"appleMoveTime="52" appleMoveTimeGoal="60""#))
        #expect(first.lines == later.lines)
        #expect(first.lines.count == 1)
        #expect(first.report.tally.unmapped == later.report.tally.unmapped)
    }

    @Test func `a summary from before HealthKit is not written, and is counted`() throws {
        let run = try Run(of: rings("1970-01-01"))
        #expect(run.lines.isEmpty)
        #expect(run.report.tally.unmapped.elements == ["ActivitySummary": 1])
    }

    /// A date without a time in --since and --until is midnight in that zone.
    @Test(arguments: [
        ("America/Los_Angeles", 1_719_730_800), ("Pacific/Auckland", 1_719_662_400), ("Africa/Cairo", 1_719_694_800),
        (nil, 1_719_705_600),
    ])
    func `a day's rings begin at midnight in the zone of written times`(_ zone: String?, _ midnight: Int64) throws {
        let run = try Run(
            of: ["2024-06-29", "2024-06-30", "2024-07-01"].map { rings($0) }.joined(),
            options: .sample.with {
                $0.mapping.timeZone = zone
                $0.mapping.since = midnight
                $0.mapping.until = midnight + 86_400
            }
        )
        #expect(try run.observations.map { $0.resource["effectiveDateTime"] as? String } == ["2024-06-30"])
    }

    @Test func `a filter of types leaves summaries out`() throws {
        let run = try Run(
            of: rings("2024-06-16"),
            options: .sample.with { $0.mapping.types = ["HKQuantityTypeIdentifierHeartRate"] }
        )
        #expect(run.lines.isEmpty)
    }

    // MARK: Audiograms

    private func audiogram(_ points: String, times: String = "13:00:00 +0100") -> String {
        """
         <Audiogram type="HKDataTypeIdentifierAudiogram" sourceName="Ears" startDate="2024-06-16 \(times)" \
        endDate="2024-06-16 \(times)">
        \(points)
         </Audiogram>

        """
    }

    @Test(arguments: [
        ("10", "10", nil), ("-10", "-10", "<="), ("-12", "-10", "<="), ("85", "85", ">="), ("85.5", "85", ">="),
        ("84.9", "84.9", nil),
    ])
    func `a threshold at the end of the range is written as a bound`(
        _ value: String,
        _ written: String,
        _ comparator: String?
    ) throws {
        let point = """
            <SensitivityPoint frequencyValue="1000" frequencyUnit="Hz" leftEarValue="\(value)" leftEarUnit="dBHL" \
            leftEarClampingRangeLowerBound="-10" leftEarClampingRangeUpperBound="85"/>
            """
        let text = try Run(of: audiogram(point)).text
        let said = comparator.map { ",\"comparator\":\"\($0)\"" } ?? ""
        #expect(text.contains("\"valueQuantity\":{\"value\":\(written)\(said),\"unit\":\"dB HL\""))
    }

    /// LOINC calls them "Hearing threshold Ear - left --500 Hz" and so on, and gives the left ear the smaller number.
    @Test(arguments: [
        ("500", "89024-4", "89025-1"), ("1000", "89016-0", "89017-8"), ("2000", "89018-6", "89019-4"),
        ("3000", "89020-2", "89021-0"), ("4000", "89022-8", "89023-6"), ("6000", "89026-9", "89027-7"),
        ("8000", "89028-5", "89029-3"),
    ])
    func `the threshold of each ear has its own code`(_ frequency: String, _ left: String, _ right: String) throws {
        let point = """
            <SensitivityPoint frequencyValue="\(frequency)" frequencyUnit="Hz" leftEarValue="10" leftEarUnit="dBHL" \
            rightEarValue="20" rightEarUnit="dBHL"/>
            """
        let observation = try #require(try Run(of: audiogram(point)).observations.first)
        let components = try #require(observation.resource["component"] as? [[String: any Sendable]])
        let thresholds = components.map { component in
            let coding = (component["code"] as? [String: any Sendable])?["coding"] as? [[String: any Sendable]]
            let quantity = component["valueQuantity"] as? [String: any Sendable]
            return "\(coding?.first?["code"] ?? "") \(coding?.first?["display"] ?? "") \(quantity?["value"] ?? "")"
        }
        #expect(
            thresholds == [
                "\(left) Hearing threshold Ear - left --\(frequency) Hz 10",
                "\(right) Hearing threshold Ear - right --\(frequency) Hz 20",
            ]
        )
    }

    @Test func `an audiogram is the same in another order, unit of frequency and zone`() throws {
        let low = #"<SensitivityPoint frequencyValue="500" frequencyUnit="Hz" leftEarValue="10" leftEarUnit="dBHL"/>"#
        let high = #"<SensitivityPoint frequencyValue="8000" frequencyUnit="Hz" leftEarValue="20" leftEarUnit="dBHL"/>"#
        let inKilohertz = high.replacingOccurrences(of: "8000\" frequencyUnit=\"Hz", with: "8\" frequencyUnit=\"kHz")
        let first = try Run(of: audiogram(low + high)).ids()
        #expect(try Run(of: audiogram(inKilohertz + low, times: "12:00:00 +0000")).ids() == first)
        #expect(try Run(of: audiogram(low)).ids() != first)
        let swapped = low.replacingOccurrences(of: "left", with: "right")
        #expect(try Run(of: audiogram(swapped)).ids() != Run(of: audiogram(low)).ids())
    }

    // MARK: Vision prescriptions

    private func prism(_ eye: String, _ angle: String, unit: String = "deg") throws -> String? {
        let angle = "prismAngle=\"\(angle)\" prismAngleUnit=\"\(unit)\""
        let lens = "<\(eye) prismAmount=\"2\" prismAmountUnit=\"pD\" \(angle)/>"
        let text = try Run(
            of: """
                 <VisionPrescription type="HKVisionPrescriptionTypeGlasses" dateIssued="2024-06-16 14:00:00 +0100">
                 \(lens)
                 </VisionPrescription>

                """
        ).text
        guard let base = text.firstRange(of: "\"base\":\"") else {
            #expect(text.contains("\"url\":\"prismAngle\""))
            return nil
        }
        return String(text[base.upperBound...].prefix { $0 != "\"" })
    }

    @Test func `a prism's base follows from its angle and its eye`() throws {
        for (angle, right, left) in [
            ("0", "in", "out"), ("90", "up", "up"), ("180", "out", "in"), ("270", "down", "down"), ("360", "in", "out"),
        ] {
            #expect(try prism("RightEye", angle) == right)
            #expect(try prism("LeftEye", angle) == left)
        }
        #expect(try prism("RightEye", "45") == nil)
    }

    @Test func `noise after the twelfth digit of an angle is ignored`() throws {
        #expect(try prism("RightEye", "89.99999999999999") == "up")
        #expect(try prism("RightEye", "89.99") == nil)
    }

    private func lens(_ kind: String, _ attributes: String) throws -> Run {
        try Run(
            of: """
                 <VisionPrescription type="HKVisionPrescriptionType\(kind)" dateIssued="2024-06-16 14:00:00 +0100">
                 <RightEye \(attributes)/>
                 </VisionPrescription>

                """
        )
    }

    @Test func `an angle in radians is converted to degrees`() throws {
        for (angle, base) in [("0", "in"), ("1.5707963267948966", "up"), ("3.141592653589793", "out")] {
            #expect(try prism("RightEye", angle, unit: "rad") == base)
        }
        let text = try lens("Glasses", #"axis="1.6144295580947547" axisUnit="rad""#).text
        #expect(text.contains("\"axis\":92}"))
        #expect(text.contains("\"url\":\"axis\",\"valueQuantity\":{\"value\":92.5,\"unit\":\"°\""))
    }

    @Test func `the sphere of a contact lens is written as its power`() throws {
        let attributes = #"sphere="-1.25" sphereUnit="D" add="1" addUnit="D" baseCurve="8.6" baseCurveUnit="mm""#
        #expect(try lens("Contacts", attributes).text.contains(#""eye":"right","add":1,"power":-1.25,"backCurve":8.6"#))
        #expect(try lens("Glasses", attributes).text.contains(#""eye":"right","sphere":-1.25,"add":1,"backCurve":8.6"#))
    }

    @Test func `a lens's number in an unsupported unit is left out and counted as a value`() throws {
        let run = try lens("Glasses", #"sphere="-1" sphereUnit="D" cylinder="-2" cylinderUnit="dpt" axis="5""#)
        #expect(run.report.tally.unmapped.values == ["other": 2])
        #expect(run.report.tally.unmapped.units == [:])
        #expect(run.text.contains(#""eye":"right","sphere":-1}"#))
    }

    @Test(arguments: [
        ("90", "90", false), ("92.5", "92", true), ("93.5", "94", true), ("0.5", "0", true), ("0.6", "1", true),
        ("179.99999999999997", "180", false), ("-0.6", "-1", true), ("-1.6", "-2", true), ("-0.4", "0", true),
    ])
    func `an axis is written in whole degrees, and a fraction is kept next to it`(
        _ written: String,
        _ axis: String,
        _ isKept: Bool
    ) throws {
        let text = try Run(
            of: """
                 <VisionPrescription type="HKVisionPrescriptionTypeGlasses" dateIssued="2024-06-16 14:00:00 +0100">
                 <RightEye axis="\(written)" axisUnit="deg"/>
                 </VisionPrescription>

                """
        ).text
        #expect(text.contains("\"axis\":\(axis)}"))
        #expect(text.contains("\"url\":\"axis\",\"valueQuantity\":{\"value\":\(written),") == isKept)
    }

    // MARK: Me

    @Test func `a Patient is only written on request, and never replaces one`() throws {
        let path = Samples.path("characteristics")
        let without = try Run(path)
        #expect(try without.ids("Patient").isEmpty)
        #expect(without.report.tally.unmapped.elements == ["Me": 1])
        let with = try Run(path, options: .sample.with { $0.mapping.includesPatient = true })
        #expect(
            try #require(with.lines.first).contains(
                #"{"resource":{"resourceType":"Patient","id":"sample","active":true,"gender":"female","#
                    + #""birthDate":"1980-02-29"},"request":{"method":"PUT","url":"Patient/sample","ifNoneMatch":"*"}}"#
            )
        )
        #expect(with.report.tally.unmapped.elements.isEmpty)
    }

    @Test(arguments: ["DateOfBirth=\"1980-02-29\"", "BiologicalSex=\"HKBiologicalSexFemale\""])
    func `an owner's birth date or sex alone is counted if no Patient is asked for`(_ answer: String) throws {
        let run = try Run(of: " <Me HKCharacteristicTypeIdentifier\(answer)/>\n")
        #expect(run.lines.isEmpty && run.report.tally.unmapped.elements == ["Me": 1])
    }

    @Test func `what has no date is in no stretch of time`() throws {
        let me = #" <Me HKCharacteristicTypeIdentifierBloodType="HKBloodTypeABNegative"/>\#n"#
        func run(_ change: (inout MappingOptions) -> Void) throws -> Run {
            try Run(of: me, options: .sample.with { change(&$0.mapping) })
        }
        #expect(try run { _ in }.observations.count == 1)
        #expect(try run { $0.since = 0 }.lines.isEmpty)
        #expect(try run { $0.until = 4_000_000_000 }.lines.isEmpty)
    }

    @Test func `questions that the owner did not answer are not written`() throws {
        let run = try Run(
            of: """
                 <Me HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexNotSet" \
                HKCharacteristicTypeIdentifierBloodType="HKBloodTypeNotSet" \
                HKCharacteristicTypeIdentifierFitzpatrickSkinType="HKFitzpatrickSkinTypeNotSet" \
                HKCharacteristicTypeIdentifierCardioFitnessMedicationsUse="None"/>

                """
        )
        #expect(run.lines.isEmpty)
        #expect(run.report.tally.unmapped.elements.isEmpty)
    }

    @Test func `a birth date or sex that a Patient can't express is left out and counted`() throws {
        let me = """
             <Me HKCharacteristicTypeIdentifierDateOfBirth="soon" \
            HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFoo"/>

            """
        let run = try Run(of: me, options: .sample.with { $0.mapping.includesPatient = true })
        #expect(run.text.contains("\"resourceType\":\"Patient\"") && !run.text.contains("\"gender\""))
        #expect(run.report.tally.unmapped.values == ["other": 2])
    }

    // MARK: What nobody knows

    @Test func `unknown elements are counted`() throws {
        let run = try Run(
            of: """
                 <StateOfMind valence="0.5"/>
                 <MedicationDose name="Secret"><Strength amount="5"/></MedicationDose>

                """
        )
        #expect(run.lines.isEmpty)
        #expect(run.report.tally.unmapped.elements == ["StateOfMind": 1, "other": 1])
    }
}

extension Run {
    /// Converts the whole text of an export.
    init(text: String, options: ConversionOptions = .sample) throws {
        let folder = try TemporaryFolder()
        try self.init(folder.write(text.utf8, to: "export.xml"), options: options)
    }
}
