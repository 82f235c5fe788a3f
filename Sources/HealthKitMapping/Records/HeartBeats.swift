internal import FHIRR4
internal import HealthExport

/// The beats that a heart rate variability sample was worked out from.
///
///     <InstantaneousBeatsPerMinute bpm="55" time="6:14:48,94 PM"/>
///
/// `time` has neither date nor zone and is written in the phone's language: `18:14:48.94`,
/// `午後6:14:48.94`. What is left of it after whole quarter hours is the same in every zone, with
/// every clock and across midnight, and beats follow each other within minutes; so each is put
/// where it is nearest to the one before it, and the first nearest to the sample's start
/// (docs/decisions/0014-heart-beats.md). Refilled for each sample: a minute has some sixty beats.
struct HeartBeats: ~Copyable {
    /// A component for each beat, in the order of the file, each with a comma before it.
    private(set) var components = JSONBytes(capacity: 1 << 8)
    /// What a digest says of them.
    private(set) var canonical = JSONBytes(capacity: 1 << 8)
    /// Rates and times of all samples that could not be read, until they are taken.
    private var unreadable: UInt64 = 0
    private let fragments = Fragments()

    /// How many rates and times could not be read since this was asked last.
    mutating func takeUnreadable() -> UInt64 {
        defer { unreadable = 0 }
        return unreadable
    }

    /// Forgets the beats of the sample before.
    mutating func removeAll() {
        components.removeAll()
        canonical.removeAll()
    }

    /// Reads the `HeartRateVariabilityMetadataList` of a sample that begins at `start`; a second one goes on with the first.
    mutating func read(_ list: ElementTree, in batch: borrowing ElementBatch, start: Int64) {
        removeAll()
        unsafe batch.bytes.withElements { text in
            guard let bytes = text.baseAddress else { return }
            unsafe batch.nodes.withElements { nodes in
                unsafe batch.attributes.withElements { attributes in
                    // What a time of day tells is all that is needed of the start.
                    let rest = (start % 900 + 900) % 900 * Self.second
                    var offset: Int64 = 0
                    // The sample may stand in a tree of its own or inside a correlation's.
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
        canonical.append(Self.unitSeparator)
        unsafe canonical.append(rate)
        canonical.append(Self.unitSeparator)
        let number = unsafe ExactDecimal(rate)
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
        if number.isShort { unsafe components.append(rate) } else { components.append(number.shortText) }
        components.append(fragments.afterRate)
    }

    private static let unitSeparator: UInt8 = 0x1F
    private static let second: Int64 = 1_000_000_000
    private static let quarterHour = 900 * second

    /// What `difference` is but for whole quarter hours, from -450 seconds to just below 450.
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

/// A time of day as a phone writes it in its own language.
private struct ClockTime {
    /// Since midnight, or noon.
    private(set) var nanoseconds: Int64 = 0
    /// How many digits stand behind the seconds.
    private var decimals = 0
    /// Nanoseconds of the last of them.
    private var unit: Int64 = 1_000_000_000

    /// Reads three numbers, and a fraction of the last; all else, such as `PM`, is passed over.
    @inline(__always)
    init?(_ text: UnsafeRawBufferPointer) {
        guard let time = unsafe ClockTime(plain: text) ?? ClockTime(anyLanguage: text) else { return nil }
        self = time
    }

    /// Reads what most phones write, such as `6:14:48.94 PM` or `18:14:48,94`; `nil` for all else.
    private init?(plain text: UnsafeRawBufferPointer) {
        func digit(_ index: Int) -> Int64 { unsafe Int64(text[index]) &- 48 }
        func isDigit(_ digit: Int64) -> Bool { UInt64(bitPattern: digit) < 10 }
        // Behind the hours there are nine characters at least: `:14:48.94`.
        guard text.count >= 11 else { return nil }
        var hour = digit(0)
        var index = 1
        if isDigit(digit(1)) {
            hour = hour &* 10 &+ digit(1)
            index = 2
        }
        let digits = (digit(index &+ 1), digit(index &+ 2), digit(index &+ 4), digit(index &+ 5))
        let minute = digits.0 &* 10 &+ digits.1
        let second = digits.2 &* 10 &+ digits.3
        let hundredths = (digit(index &+ 7), digit(index &+ 8))
        let mark = unsafe text[index &+ 6]
        guard isDigit(digit(0)), hour <= 24, unsafe text[index] == UInt8(ascii: ":"), isDigit(digits.0),
            isDigit(digits.1),
            minute <= 59, unsafe text[index &+ 3] == UInt8(ascii: ":"), isDigit(digits.2), isDigit(digits.3),
            second <= 59,
            mark == UInt8(ascii: ".") || mark == UInt8(ascii: ","), isDigit(hundredths.0), isDigit(hundredths.1)
        else { return nil }
        index &+= 9
        while index < text.count {
            let byte = unsafe text[index]
            // The narrow space before `PM` is none of ASCII.
            let isSpace =
                unsafe byte == 0xE2 && index &+ 2 < text.count && text[index &+ 1] == 0x80 && text[index &+ 2] == 0xAF
            guard isSpace || (byte < 0x80 && !isDigit(Int64(byte) &- 48)) else { return nil }
            index &+= isSpace ? 3 : 1
        }
        nanoseconds = ((hour &* 60 &+ minute) &* 60 &+ second) &* 1_000_000_000
        nanoseconds &+= (hundredths.0 &* 10 &+ hundredths.1) &* 10_000_000
        decimals = 2
        unit = 10_000_000
    }

    /// Reads a time of any language and script.
    private init?(anyLanguage text: UnsafeRawBufferPointer) {
        // Hours, minutes and seconds so far, then the number that is being read.
        var seconds: Int64 = 0
        var number: Int64 = 0
        var place = 0
        var count = 0
        var index = 0
        while index <= text.count {
            // Behind the text as behind any number.
            let byte = index < text.count ? unsafe text[index] : UInt8(ascii: " ")
            var digit = Int64(byte) &- 48
            if byte < 0x80 {
                index &+= 1
            } else {
                digit = unsafe Self.digit(text, &index) ?? -1
            }
            guard UInt64(bitPattern: digit) < 10 else {
                guard count > 0 else { continue }
                if place < 3 {
                    guard number <= (place == 0 ? 24 : 59) else { return nil }
                    seconds = seconds &* 60 &+ number
                }
                (place, count, number) = (place &+ 1, 0, 0)
                continue
            }
            count &+= 1
            if place < 3 {
                guard count <= 2 else { return nil }
                number = number &* 10 &+ digit
            } else {
                guard place == 3 else { return nil }
                // Of a fraction as many digits as nanoseconds have.
                guard count <= 9 else { continue }
                unit /= 10
                nanoseconds &+= digit &* unit
                decimals = count
            }
        }
        guard place >= 3 else { return nil }
        nanoseconds &+= seconds &* 1_000_000_000
    }

    /// Steps over a character beyond ASCII and answers it if it is a digit of its script.
    private static func digit(_ text: UnsafeRawBufferPointer, _ index: inout Int) -> Int64? {
        let byte = unsafe text[index]
        guard !(0xE2...0xE9).contains(byte) else {
            // As the space before `PM`: all from U+2000 to U+9FFF are none.
            index += 3
            return nil
        }
        // Text of a batch is well-formed UTF-8.
        let count = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        var value = UInt32(byte) & (0xFF >> UInt32(count + 1))
        for place in index + 1..<min(index + count, text.count) {
            value = unsafe value << 6 | UInt32(text[place] & 0x3F)
        }
        index += count
        // Unicode's other decimal digits stand outside these, CJK characters and wide spaces inside.
        guard value >= 0x660, !(0x1C5A..<0xA620).contains(value) else { return nil }
        guard let scalar = Unicode.Scalar(value), scalar.properties.numericType == .decimal else { return nil }
        return scalar.properties.numericValue.map { Int64($0) }
    }

    /// Appends an interval in seconds, with this time's decimals: `2.11`.
    func append(_ interval: Int64, to json: inout JSONBytes) {
        // The most that are needed: a sign, a point and 19 digits, from the last to the first.
        let most = 24
        let target = unsafe json.reserve(most)
        var place = most
        func put(_ byte: UInt8) {
            place &-= 1
            unsafe target.storeBytes(of: byte, toByteOffset: place, as: UInt8.self)
        }
        let number = interval / unit
        var rest = number.magnitude
        var count = 0
        repeat {
            put(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
            count &+= 1
            if count == decimals { put(UInt8(ascii: ".")) }
        } while rest > 0 || count <= decimals
        if number < 0 { put(UInt8(ascii: "-")) }
        unsafe target.copyMemory(from: target + place, byteCount: most - place)
        unsafe json.advance(by: most - place)
    }
}
