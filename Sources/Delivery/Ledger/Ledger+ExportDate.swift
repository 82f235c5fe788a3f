internal import Glibc

extension Ledger {
    /// What an export's date is kept for.
    enum ExportDateName {
        /// The latest export that was sent to its end.
        case delivered
        /// The latest export of which anything was sent.
        case begun

        /// The date itself.
        var date: LedgerProperty { self == .delivered ? .exportDate : .exportBegun }
        /// When a date in the future was noted, which is what it counts as.
        var noted: LedgerProperty { self == .delivered ? .exportNoted : .exportBegunNoted }
    }
    /// Clocks differ, and an export has the time of its own device.
    private static let maximumSecondsAhead: Int64 = 86_400

    /// When the latest export of which the server may have anything was made.
    func latestExportDate(
        besides exportDate: Int64? = nil,
        now: Int64 = Int64(time(nil))
    ) throws(DeliveryError) -> Int64? {
        let (delivered, begun) = (
            try self.exportDate(.delivered, besides: exportDate, now: now),
            try self.exportDate(.begun, besides: exportDate, now: now)
        )
        return [delivered, begun].compactMap(\.self).max()
    }

    /// When the latest export that was delivered, or begun, was made, in seconds since 1970; `nil` for none.
    ///
    /// A date in the future means that a clock was wrong, that export's or ours. It is compared only with other dates
    /// in the future; with any other date, the time at which it was noted is compared.
    ///
    /// - Parameters:
    ///   - name: which of the two.
    ///   - exportDate: the date of the export that it is compared with.
    ///   - now: seconds since 1970.
    /// - Returns: its date.
    /// - Throws: ``DeliveryError`` where the ledger can't be read.
    func exportDate(
        _ name: ExportDateName,
        besides exportDate: Int64? = nil,
        now: Int64 = Int64(time(nil))
    ) throws(DeliveryError) -> Int64? {
        let date = try property(name.date).flatMap { Int64($0) }
        let noted = try property(name.noted).flatMap { Int64($0) }
        return Self.counted(date, noted: noted, besides: exportDate, now: now)
    }

    /// The same, from what the properties say.
    static func counted(
        _ date: Int64?,
        noted: Int64?,
        besides exportDate: Int64? = nil,
        now: Int64 = Int64(time(nil))
    ) -> Int64? {
        let latest = now + maximumSecondsAhead
        guard let date, date > latest, (exportDate ?? 0) <= latest else { return date }
        return noted.flatMap { $0 <= latest ? $0 : nil }
    }

    /// Keeps the date of an export that was delivered, or begun.
    ///
    /// - Parameters:
    ///   - name: which of the two.
    ///   - date: the export's.
    ///   - now: seconds since 1970.
    /// - Throws: ``DeliveryError`` where the ledger can't be written.
    func noteExport(_ name: ExportDateName, at date: Int64, now: Int64) throws(DeliveryError) {
        let noted = date > now + Self.maximumSecondsAhead ? "\(now)" : nil
        try setProperties([name.date: "\(date)", name.noted: noted])
    }
}
