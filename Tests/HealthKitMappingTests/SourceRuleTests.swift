import HealthExport
import HealthKitMapping
import TestSupport
import Testing

/// docs/formats.md, "Sources and devices" and "Device ids".
struct SourceRuleTests {
    @Test(arguments: [
        "Health", "Salud", "Saúde", "Salute", "Santé", "Gezondheid", "Hälsa", "Sundhed", "Helse", "Terveys", "Zdrowie",
        "Zdraví", "Zdravie", "Egészség", "Sănătate", "Sağlık", "Υγεία", "Здоров’я", "Здоровʼя", "Здоровье", "Zdravlje",
        "Salut", "صحتي", "בריאות", "สุขภาพ", "Sức khỏe", "Kesehatan", "Kesihatan", "सेहत", "ヘルスケア", "健康", "건강",
    ])
    func `Apple's Health app is one source in every language`(_ name: String) throws {
        #expect(try mapOne(record(source: name)).id == mapOne(record(source: "Health")).id)
        #expect(try mapOne(record(source: name)).gateway == mapOne(record(source: "Health")).gateway)
    }

    @Test(arguments: ["health", "Health ", "Healthy", "Gesundheit", ""])
    func `another name is another source`(_ name: String) throws {
        #expect(try mapOne(record(source: name)).id != mapOne(record(source: "Health")).id)
    }

    @Test func `no-break spaces count as spaces, and decomposed letters as composed ones`() throws {
        let one = try mapOne(record(source: "\u{C9}lan Fit"))
        for name in ["E\u{301}lan Fit", "\u{C9}lan\u{A0}Fit", "E\u{301}lan\u{202F}Fit"] {
            #expect(try mapOne(record(source: name)).id == one.id)
            #expect(try mapOne(record(source: name)).digest == one.digest)
        }
        for name in ["Elan Fit", "\u{C9}lan\u{2009}Fit", "\u{C9}lan  Fit", " \u{C9}lan Fit"] {
            #expect(try mapOne(record(source: name)).id != one.id)
        }
    }

    @Test func `the device's hardware takes precedence over the source's name`() throws {
        let watch = "&lt;&lt;HKDevice: 0x1&gt;, name:Apple Watch, model:Watch, hardware:Watch6,2, software:9.1&gt;"
        let one = try mapOne(record(source: "Nora’s Apple Watch", device: watch))
        #expect(try mapOne(record(source: "Watch of Nora", device: watch)).id == one.id)
        let other = watch.replacing("Watch6,2", with: "Watch6,3")
        #expect(try mapOne(record(source: "Nora’s Apple Watch", device: other)).id != one.id)
        let without = watch.replacing(" hardware:Watch6,2,", with: "")
        #expect(try mapOne(record(source: "Nora’s Apple Watch", device: without)).id != one.id)
    }

    @Test func `a pointer and a creation date do not distinguish Devices`() throws {
        let one = "&lt;&lt;HKDevice: 0x283336ee0&gt;, name:Meter, model:S1, creation date:2024-01-01 10:00:00 +0000&gt;"
        let two = "&lt;&lt;HKDevice: 0x1&gt;, name:Meter, model:S1, creation date:2025-02-02 11:00:00 +0000&gt;"
        #expect(try mapOne(record(device: one)).device == mapOne(record(device: two)).device)
        #expect(try mapOne(record(device: one)).digest == mapOne(record(device: two)).digest)
    }

    @Test(arguments: [
        "manufacturer:M", "model:X", "hardware:H", "software:S", "firmware:F", "localIdentifier:L",
        "UDIDeviceIdentifier:U",
    ])
    func `each other field makes another Device and another digest`(_ field: String) throws {
        let plain = try mapOne(record(device: "&lt;&lt;HKDevice: 0x1&gt;, manufacturer:A, model:B&gt;"))
        let other = try mapOne(record(device: "&lt;&lt;HKDevice: 0x1&gt;, manufacturer:A, model:B, \(field)&gt;"))
        #expect(other.device != plain.device)
        #expect(other.digest != plain.digest)
    }

    @Test func `a device's name counts only without model and hardware`() throws {
        func device(_ fields: String) throws -> String? {
            try mapOne(record(device: "&lt;&lt;HKDevice: 0x1&gt;, \(fields)&gt;")).device
        }
        #expect(try device("name:Nora's, model:M") == device("name:Sam's, model:M"))
        #expect(try device("name:Nora's, hardware:H") == device("name:Sam's, hardware:H"))
        #expect(try device("name:Nora's") != device("name:Sam's"))
        #expect(try device("name:Nora's")?.contains("\"name\":\"Nora's\",\"type\":\"user-friendly-name\"") == true)
    }

    @Test(arguments: [nil, "", "&lt;&lt;HKDevice: 0x1&gt;&gt;", "&lt;&lt;HKDevice: 0x1&gt;, name: &gt;", "   "])
    func `a device text that says nothing gives no Device`(_ device: String?) throws {
        let mapped = try mapOne(record(device: device))
        #expect(mapped.device == nil)
        #expect(mapped.value("device") == nil)
    }

    @Test func `a source without a name gives no Device`() throws {
        #expect(try mapOne(record(source: "")).gateway == nil)
        #expect(try mapOne(record(source: " ")).gateway == nil)
        #expect(try mapOne(record(source: "App", version: " ")).gateway == mapOne(record(source: "App")).gateway)
    }

    @Test func `another version of the app gives another Device and digest, but the same id`() throws {
        let one = try mapOne(record(version: "1"))
        let two = try mapOne(record(version: "2"))
        #expect(one.id == two.id)
        #expect(one.digest != two.digest)
        #expect(one.gateway != two.gateway)
    }

    @Test(arguments: [
        ("<<HKDevice: 0x1>, name:A, model:B>", "A", "B"), ("<<HKDevice: 0x1>, name:A, B, model:C>", "A, B", "C"),
        ("<<HKDevice: 0x1>, name:A: B, model:C>", "A: B", "C"), ("<<HKDevice: 0x1>, odd:X, name:A>", "A", ""),
        ("<<HKDevice: 0x1>, name:A, name:B>", "B", ""),
        ("<<HKDevice: 0x1>, name:A, bluetoothIdentifier:0A1B, manufacturer:C, model:D>", "A", "D"),
        ("<<HKDevice: 0x1>, name:A,\u{301} model:B>", "A,\u{301} model:B", ""),
        ("<<HKDevice: 0x1>\u{338}, name:A>", "A", ""), ("<<Gadget: 0x1>, name:A>", "<<Gadget: 0x1>, name:A>", ""),
        ("A watch", "A watch", ""), ("<<HKDevice: 0x1", "<<HKDevice: 0x1", ""), ("<<HKDevice: 0x1>, name:A", "A", ""),
    ])
    func `a device text is parsed byte by byte`(_ text: String, _ name: String, _ model: String) {
        let device = DeviceText(text)
        #expect(Array(device.name.utf8) == Array(name.utf8))
        #expect(device.model == model)
    }

    @Test(arguments: [
        ("hardware:Watch7,5, modelNumber:A2986, software:11", "Watch7,5"), ("hardware:Watch7,5, 6, odd", "Watch7,5"),
        ("hardware:Watch7, modelNumber:A2986", "Watch7, modelNumber:A2986"), ("hardware:B6, 2, x", "B6, 2, x"),
    ])
    func `an unknown field is not part of Apple's hardware`(_ fields: String, _ hardware: String) {
        #expect(DeviceText("<<HKDevice: 0x1>, name:A, \(fields)>").hardware == hardware)
    }

    @Test(arguments: [
        ("&lt;&lt;HKDevice: 0x1>, name:A;B, model:&gt;", "&lt;&lt;HKDevice: 0x1>, name:Z;B, model:&gt;"),
        ("&lt;&lt;Gadget: 1&gt;, name:A", "&lt;&lt;Gadget: 2&gt;, name:A"),
        ("&amp;lt;&amp;lt;HKDevice: 1&amp;gt;, A", "&amp;lt;&amp;lt;HKDevice: 2&amp;gt;, A"),
    ])
    func `different devices are kept apart even if their texts end alike`(_ one: String, _ two: String) throws {
        let both = try map(record(device: one) + record(start: "2024-06-02 08:00:00 +0100", device: two))
        try #require(both.count == 2)
        #expect(both[0].device != both[1].device)
        #expect(try both[1].device == mapOne(record(device: two)).device)
    }

    @Test func `an accent after an entity is not combined with it`() throws {
        let scanned = try mapOne(record(source: "R&amp;\u{301}D"))
        // With the attributes in another order the record goes through libxml2.
        let parsed = try mapOne(
            " <Record sourceName=\"R&amp;\u{301}D\" type=\"HKQuantityTypeIdentifierHeartRate\" unit=\"count/min\""
                + " startDate=\"2024-06-01 08:00:00 +0100\" endDate=\"2024-06-01 08:00:00 +0100\" value=\"60\"/>\n"
        )
        #expect(scanned.id == parsed.id)
        #expect(scanned.gateway == parsed.gateway)
    }
}
