/// An export of one weight, as a phone makes it on a day of June 2026.
enum WeightExport {
    /// The bytes of its XML.
    ///
    /// - Parameters:
    ///   - day: the day of June on which the export is made.
    ///   - note: a metadata entry of the weight sample: another note makes another version of the sample.
    ///   - others: how many samples of April to add, one for each minute: at most 28,800.
    /// - Returns: the whole document.
    static func xml(day: Int = 20, note: String = "", others: Int = 0) -> String.UTF8View {
        func record(_ month: Int, _ day: Int, _ hour: Int = 8, _ minute: Int = 0) -> String {
            let time = "\(hour / 10)\(hour % 10):\(minute / 10)\(minute % 10):00"
            let date = "2026-0\(month)-\(day) \(time) +0200"
            return " <Record type=\"HKQuantityTypeIdentifierBodyMass\" sourceName=\"Scale\" unit=\"kg\" "
                + "startDate=\"\(date)\" endDate=\"\(date)\" value=\"80\">\n"
                + "  <MetadataEntry key=\"Note\" value=\"\(note)\"/>\n </Record>\n"
        }
        let all = record(5, 10) + (0..<others).map { record(4, 10 + $0 / 1_440, $0 / 60 % 24, $0 % 60) }.joined()
        let head = "<HealthData locale=\"en_IE\">\n <ExportDate value=\"2026-06-\(day) 09:00:00 +0200\"/>\n"
        return (head + all + "</HealthData>\n").utf8
    }
}
