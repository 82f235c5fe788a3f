/// `2024-05-01T09:30:10.123+02:00`, as servers write the time when they changed a resource.
///
/// Source: <https://hl7.org/fhir/R4/datatypes.html#instant>.
enum FHIRInstant {
    /// Seconds since 1970, without the fraction; `nil` for what is not an instant.
    static func seconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20 else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            bytes[range].reduce(Int?(0)) { sum, byte in
                guard let sum, (0x30...0x39).contains(byte) else { return nil }
                return sum * 10 + Int(byte - 0x30)
            }
        }
        let marks = zip([4, 7, 10, 13, 16], "--T::".utf8)
        guard marks.allSatisfy({ bytes[$0] == $1 }), let year = number(0..<4), let month = number(5..<7),
            let day = number(8..<10), let hour = number(11..<13), let minute = number(14..<16),
            let second = number(17..<19),
            let offset = offset(bytes[19...].drop { $0 == 0x2E || (0x30...0x39).contains($0) })
        else { return nil }
        return UTCTime.seconds(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
            .map { $0 - offset }
    }

    /// The seconds of `Z`, or of an offset such as `+02:00`.
    static func offset(_ text: some Collection<UInt8>) -> Int64? {
        if text.elementsEqual("Z".utf8) { return 0 }
        let bytes = Array(text)
        guard bytes.count == 6, bytes[0] == 0x2B || bytes[0] == 0x2D, bytes[3] == 0x3A else { return nil }
        let digits = [bytes[1], bytes[2], bytes[4], bytes[5]].map { Int64($0) - 0x30 }
        guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
        let seconds = ((digits[0] * 10 + digits[1]) * 60 + digits[2] * 10 + digits[3]) * 60
        return bytes[0] == 0x2D ? -seconds : seconds
    }
}
