internal import Glibc

/// Computes moments from UTC's calendar and clock.
enum UTCTime {
    /// Seconds since 1970; `nil` for a value outside the ranges below.
    ///
    /// A day that a month does not have counts on into the next: 31 April is 1 May.
    ///
    /// - Parameters:
    ///   - year: 1 to 9999.
    ///   - month: 1 to 12.
    ///   - day: 1 to 31.
    ///   - hour: 0 to 23.
    ///   - minute: 0 to 59.
    ///   - second: 0 to 60.
    /// - Returns: the seconds.
    static func seconds(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) -> Int64? {
        guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day), (0...23).contains(hour),
            (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        var time = unsafe tm()
        unsafe time.tm_year = Int32(year - 1900)
        unsafe time.tm_mon = Int32(month - 1)
        unsafe time.tm_mday = Int32(day)
        unsafe time.tm_hour = Int32(hour)
        unsafe time.tm_min = Int32(minute)
        unsafe time.tm_sec = Int32(second)
        return unsafe Int64(timegm(&time))
    }
}
