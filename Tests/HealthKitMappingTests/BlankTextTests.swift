import FHIRR4
import HealthExport
import HealthKitMapping
import TestSupport
import Testing

/// White space alone has no meaning, and FHIR can't hold it: docs/formats.md, "Notation".
struct BlankTextTests {
    private static let blanks = [" ", "\u{A0}", "\u{2028}", "\u{3000}", "\u{205F} "]

    @Test(arguments: blanks) func `a serial number or UDI of white space is ignored`(_ blank: String) throws {
        let device = "&lt;&lt;HKDevice: 0x1&gt;, model:Meter&gt;"
        let said = [("HKDeviceSerialNumber", blank), ("HKUDIDeviceIdentifier", blank)]
        let mapped = try mapOne(record(device: device, metadata: said))
        #expect(try mapped.device == mapOne(record(device: device)).device)
        let named = try mapOne(record(device: device, metadata: said + [("HKDeviceSerialNumber", "7")]))
        #expect(try named.device == mapOne(record(device: device, metadata: [("HKDeviceSerialNumber", "7")])).device)
    }

    @Test(arguments: blanks) func `a device's name or maker of white space is ignored next to another`(_ blank: String)
        throws
    {
        for key in ["HKDeviceName", "HKDeviceManufacturerName"] {
            let named = try mapOne(record(device: nil, metadata: [(key, "A")]))
            #expect(try mapOne(record(device: nil, metadata: [(key, "A"), (key, blank)])).device == named.device)
            #expect(named.device?.contains("\"A\"") == true)
        }
    }

    @Test(arguments: blanks) func `a device field of white space is ignored`(_ blank: String) throws {
        let device = "&lt;&lt;HKDevice: 0x1&gt;, name:Scale, manufacturer:\(blank), model:\(blank)&gt;"
        let plain = try mapOne(record(device: "&lt;&lt;HKDevice: 0x1&gt;, name:Scale&gt;"))
        #expect(try mapOne(record(device: device)).device == plain.device)
    }

    @Test(arguments: blanks) func `a record whose type is white space is unusable`(_ blank: String) throws {
        #expect(try map(record(blank)).isEmpty)
    }

    @Test func `white space within a code becomes one space, and is removed at its ends`() throws {
        #expect(try mapOne(record("\u{A0}HKFoo\u{2028} Bar\u{3000}")).json.contains("\"code\":\"HKFoo Bar\"}"))
    }

    @Test(arguments: blanks) func `a statistic or event of a blank type is left out and counted`(_ blank: String) throws
    {
        let mapped = try mapElement(
            workout(children: [
                element(.workoutStatistics, ["type": blank, "sum": "1"]),
                element(.workoutEvent, ["type": blank, "date": "2024-06-01 08:00:00 +0100"]),
            ])
        )
        #expect(mapped.tally.unmapped.elements == ["WorkoutStatistics": 1, "WorkoutEvent": 1])
        #expect(try mapped.json == mapElement(workout()).json)
    }

    @Test(arguments: blanks) func `a sum of white space is ignored`(_ blank: String) throws {
        let statistic = element(.workoutStatistics, ["type": "HKQuantityTypeIdentifierStepCount", "sum": blank])
        #expect(try mapElement(workout(children: [statistic])).json == mapElement(workout()).json)
    }

    @Test(arguments: blanks) func `a food whose name is white space is called food`(_ blank: String) throws {
        let time = "2024-06-16 14:00:00 +0100"
        let nutrient = element(
            .record,
            [
                "type": "HKQuantityTypeIdentifierDietaryProtein", "value": "9", "unit": "g", "startDate": time,
                "endDate": time,
            ]
        )
        let food = element(
            .correlation,
            ["type": "HKCorrelationTypeIdentifierFood", "startDate": time, "endDate": time],
            [nutrient, metadata("HKFoodType", blank)]
        )
        #expect(try mapElement(food).json[0].contains("\"display\":\"Food\"}],\"text\":\"Food\"}"))
    }

    @Test(arguments: blanks) func `a blank brand, answer or clinical record's name is ignored`(_ blank: String) throws {
        let eye = element(.rightEye, ["sphere": "1", "sphereUnit": "D"])
        let glasses = element(
            .visionPrescription,
            ["type": "HKVisionPrescriptionTypeGlasses", "dateIssued": "2024-06-16 14:00:00 +0100", "brand": blank],
            [eye]
        )
        #expect(!(try mapElement(glasses).json[0].contains("brand")))
        let owner = element(.me, ["HKCharacteristicTypeIdentifierFitzpatrickSkinType": blank])
        #expect(try mapElement(owner).json == [])
        let record = element(.clinicalRecord, ["type": blank, "identifier": blank, "resourceFilePath": "/a.json"])
        let file = ReferencedFile(kind: .clinicalRecord, path: "/a.json", element: record)
        let json = try mapFile(file, content: "{}", options: MappingOptions(patientID: "p1", form: .resource)).json[0]
        #expect(!json.contains("masterIdentifier") && !json.contains("title") && !json.contains("\"\(blank)\""))
    }

    @Test func `in metadata a unit of white space is no unit`() throws {
        let json = try mapOne(record(metadata: [("HKLapLength", "418  \u{A0} ")])).json
        #expect(json.contains("\"valueQuantity\":{\"value\":418}"))
    }
}
