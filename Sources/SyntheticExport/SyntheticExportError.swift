/// Why an export cannot be generated or written.
///
/// Each description reads `where: what is wrong (what was expected): what to do next`.
public enum SyntheticExportError: Error, Equatable, CustomStringConvertible {
    /// The number of days is out of range.
    case daysOutOfRange(Int, allowed: ClosedRange<Int>)
    /// The size is smaller than one day with the fewest records.
    case sizeTooSmall(UInt64, minimum: UInt64)
    /// The size is larger than a hundred years of days with the most records.
    case sizeTooLarge(UInt64, maximum: UInt64)
    /// The text is not a size such as `1GB`.
    case notASize(String)
    /// The text is not a date such as `2024-06-30`.
    case notADate(String)
    /// The last day is not in the years 1990 to 2100.
    case endDateOutOfRange(CalendarDate)
    /// The offset from UTC is outside the -12 to +14 hours of the world's time zones.
    case offsetOutOfRange(minutes: Int)
    /// The file exists and must not be replaced.
    case fileExists(path: String)
    /// The shape has several files, and the output is not a zip that can hold them.
    case archiveNeeded(path: String)
    /// The file could not be opened; the reason is the system's.
    case cannotOpen(path: String, reason: String)
    /// The file could not be written to its end; the reason is the system's.
    case cannotWrite(path: String, reason: String)
    /// The reader of the output has closed it, as `head` does after ten lines.
    case outputClosed(path: String)
    /// The writing was cancelled, as with Ctrl-C.
    case interrupted

    /// The error as one line for the user.
    public var description: String {
        switch self {
        case .daysOutOfRange(let days, let allowed):
            "--days: \(days) is out of range (expected \(allowed.lowerBound) to \(allowed.upperBound)): choose a number inside"
        case .sizeTooSmall(let size, let minimum):
            "--size: \(size) bytes are too few for one day (expected at least \(minimum)): ask for a larger size"
        case .sizeTooLarge(let size, let maximum):
            "--size: \(size) bytes are too many for one person (expected at most \(maximum)): ask for a smaller size"
        case .notASize(let text):
            "--size: '\(text)' is not a size (expected a whole number of B, KB, MB, GB, TB, KiB, MiB or GiB): write it like '1GB'"
        case .notADate(let text):
            "--end: '\(text)' is not a date (expected YYYY-MM-DD): write it like '2024-06-30'"
        case .endDateOutOfRange(let date):
            "--end: \(date) is out of range (expected a year from 1990 to 2100): choose another day"
        case .offsetOutOfRange(let minutes):
            "--utc-offset: \(minutes) minutes are out of range (expected -720 to 840): choose the offset of a time zone"
        case .fileExists(let path):
            "'\(path)': the file exists (expected a new name): choose another name with -o, or replace it with --force"
        case .archiveNeeded(let path):
            "-o: \(Self.shown(path)) cannot hold the several files of --shape full (expected a name that ends in .zip): "
                + "write it like 'export.zip', or choose another shape"
        case .cannotOpen(let path, let reason):
            "'\(path)': cannot be opened (\(reason)): check the folder and its permissions"
        case .cannotWrite(let path, let reason):
            "\(Self.shown(path)): cannot be written (\(reason)): check the free space and try again"
        case .outputClosed(let path):
            "\(Self.shown(path)): closed by its reader (expected one that reads to the end): not all was written"
        case .interrupted:
            "interrupted: the output is not complete (expected all of it), files that were begun are removed: "
                + "run the command again"
        }
    }

    /// A path as a message names it; `-` is standard output.
    private static func shown(_ path: String) -> String { path == "-" ? "standard output" : "'\(path)'" }
}
