import ArgumentParser
import HealthKitMapping

/// A time as `--since` and `--until` take it.
enum SampleInstant {
    /// Reads a day or an instant.
    ///
    /// `2024-03-31` is the beginning of that day, in `zone` or else in UTC; on the rare day that begins at 01:00, it is
    /// 01:00. `2024-03-31T01:30:00+02:00` and `2024-03-31T01:30Z` are exact.
    ///
    /// - Returns: seconds since 1970 in UTC.
    /// - Throws: `ValidationError`, which names `option`.
    static func seconds(_ text: String, option: String, zone: String?) throws -> Int64 {
        guard let seconds = instant(text) ?? CalendarDay.start(of: text, in: zone) else {
            throw ValidationError(
                "\(option): '\(text)' is not a time (expected YYYY-MM-DD or a date-time with offset): "
                    + "write it like 2024-03-31 or 2024-03-31T01:30:00+02:00"
            )
        }
        return seconds
    }

    /// `YYYY-MM-DDThh:mm[:ss](Z|±hh:mm|±hhmm)`, or with a space instead of the `T`.
    private static func instant(_ text: String) -> Int64? {
        guard text.utf8.count > 11, let midnight = CalendarDay.start(of: String(text.prefix(10)), in: nil) else {
            return nil
        }
        var rest = text.dropFirst(10)
        guard let separator = rest.popFirst(), separator == "T" || separator == " " else { return nil }
        guard let hour = number(&rest, below: 24), rest.popFirst() == ":", let minute = number(&rest, below: 60)
        else { return nil }
        var second = 0
        if rest.first == ":" {
            rest.removeFirst()
            guard let value = number(&rest, below: 60) else { return nil }
            second = value
        }
        guard let offset = UTCOffset.minutes(rest) else { return nil }
        return midnight + Int64(hour * 3600 + (minute - offset) * 60 + second)
    }

    /// Two digits.
    private static func number(_ rest: inout Substring, below limit: Int) -> Int? {
        let digits = rest.prefix(2)
        guard digits.count == 2, digits.allSatisfy({ $0.isASCII && $0.isNumber }), let value = Int(digits),
            value < limit
        else { return nil }
        rest = rest.dropFirst(2)
        return value
    }
}
