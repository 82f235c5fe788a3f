import Foundation
import HealthExport
@testable import HealthKitMapping
import Testing

/// Prescriptions as phones write them (docs/vision-prescriptions.md).
struct VisionRuleTests {
    @Test(arguments: [
        ("glasses", "lens", "Lens"), ("contacts", "contact", "Contact Lens"),
        ("HKVisionPrescriptionTypeGlasses", "lens", "Lens"),
        ("HKVisionPrescriptionTypeContacts", "contact", "Contact Lens"),
    ])
    func `the two types become FHIR's products, by the exporter's words and by HealthKit's names`(
        _ type: String,
        _ code: String,
        _ display: String
    ) throws {
        let mapped = try Self.map(type, [element(.rightEye, ["cylinder": "-1", "cylinderUnit": "D"])])
        #expect(mapped.json.count == 1)
        #expect(mapped.json.first?.contains(#""code":"\#(code)","display":"\#(display)"}]},"eye":"right""#) == true)
    }

    @Test func `the left eye's near pupillary distance is left out if it is the right eye's`() throws {
        func nearPD(left: String, unit: String = "mm") throws -> Int {
            let json = try Self.map(
                "glasses",
                [
                    element(.rightEye, ["sphere": "-1", "sphereUnit": "D", "nearPD": "30.5", "nearPDUnit": "mm"]),
                    element(.leftEye, ["sphere": "-2", "sphereUnit": "D", "nearPD": left, "nearPDUnit": unit]),
                ]
            ).json
            return try #require(json.first).components(separatedBy: #""url":"nearPD""#).count - 1
        }
        #expect(try nearPD(left: "30.5") == 1)
        #expect(try nearPD(left: "31") == 2)
        #expect(try nearPD(left: "30.5", unit: "cm") == 2)
    }

    @Test(arguments: [
        ("1.5708", "rad", "90"), ("1.570796", "rad", "90"), ("0.785398", "rad", "45"), ("92.5", "deg", "92"),
        ("90.00000000000001", "deg", "90"),
    ])
    func `an angle's digits beyond those of an export do not count`(_ axis: String, _ unit: String, _ whole: String)
        throws
    {
        let json = try Self.map("glasses", [element(.leftEye, ["axis": axis, "axisUnit": unit])]).json.first
        #expect(json?.contains(#""axis":\#(whole)"#) == true)
        #expect(json?.contains(#""url":"axis""#) == (axis == "92.5"))
    }

    private static func map(_ type: String, _ children: [HealthElement]) throws -> MappedElements {
        try mapElement(
            element(.visionPrescription, ["type": type, "dateIssued": "2024-06-16 14:00:00 +0100"], children)
        )
    }
}
