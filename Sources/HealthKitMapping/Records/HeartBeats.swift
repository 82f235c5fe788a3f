internal import FHIRR4
internal import HealthExport

/// The beats from which a heart rate variability sample was calculated.
///
///     <InstantaneousBeatsPerMinute bpm="55" time="6:14:48,94 PM"/>
///
/// `time` has neither date nor zone and is written in the phone's language: `18:14:48.94`, `午後6:14:48.94`. Its
/// remainder after whole quarter hours is the same in every zone, with every clock and across midnight, and beats
/// follow each other within minutes. So each is placed where it is nearest to the one before it, and the first where it
/// is nearest to the sample's start (docs/decisions/0014-heart-beats.md). Refilled for each sample: a minute has some
/// sixty beats.
struct HeartBeats: ~Copyable {
    /// A component for each beat, in the order of the file, each with a comma before it.
    private(set) var components = JSONBytes(capacity: 1 << 8)
    /// What goes into the digest for them.
    private(set) var canonical = JSONBytes(capacity: 1 << 8)
    /// How many rates and times, of all samples, could not be read since this was last taken.
    private var unreadable: UInt64 = 0
    private let fragments = Fragments()

    /// How many rates and times could not be read since the last call.
    mutating func takeUnreadable() -> UInt64 {
        defer { unreadable = 0 }
        return unreadable
    }

    /// Forgets the beats of the sample before.
    mutating func removeAll() {
        components.removeAll()
        canonical.removeAll()
    }

    /// Reads the `HeartRateVariabilityMetadataList` of a sample that begins at `start`; a second list continues the
    /// first.
    mutating func read(_ list: ElementTree, in batch: borrowing ElementBatch, start: Int64) {
        removeAll()
        unsafe batch.bytes.withElements { text in
            guard let bytes = text.baseAddress else { return }
            unsafe batch.nodes.withElements { nodes in
                unsafe batch.attributes.withElements { attributes in
                    // Only the start's remainder after whole quarter hours is needed.
                    let rest = (start % 900 + 900) % 900 * Self.second
                    var offset: Int64 = 0
                    // The sample may be in a tree of its own or inside that of a correlation.
                    let depth = unsafe nodes[Int(list.firstNode)].depth + 1
                    for index in Int(list.firstNode)..<Int(list.firstNode + list.nodeCount) {
                        let node = unsafe nodes[index]
                        guard node.name == .instantaneousBeatsPerMinute, node.depth == depth else { continue }
                        let range = Int(node.firstAttribute)..<Int(node.firstAttribute + node.attributeCount)
                        unsafe read(UnsafeBufferPointer(rebasing: attributes[range]), bytes, &offset, rest)
                    }
                }
            }
        }
    }

    private mutating func read(
        _ attributes: UnsafeBufferPointer<ElementAttribute>,
        _ bytes: UnsafePointer<UInt8>,
        _ offset: inout Int64,
        _ start: Int64
    ) {
        var rate = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        var time = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        for index in attributes.indices {
            let attribute = unsafe attributes[index]
            let name = unsafe bytes.bytes(of: attribute.name)
            if unsafe RecordMetadata.equals(name, "bpm") {
                if unsafe rate.isEmpty { unsafe rate = bytes.bytes(of: attribute.value) }
            } else if unsafe RecordMetadata.equals(name, "time"), unsafe time.isEmpty {
                unsafe time = bytes.bytes(of: attribute.value)
            }
        }
        // A phone writes it with its language's digits.
        let digits = unsafe rate.allSatisfy { $0 < 0x80 } ? nil : LocalizedDigits.inASCII(Array(rate)[...])
        canonical.append(Self.unitSeparator)
        if let digits { canonical.append(digits) } else { unsafe canonical.append(rate) }
        canonical.append(Self.unitSeparator)
        let number =
            if let digits { ExactDecimal(String(decoding: digits, as: UTF8.self)) } else { unsafe ExactDecimal(rate) }
        if number == nil, unsafe !rate.isEmpty { unreadable += 1 }
        if unsafe !time.isEmpty, let clock = unsafe ClockTime(time) {
            offset += Self.nearest(clock.nanoseconds - start - offset)
            components.append(fragments.beforeOffset)
            let place = components.count
            clock.append(offset, to: &components)
            unsafe components.withBytes { unsafe canonical.append(UnsafeRawBufferPointer(rebasing: $0[place...])) }
            components.append(number == nil ? fragments.afterOffset : fragments.fromOffsetToRate)
        } else {
            if unsafe !time.isEmpty { unreadable += 1 }
            components.append(number == nil ? fragments.withoutOffset : fragments.withoutOffsetToRate)
        }
        guard let number else { return components.append(fragments.absent) }
        if number.isShort, digits == nil {
            unsafe components.append(rate)
        } else {
            components.append(number.shortText)
        }
        components.append(fragments.afterRate)
    }

    private static let unitSeparator: UInt8 = 0x1F
    private static let second: Int64 = 1_000_000_000
    private static let quarterHour = 900 * second

    /// The remainder of `difference` after whole quarter hours, from -450 seconds to just below 450.
    private static func nearest(_ difference: Int64) -> Int64 {
        let half = quarterHour / 2
        let rest = (difference + half) % quarterHour
        return (rest < 0 ? rest + quarterHour : rest) - half
    }

    /// What is the same in every component.
    private struct Fragments {
        let beforeOffset = Array(
            ",{\"extension\":[{\"url\":\"\(ExtensionURL.beatOffset)\",\"valueDecimal\":".utf8
        )
        let afterOffset = Array("}],".utf8) + code
        let fromOffsetToRate = Array("}],".utf8) + code + beforeRate
        let withoutOffset = Array(",{".utf8) + code
        let withoutOffsetToRate = Array(",{".utf8) + code + beforeRate
        let afterRate = Array(
            ",\"unit\":\"beats/min\",\"system\":\"http://unitsofmeasure.org\",\"code\":\"/min\"}}".utf8
        )
        let absent = Array(",".utf8) + member("dataAbsentReason", .dataAbsent("unknown", "Unknown")) + Array("}".utf8)

        private static let beforeRate = Array(",\"valueQuantity\":{\"value\":".utf8)

        private static let code = member(
            "code",
            .concept([.apple("InstantaneousBeatsPerMinute", "Instantaneous heart rate")])
        )

        private static func member(_ key: String, _ value: JSONValue) -> [UInt8] {
            var json = JSONBytes()
            JSONValue.Member(key, value).write(to: &json)
            return unsafe json.withBytes { unsafe Array($0) }
        }
    }
}
