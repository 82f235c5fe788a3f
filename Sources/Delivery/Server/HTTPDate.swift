/// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7, the form that is sent).
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Seconds since 1970.
    static func seconds(_ text: String) -> Int? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let month = months.firstIndex(of: String(parts[2])) else {
            return nil
        }
        let clock = parts[4].split(separator: ":").map { Int($0) }
        guard let day = Int(parts[1]), let year = Int(parts[3]), clock.count == 3, let hour = clock[0],
            let minute = clock[1], let second = clock[2], year >= 1900
        else { return nil }
        return UTCTime.seconds(year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
            .map { Int($0) }
    }
}
