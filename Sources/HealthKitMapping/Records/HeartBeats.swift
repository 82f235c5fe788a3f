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
/// (docs/decisions/0014-heart-beats.md).
struct HeartBeats {
    private struct Beat {
        var rate: String
        /// Seconds from the sample's start, with as many decimals as the export has; `nil` where `time` is none.
        var offset: String?
    }

    private var beats: [Beat] = []

    /// The beats in a `HeartRateVariabilityMetadataList` of a sample that begins at `start`.
    init(_ list: HealthElement, start: Int64) {
        var last = start * Self.second
        for element in list.children(.instantaneousBeatsPerMinute) {
            var beat = Beat(rate: element["bpm"] ?? "")
            if let time = element["time"].flatMap({ ClockTime($0) }) {
                last += Self.nearest(time.nanoseconds - last)
                beat.offset = time.text(of: last - start * Self.second)
            }
            beats.append(beat)
        }
    }

    /// A component for each beat, in the order of the file.
    var components: [JSONValue] {
        beats.map { beat in
            var text = "{"
            if let offset = beat.offset { text += Self.beforeOffset + offset + Self.afterOffset }
            text += Self.code
            if let rate = ExactDecimal(beat.rate) {
                text += Self.beforeRate + (rate.isShort ? beat.rate : rate.shortText) + Self.afterRate
            } else {
                text += Self.absent
            }
            return .json(text + "}")
        }
    }

    // A minute's sample has some sixty beats, which are too many to be built value by value.
    private static let beforeOffset =
        "\"extension\":[{\"url\":\"\(ExtensionURL.beatOffset)\",\"valueDecimal\":"
    private static let afterOffset = "}],"
    private static let code = member(
        "code",
        .concept([.apple("InstantaneousBeatsPerMinute", "Instantaneous heart rate")])
    )
    private static let beforeRate = ",\"valueQuantity\":{\"value\":"
    private static let afterRate =
        ",\"unit\":\"beats/min\",\"system\":\"http://unitsofmeasure.org\",\"code\":\"/min\"}"
    private static let absent = "," + member("dataAbsentReason", .dataAbsent("unknown", "Unknown"))

    private static func member(_ key: String, _ value: JSONValue) -> String {
        var json = JSONBytes()
        JSONValue.Member(key, value).write(to: &json)
        return unsafe json.withBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// What a digest says of them, as one text.
    var canonical: String {
        beats.map { IdentityScheme.separator + $0.rate + IdentityScheme.separator + ($0.offset ?? "") }.joined()
    }

    private static let second: Int64 = 1_000_000_000
    private static let quarterHour = 900 * second

    /// What `difference` is but for whole quarter hours, from -450 seconds to just below 450.
    private static func nearest(_ difference: Int64) -> Int64 {
        let half = quarterHour / 2
        let rest = (difference + half) % quarterHour
        return (rest < 0 ? rest + quarterHour : rest) - half
    }
}

/// A time of day as a phone writes it in its own language.
private struct ClockTime {
    /// Since midnight, or noon.
    var nanoseconds: Int64
    /// How many digits stand behind the seconds.
    private var decimals = 0

    /// Reads three numbers, and a fraction of the last; all else, such as `PM`, is passed over.
    init?(_ text: String) {
        // Three numbers, then the fraction as one of nine digits.
        var numbers: (Int64, Int64, Int64, Int64) = (0, 0, 0, 0)
        var place = 0
        var count = 0
        for scalar in text.unicodeScalars {
            guard let digit = Self.digit(scalar) else {
                if count > 0 { place += 1 }
                count = 0
                continue
            }
            count += 1
            switch place {
            case 0: numbers.0 = numbers.0 * 10 + digit
            case 1: numbers.1 = numbers.1 * 10 + digit
            case 2: numbers.2 = numbers.2 * 10 + digit
            case 3 where count <= 9:
                numbers.3 = numbers.3 * 10 + digit
                decimals = count
            case 3: break
            default: return nil
            }
            if place < 3, count > 2 { return nil }
        }
        guard place + (count > 0 ? 1 : 0) >= 3, numbers.0 <= 24, numbers.1 < 60, numbers.2 < 60 else { return nil }
        nanoseconds = (numbers.0 * 3600 + numbers.1 * 60 + numbers.2) * 1_000_000_000
        nanoseconds += (decimals..<9).reduce(numbers.3) { rest, _ in rest * 10 }
    }

    /// A digit of any script; most are ASCII's.
    private static func digit(_ scalar: Unicode.Scalar) -> Int64? {
        if scalar.isASCII { return ("0"..."9").contains(scalar) ? Int64(scalar.value) - 48 : nil }
        guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue else { return nil }
        return Int64(value)
    }

    /// An interval in seconds, with this time's decimals: `2.11`.
    func text(of interval: Int64) -> String {
        let power = (decimals..<9).reduce(Int64(1)) { power, _ in power * 10 }
        let digits = UInt128((interval / power).magnitude)
        return ExactDecimal(isNegative: interval < 0, digits: digits, exponent: -decimals).text
    }
}
