import TestSupport

/// Makes near-canonical exports: most of a document is as Apple writes it, and the rest is not.
///
/// The same seed gives the same document. Values in comments and the like begin with `no`.
struct ChunkGenerator {
    private var random: RandomBits
    private let indentation: String
    private let childIndentation: String
    private let lineBreak: String
    private var number = 0
    /// Whether everything made so far is well-formed and has no stray text.
    private(set) var isGood = true

    init(seed: UInt64) {
        random = RandomBits(state: seed)
        lineBreak = ["\n", "\n", "\n", "\n", "\r\n", ""][random.below(6)]
        indentation = lineBreak.isEmpty ? "" : [" ", " ", " ", "", "\t", "    "][random.below(6)]
        childIndentation = indentation + ["  ", "", " "][random.below(3)]
    }

    /// A document of a few hundred to a few thousand bytes.
    mutating func document() -> [UInt8] {
        var bytes = Array("<HealthData locale=\"en_GB\"".utf8)
        if random.below(8) == 0 { bytes += Array("\n other='a > b'\n".utf8) }
        bytes += Array(">\(lineBreak)".utf8)
        for _ in 0..<random.below(14) + 1 {
            bytes += piece()
            bytes += Array(lineBreak.utf8)
        }
        bytes += Array("</HealthData>".utf8)
        bytes += Array(lineBreak.utf8)
        switch random.below(16) {
        case 0:
            isGood = false
            bytes.removeLast(random.below(bytes.count - 11))
        case 1: bytes += Array("<!-- end --><?end?>\n".utf8)
        case 2:
            isGood = false
            bytes += Array("\(record(value: "no-end"))</HealthData>".utf8)
        default: break
        }
        if random.below(6) == 0 { mutate(&bytes) }
        return bytes
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        isGood = false
        let interesting = Array("<>/\"'&-!?[]\n a".utf8) + [0, 0x0B, 0x80, 0xC3, 0xE2, 0xF0, 0xFF]
        for _ in 0..<random.below(3) + 1 where bytes.count > 11 {
            let index = 11 + random.below(bytes.count - 11)
            switch random.below(3) {
            case 0: bytes.remove(at: index)
            case 1: bytes.insert(interesting[random.below(interesting.count)], at: index)
            default: bytes[index] = interesting[random.below(interesting.count)]
            }
        }
    }

    private mutating func piece() -> [UInt8] {
        let kind = random.below(40)
        switch kind {
        case 0..<14: return Array(record().utf8)
        case 14..<18: return Array(recordWithMetadata().utf8)
        case 18: return Array(oddRecord().utf8)
        case 19, 20: return Array(correlation().utf8)
        case 21: return Array("\(indentation)<Workout a=\"1\">\(children())\(lineBreak)\(indentation)</Workout>".utf8)
        case 22: return Array("\(indentation)<!-- \(record(value: "no"))\(lineBreak)\(record(value: "no")) -->".utf8)
        case 23: return Array("\(indentation)<?pi \(record(value: "no"))?>".utf8)
        case 24: return Array("\(indentation)<Unknown><Record/><x:Record xmlns:x='u'/></Unknown>".utf8)
        case 25: return Array("\(indentation)<ExportDate value=\"2024-05-01 10:00:00 +0100\"/>".utf8)
        default:
            isGood = false
            return Array(indentation.utf8) + badPiece(kind)
        }
    }

    private mutating func badPiece(_ kind: Int) -> [UInt8] {
        let value = nextValue()
        switch kind {
        case 26: return Array("<![CDATA[\(lineBreak)\(record(value: "no"))\(lineBreak)]]>".utf8)
        case 27: return Array("stray \(value)\"/>".utf8)
        case 28: return Array("<Record type=\"a\" type=\"b\" value=\"\(value)\"/>".utf8)
        case 29: return Array("<Record type=\"a\" value=\(value)/>".utf8)
        case 30: return Array("<Record type=\"a\" value=\"\(value)<3\"/>".utf8)
        case 31: return Array("<Record type=\"&foo;\" value=\"\(value)\"/>".utf8)
        case 32: return Array("<Correlation>\(children())\(lineBreak)\(indentation)</Corelation>".utf8)
        case 33: return Array("<Workout>\(children())".utf8)
        case 34: return Array("<Record type=\"a\" value=\"\(value)\"".utf8)
        case 35: return Array("<Record type=\"a\" value=\"\(value)/>".utf8)
        case 36: return Array("<!-- a -- b \(record(value: "no"))\(lineBreak) --->".utf8)
        case 37:
            let bad: [[UInt8]] = [
                [0x0B], [0], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0x80], [0xEF, 0xBF, 0xBE], [0xF5],
                Array("&#0;".utf8), Array("&#xB;".utf8), Array("&#11;".utf8),
            ]
            return Array("<Record type=\"a".utf8) + bad[random.below(bad.count)]
                + Array("z\" value=\"\(value)\"/><!-- \u{7F} &#0; -->".utf8)
        case 38: return [Array("</Record>".utf8), Array("<!ELEMENT a>".utf8), Array("<5>".utf8)][random.below(3)]
        default:
            return [
                Array("<!-- \u{B} ".utf8) + Array(record(value: "no").utf8) + Array("-->".utf8),
                Array("<Record><Record value=\"\(value)\"/></Record>".utf8),
                Array("&#32;".utf8), Array("<HealthData>".utf8), Array("</HealthData>".utf8), Array("<!-- ".utf8),
                Array("<Record a='".utf8) + Array(repeating: 0, count: 20) + Array("'/>".utf8),
            ][random.below(7)]
        }
    }

    private mutating func nextValue() -> String {
        number += 1
        return "\(number)"
    }

    private mutating func record(value: String? = nil) -> String {
        let value = value ?? nextValue()
        let name = ["Watch", "Zoë’s 時計", "A &amp; B", "Ring"][random.below(4)]
        let unit = random.below(4) == 0 ? "" : " unit=\"count/min\""
        return "\(indentation)<Record type=\"HKQuantityTypeIdentifierHeartRate\" sourceName=\"\(name)\"\(unit)"
            + " startDate=\"2024-05-01 10:00:00 +0100\" endDate=\"2024-05-01 10:00:00 +0100\" value=\"\(value)\"/>"
    }

    private mutating func recordWithMetadata() -> String {
        let open = record().dropLast(2)
        return "\(open)>\(lineBreak)\(childIndentation)<MetadataEntry key=\"k\" value=\"v\"/>\(lineBreak)"
            + "\(indentation)</Record>"
    }

    private mutating func oddRecord() -> String {
        [
            "\(indentation)<Record value='\(nextValue())' type = \"a\"\n  note=\"b > c\"></Record >",
            "\(indentation)<Record\ttype=\"a\r\nb\" value=\"&#x41;&#x1F600;\"><!-- c --></Record>",
            "\(indentation)<Record x:type=\"a\" xmlns:x=\"u\" value=\"\(nextValue())\"><?p?>text<![CDATA[<Record/>]]></Record>",
        ][random.below(3)]
    }

    private mutating func correlation() -> String {
        "\(indentation)<Correlation type=\"c\">\(children())\(lineBreak)\(indentation)</Correlation>"
    }

    private mutating func children() -> String {
        (0..<random.below(4)).map { _ in
            random.below(2) == 0
                ? "\(lineBreak)\(childIndentation)<MetadataEntry key=\"k\" value=\"v\"/>"
                : lineBreak + childIndentation + record().drop { $0 == " " || $0 == "\t" }
        }.joined()
    }
}
