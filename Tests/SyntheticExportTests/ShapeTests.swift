import SyntheticExport
import Testing

struct ShapeTests {
    @Test(arguments: SyntheticExport.Shape.allCases)
    func `each end tag closes the element opened last, at its depth`(_ shape: SyntheticExport.Shape) throws {
        var open: [Substring] = []
        let lines = try GeneratedText.week(shape).lines
        let first = try #require(lines.firstIndex { $0.hasPrefix("<HealthData") })
        for line in lines[first...] {
            let tag = line.drop { $0 == " " }
            let depth = line.count - tag.count
            #expect(tag.hasPrefix("<") && tag.hasSuffix(">"))
            let body = tag.dropFirst().dropLast()
            #expect(!body.contains("<") && !body.contains(">"))
            if body.hasPrefix("/") {
                #expect(open.popLast() == body.dropFirst())
                #expect(depth == open.count)
            } else {
                #expect(depth == open.count)
                #expect(body.count { $0 == "\"" }.isMultiple(of: 2))
                if !body.hasSuffix("/") { open.append(body.prefix { $0 != " " }) }
            }
        }
        #expect(open.isEmpty)
    }

    @Test func `the prolog declares version 14 and US English`() throws {
        let lines = try GeneratedText.week.get().lines
        #expect(lines[0] == #"<?xml version="1.0" encoding="UTF-8"?>"#)
        #expect(lines[1] == "<!DOCTYPE HealthData [")
        #expect(lines[2] == "<!-- HealthKit Export Version: 14 -->")
        let root = try #require(lines.firstIndex(of: #"<HealthData locale="en_US">"#))
        #expect(lines[root - 1] == "]>")
        #expect(lines[root + 1] == #" <ExportDate value="2024-07-01 08:12:31 -0700"/>"#)
        #expect(lines[root + 2].hasPrefix(" <Me HKCharacteristicTypeIdentifierDateOfBirth="))
    }

    @Test func `a record's attributes are in Apple's order`() throws {
        let order = [
            "type", "sourceName", "sourceVersion", "device", "unit", "creationDate", "startDate", "endDate", "value",
        ]
        for record in try GeneratedText.week.get().elements("Record") {
            let names = record.attributeNames
            #expect(names == order.filter(names.contains))
            #expect(names.contains("type") && names.contains("startDate") && names.contains("endDate"))
        }
    }

    @Test func `every type's identifier begins with HK`() throws {
        for line in try GeneratedText.week.get().lines where line.hasPrefix(" ") {
            guard let type = line.attribute("type") else { continue }
            #expect(type.hasPrefix("HK"))
        }
    }

    @Test func `a month holds more than forty types, and the records of each type stay together`() throws {
        let types = try GeneratedText(.init(extent: .days(30), shape: .plain)).elements("Record")
            .compactMap { $0.attribute("type") }
        let runs = zip(types, types.dropFirst()).count { $0 != $1 } + 1
        #expect(runs == Set(types).count)
        #expect(runs > 40)
    }

    @Test func `all dates have the same offset`() throws {
        for line in try GeneratedText.week.get().lines {
            for name in ["creationDate", "startDate", "endDate", "date"] {
                guard let date = line.attribute(name), line.hasPrefix(" <") || line.hasPrefix("  <") else { continue }
                #expect(date.count == 25 && date.hasSuffix(" -0700"))
            }
        }
    }

    @Test func `a device's pointer changes from record to record`() throws {
        let pointers = try GeneratedText.week.get().elements("Record").compactMap { $0.attribute("device")?.prefix(36) }
        #expect(pointers.count > 5000)
        #expect(Set(pointers).count > pointers.count * 9 / 10)
    }

    @Test func `source names have the apostrophe and the space that Apple writes, and an escaped ampersand`() throws {
        let names = Set(try GeneratedText.week.get().elements("Record").compactMap { $0.attribute("sourceName") })
        #expect(names.contains("Alex\u{2019}s Apple\u{A0}Watch"))
        #expect(names.contains("Weigh &amp; Well"))
    }

    @Test func `both records of a blood pressure panel are also at top level`() throws {
        let text = try GeneratedText.week.get()
        let top = Set(text.elements("Record"))
        let nested = text.lines.filter { $0.hasPrefix("  <Record ") }
        #expect(nested.count == text.elements("Correlation").count * 2)
        #expect(!nested.isEmpty)
        for record in nested { #expect(top.contains(String(record.dropFirst()))) }
    }

    @Test func `a workout has the same metadata before and after its statistics`() throws {
        let lines = try GeneratedText.week.get().lines
        let start = try #require(lines.firstIndex { $0.hasPrefix(" <Workout ") })
        let end = try #require(lines[start...].firstIndex(of: " </Workout>"))
        let children = lines[start + 1..<end]
        let before = children.prefix { $0.hasPrefix("  <MetadataEntry") }
        #expect(!before.isEmpty)
        #expect(children.suffix(before.count) == before)
        #expect(children.contains { $0.hasPrefix("  <WorkoutStatistics") })
    }

    @Test func `the plain shape has no children, no device text and only ASCII names`() throws {
        let text = try GeneratedText.plainWeek.get()
        for record in text.elements("Record") {
            #expect(record.hasSuffix("/>"))
            #expect(record.attribute("device") == nil)
            #expect(record.attribute("sourceName")?.utf8.allSatisfy { $0 < 0x80 } == true)
        }
        #expect(text.elements("Workout").isEmpty && text.elements("Correlation").isEmpty)
        #expect(text.elements("ActivitySummary").count == 7)
    }

    @Test func `records of the shape app say what those of the shape plain say, and have metadata of their own`() throws
    {
        let text = try GeneratedText.week(.app)
        let (records, plain) = (text.elements("Record"), try GeneratedText.week(.plain).elements("Record"))
        // Records with beats have no metadata in this shape.
        let isOwn = { (record: String) in !record.contains("HeartRateVariability") }
        #expect(records.map { $0.hasSuffix("/>") } == records.map { !isOwn($0) })
        #expect(records.map { $0.replacing("/>", with: ">") } == plain.map { $0.replacing("/>", with: ">") })
        let entries = text.lines.filter { $0.hasPrefix("  <MetadataEntry ") }
        #expect(entries.count == 4 * records.count(where: isOwn))
        let ids = entries.filter { $0.contains("SyncIdentifier") }
        #expect(ids.count == records.count(where: isOwn))
        #expect(Set(ids).count * 1000 > ids.count * 990)
        #expect(text.elements("ActivitySummary").count == 7)
    }
}
