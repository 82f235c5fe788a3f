/// Makes documents in Apple's form except for a few places, which a fast reader may misread.
///
///     var generator = NearCanonicalDocument(seed: 7)
///     let xml = generator.document()
public struct NearCanonicalDocument {
    private var random: RandomBits
    /// The record made last.
    private var last: [UInt8] = []

    /// The same documents for the same seed, on every machine.
    public init(seed: UInt64) { random = RandomBits(state: seed) }

    /// The next document: some 5 to 25 elements, in UTF-8 unless invalid UTF-8 is one of the oddities.
    public mutating func document() -> [UInt8] {
        let lineEnd = chance(12) ? "\r\n" : "\n"
        let indentation = chance(8) ? pick(["", "  ", "\t"]) : " "
        var bytes = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<HealthData locale=\"en_US\">\(lineEnd)".utf8)
        bytes += Array("\(indentation)<ExportDate value=\"2024-06-30 10:00:00 +0200\"/>\(lineEnd)".utf8)
        for _ in 0..<(5 + Int(next() % 20)) {
            bytes += Array(indentation.utf8)
            bytes += element(lineEnd, indentation)
            if !chance(40) { bytes += Array(lineEnd.utf8) }
        }
        if !chance(20) { bytes += Array("</HealthData>\(lineEnd)".utf8) }
        if chance(30) { bytes += Array("<Record type=\"late\"/>".utf8) }
        if chance(15) { bytes.removeLast(min(max(bytes.count - 200, 0), Int(next() % 300))) }
        return bytes
    }

    private mutating func element(_ lineEnd: String, _ indentation: String) -> [UInt8] {
        switch next() % 24 {
        case 0:
            let child = pick(["<WorkoutEvent/>", "<WorkoutStatistics startDate=\"a\" startDate='b' sum=\"1\"/>"])
            return Array("<Workout workoutActivityType=\"HKWorkoutActivityTypeRunning\">\(child)</Workout>".utf8)
        case 1:
            let inner = record(lineEnd, indentation)
            return Array("<Correlation type=\"HKCorrelationTypeIdentifierFood\">\(lineEnd)\(indentation) ".utf8) + inner
                + Array("\(lineEnd)\(indentation)</Correlation>".utf8)
        case 2:
            let inner = record(lineEnd, indentation)
            let (open, close) = pick([("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?x ", "?>"), ("<!--", ""), ("", "-->")])
            return Array("\(open)\(lineEnd)\(indentation)".utf8) + inner
                + Array("\(lineEnd)\(indentation)\(close)".utf8)
        case 3: return Array(pick(["text", "&amp;", "&nope;", "]]>", "<", "</Record>", "<Broken"]).utf8)
        case 4...9: return repetition()
        default:
            last = record(lineEnd, indentation)
            return last
        }
    }

    private mutating func record(_ lineEnd: String, _ indentation: String) -> [UInt8] {
        var attributes: [(String, [UInt8])] = [
            ("type", Array(pick(["HKQuantityTypeIdentifierStepCount", "HKCategoryTypeIdentifierFever", "x"]).utf8)),
            ("sourceName", value(pick(["Phone", "Alex’s\u{A0}Watch", "A&amp;B"]))),
            ("sourceVersion", value("10.4")),
            (
                "device",
                value("&lt;&lt;HKDevice: 0x\(String(next() >> 28, radix: 16))&gt;, name:Watch, hardware:Watch6,2&gt;")
            ),
            ("unit", value(pick(["count", "mmol&lt;180.1558800000541&gt;/L", "mL/min·kg"]))),
            ("creationDate", value("2024-01-01 08:00:00 +0100")),
            ("startDate", value("2024-01-01 08:00:0\(next() % 10) +0100")),
            ("endDate", value("2024-01-01 08:01:00 +0100")),
            ("value", value(String(next() % 1000))),
        ]
        while attributes.count > 1, chance(3) { attributes.remove(at: Int(next() % UInt64(attributes.count))) }
        if chance(12) {
            for place in attributes.indices.dropFirst().reversed() {
                attributes.swapAt(place, Int(next() % UInt64(place + 1)))
            }
        }
        if chance(20) { attributes.append(attributes[0]) }
        if chance(20) { attributes.append(("other", value("1"))) }
        var bytes = Array("<Record".utf8)
        for (name, value) in attributes {
            bytes += Array(chance(60) ? pick(["  ", "\t", "\n", "\r\n", ""]).utf8 : " ".utf8)
            let quote = chance(50) && !value.contains(UInt8(ascii: "'")) ? "'" : "\""
            bytes += Array((name + (chance(80) ? " = " : "=") + quote).utf8) + value + Array(quote.utf8)
        }
        if chance(40) { bytes += Array(pick([" ", "\n", "x"]).utf8) }
        guard chance(3) else { return bytes + Array((chance(60) ? ">" : "/>").utf8) }
        bytes += Array(">".utf8)
        for _ in 0..<(next() % 3) {
            bytes += Array("\(lineEnd)\(indentation) ".utf8)
            switch next() % 16 {
            case 0: bytes += Array("<HeartRateVariabilityMetadataList/>".utf8)
            case 1: bytes += Array("<MetadataEntry value=\"1\" key=\"k\"/>".utf8)
            case 2: bytes += Array("<MetadataEntry key=\"k\"/>".utf8)
            case 3: bytes += Array("<!-- c -->text".utf8)
            case 4...7: bytes += beats(lineEnd)
            default:
                bytes +=
                    Array("<MetadataEntry key=\"".utf8) + value("HKTimeZone") + Array("\" value=\"".utf8)
                    + value(pick(["Europe/Paris", "1 &lt; 2", "ä"])) + Array("\"/>".utf8)
            }
        }
        return bytes + Array("\(lineEnd)\(indentation)</Record>".utf8)
    }

    private mutating func beats(_ lineEnd: String) -> [UInt8] {
        var bytes = Array("<HeartRateVariabilityMetadataList>".utf8)
        for _ in 0..<(next() % 4) {
            let bpm = Array(" bpm=\"".utf8) + value("62") + Array("\"".utf8)
            let time = Array(" time=\"".utf8) + value("6:14:4\(next() % 10),94\u{A0}PM") + Array("\"".utf8)
            bytes += Array("\(lineEnd)<InstantaneousBeatsPerMinute".utf8)
            bytes += chance(30) ? time + bpm : chance(30) ? bpm : bpm + time
            bytes += Array((chance(60) ? " />" : chance(60) ? "></InstantaneousBeatsPerMinute>" : "/>").utf8)
        }
        return bytes + Array((chance(60) ? "" : "\(lineEnd)</HeartRateVariabilityMetadataList>").utf8)
    }

    /// The previous record again, now and then with one byte changed: most of an export is like that.
    private mutating func repetition() -> [UInt8] {
        var bytes = last
        if chance(3), !bytes.isEmpty {
            let place = Int(next() % UInt64(bytes.count))
            bytes[place] = chance(2) ? UInt8(truncatingIfNeeded: next()) : UInt8(ascii: "\"")
        }
        return bytes
    }

    /// The value, now and then with something that libxml2 must look at.
    private mutating func value(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8)
        guard chance(40) else { return bytes }
        let odd: [[UInt8]] = [
            [0x00], [0x0B], [0x1F], [0x7F], [0x09], [0x0A], [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80],
            [0xEF, 0xBF, 0xBE], [0xEF, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x80], [0xF0, 0x9F, 0x98, 0x80],
            Array("&#11;".utf8), Array("&#65;".utf8), Array("&quot;".utf8), Array("&apos;".utf8), Array("&nope;".utf8),
            Array("&".utf8), Array("<".utf8), Array(">".utf8), Array("'".utf8), Array("\"".utf8), [],
        ]
        let place = Int(next() % UInt64(bytes.count + 1))
        bytes.insert(contentsOf: odd[Int(next() % UInt64(odd.count))], at: place)
        return bytes
    }

    private mutating func chance(_ odds: UInt64) -> Bool { next() % odds == 0 }

    private mutating func pick<Item>(_ items: [Item]) -> Item { items[Int(next() % UInt64(items.count))] }

    private mutating func next() -> UInt64 { random.next() >> 3 }
}
