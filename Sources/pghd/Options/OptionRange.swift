import ArgumentParser
import ExportPipeline

extension ValidationError {
    /// The error for a number that an option does not take.
    ///
    ///     .outOfRange("--max-entries", 0, 1...30_000)
    ///     // --max-entries: 0 is out of range (expected 1 to 30,000): choose a number inside
    static func outOfRange(
        _ option: String,
        _ value: Int,
        _ range: ClosedRange<Int>,
        unit: String = ""
    ) -> ValidationError {
        ValidationError("\(option): \(value) is out of range (expected \(range.words)\(unit)): choose a number inside")
    }
}

extension ClosedRange<Int> {
    /// `1 to 30,000`.
    var words: String {
        "\(ReportText.grouped(UInt64(lowerBound))) to \(ReportText.grouped(UInt64(upperBound)))"
    }
}
