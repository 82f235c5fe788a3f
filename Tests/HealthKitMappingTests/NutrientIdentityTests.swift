import HealthExport
import HealthKitMapping
import TestSupport
import Testing

/// A record in a panel is named by other code than one at the top of the file, and must have the same id: the panel
/// refers to it.
struct NutrientIdentityTests {
    private static let type = "HKQuantityTypeIdentifierDietaryProtein"
    private static let noon = "2024-06-01 12:00:00 +0100"

    /// A nutrient, as far as its id depends on it.
    struct Nutrient: Sendable {
        var value = "9"
        var unit: String? = "g"
        var start = noon
        var end: String?
        var hardware: String?
        var metadata: [(String, String)] = []

        var device: String? { hardware.map { "<<HKDevice: 0x1>, hardware:\($0)>" } }

        var element: HealthElement {
            let attributes = [
                ("type", type), ("sourceName", "App"), ("unit", unit), ("value", value), ("startDate", start),
                ("endDate", end ?? start), ("device", device),
            ]
            return HealthElement(
                .record,
                attributes.compactMap { name, text in text.map { .init(name, $0) } },
                children: self.metadata.map { HealthKitMappingTests.metadata($0, $1) }
            )
        }

        var xml: String {
            let device = device?.replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            return record(
                type,
                value: value,
                unit: unit?.replacing("<", with: "&lt;").replacing(">", with: "&gt;"),
                start: start,
                end: end,
                device: device,
                metadata: self.metadata
            )
        }
    }

    private static func identified(_ identifier: String) -> Nutrient {
        Nutrient(hardware: "iPhone13,2", metadata: [("HKMetadataKeySyncIdentifier", identifier)])
    }

    private func expectOneID(_ nutrient: Nutrient) throws {
        let food = element(
            .correlation,
            ["type": "HKCorrelationTypeIdentifierFood", "startDate": Self.noon, "endDate": Self.noon],
            [nutrient.element]
        )
        let id = try mapOne(nutrient.xml).id
        #expect(try mapElement(food).json[0].contains("\"hasMember\":[{\"reference\":\"Observation/\(id)\"}]"))
    }

    /// Those of ten digits are written another way than others.
    @Test(arguments: [
        "0001-01-02 00:00:00 +0000", "1969-12-31 23:59:59 +0000", "1970-01-01 00:00:00 +0000",
        "2001-09-09 01:46:39 +0000", "2001-09-09 01:46:40 +0000", "2286-11-20 17:46:39 +0000",
        "2286-11-20 17:46:40 +0000",
    ])
    func `a nutrient has one id in any year`(_ time: String) throws {
        try expectOneID(Nutrient(start: time))
        try expectOneID(Nutrient(start: "0001-01-02 00:00:00 +0000", end: time))
    }

    @Test func `a nutrient that ends before it starts has one id`() throws {
        try expectOneID(Nutrient(end: "2024-06-01 11:59:59 +0100"))
    }

    @Test(
        arguments: [
            ("9", nil), ("9", ""), ("9", " "), ("9", "furlong"), ("9", "oz"), ("9.125", "mmol<180.1558800000541>/L"),
            ("9", "<x>g"), ("nine", "g"), ("nine", ""), ("", "g"), ("9.0049999999999999999", "g"),
        ] as [(String, String?)]
    )
    func `a nutrient of any value and unit has one id`(_ value: String, _ unit: String?) throws {
        try expectOneID(Nutrient(value: value, unit: unit))
    }

    @Test(arguments: [
        "17", String(repeating: "a", count: 31), String(repeating: "a", count: 32), String(repeating: "é", count: 16),
    ])
    func `a nutrient with a sync identifier of any length has one id`(_ identifier: String) throws {
        try expectOneID(Self.identified(identifier))
    }

    @Test(arguments: [
        [("HKFoodType", "Oats")], [("HKFoodMeal", "Lunch")], [("HKExternalUUID", "u")],
        [("HKInsulinDeliveryReason", "1")],
        [("HKFoodType", "Oats"), ("HKFoodMeal", "Lunch"), ("HKExternalUUID", "u"), ("HKInsulinDeliveryReason", "1")],
        [("HKFoodType", "Oats"), ("HKFoodType", "Rye")],
    ])
    func `a nutrient with metadata that distinguish it has one id`(_ metadata: [(String, String)]) throws {
        try expectOneID(Nutrient(metadata: metadata))
    }
}
