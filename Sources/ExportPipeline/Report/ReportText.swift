/// Numbers in the form that reports, summaries and help texts use for people.
package enum ReportText {
    /// The number with separated thousands: `1,204`.
    package static func grouped(_ number: UInt64) -> String {
        number < 1000 ? "\(number)" : grouped(number / 1000) + "," + String("\(number % 1000 + 1000)".dropFirst())
    }

    /// A number of things: `1 record`, `1,204 records`.
    package static func counted(_ number: UInt64, _ noun: String) -> String {
        "\(grouped(number)) \(noun)" + (number == 1 ? "" : "s")
    }

    /// `38 MB`; at least `1 MB`.
    static func megabytes(_ bytes: UInt64) -> String { "\(grouped(max(1, (bytes + 500_000) / 1_000_000))) MB" }

    /// `0.04 s`, `12.3 s`, `3,605 s`.
    static func seconds(_ value: Double) -> String {
        let hundredths = UInt64((max(value, 0) * 100).rounded())
        if hundredths >= 10_000 { return grouped((hundredths + 50) / 100) + " s" }
        if hundredths >= 1000 { return "\((hundredths + 5) / 100).\((hundredths + 5) / 10 % 10) s" }
        return "\(hundredths / 100)." + (hundredths % 100 < 10 ? "0" : "") + "\(hundredths % 100) s"
    }
}

extension [String: UInt64] {
    /// The counts, the most frequent first; equal counts are ordered by name.
    var mostFrequentFirst: [Element] { sorted { ($1.value, $0.key) < ($0.value, $1.key) } }
}
