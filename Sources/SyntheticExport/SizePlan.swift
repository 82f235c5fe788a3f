/// How many days an export of a given size has, and how dense they are.
///
/// A sample of the days is generated without output and measured (about 70 MB of text, a tenth of a second).
/// The heart rate makes up for the remaining error of a few percent: see ``HeartRate``.
struct SizePlan {
    /// A hundred years, longer than any real export.
    static let largestDayCount = 36_500
    /// Nine years: a larger export first gets denser days, and more of them only when they are densest.
    static let longestNaturalDayCount = 3287
    fileprivate static let sampleDayCount = 48
    private static let thinnest = Density(per256: 128)
    private static let densest = Density(per256: 4096)

    let dayCount: Int
    let density: Density
    let heartRateBudget: HeartRate.Budget?

    init(for options: SyntheticExport.Options) throws(SyntheticExportError) {
        switch options.extent {
        case .days(let count):
            guard (1...Self.largestDayCount).contains(count) else {
                throw .daysOutOfRange(count, allowed: 1...Self.largestDayCount)
            }
            self.init(dayCount: count, density: .natural, heartRateBudget: nil)
        case .bytes(let size):
            try self.init(size: size, options: options)
        }
    }

    private init(dayCount: Int, density: Density, heartRateBudget: HeartRate.Budget?) {
        self.dayCount = dayCount
        self.density = density
        self.heartRateBudget = heartRateBudget
    }

    private init(size: UInt64, options: SyntheticExport.Options) throws(SyntheticExportError) {
        let lastMonth = Measurement(of: options, dayCount: 28)
        let largest = lastMonth.size(dayCount: Self.largestDayCount, density: Self.densest)
        guard size <= largest else { throw .sizeTooLarge(size, maximum: largest) }
        let dayCount = Self.dayCount(for: Int(size), measured: lastMonth)
        let measured = Measurement(of: options, dayCount: dayCount)

        let perDay = (Int(size) - measured.prologByteCount) / dayCount
        guard perDay >= measured.bytesPerDay(at: Self.thinnest) else {
            throw .sizeTooSmall(size, minimum: measured.size(dayCount: 1, density: Self.thinnest))
        }
        // At the smallest size, rounding down may leave the quotient one too small.
        let densityPer256 = max(
            Self.thinnest.per256,
            (perDay - measured.fixedBytesPerDay) * 256 / measured.densityDependentBytesPerDay
        )
        let tail = measured.bytesAfterHeartRatePerDay256 * dayCount / 256
        self.init(
            dayCount: dayCount,
            density: Density(per256: densityPer256),
            heartRateBudget: HeartRate.Budget(
                end: size - min(size, UInt64(tail)),
                bytesPerRecord256: measured.heartRateBytesPerRecord256
            )
        )
    }

    private static func dayCount(for size: Int, measured: Measurement) -> Int {
        let natural = max(1, (size - measured.prologByteCount) / measured.bytesPerDay(at: .natural))
        guard natural > longestNaturalDayCount else { return natural }
        return max(longestNaturalDayCount, size / measured.bytesPerDay(at: densest))
    }
}

/// How many bytes a sample of an export's days takes at natural density.
private struct Measurement {
    let prologByteCount: Int
    /// Bytes that do not depend on the density, and bytes that do, with the heart rate.
    let fixedBytesPerDay: Int
    let densityDependentBytesPerDay: Int
    let heartRateBytesPerRecord256: Int
    let bytesAfterHeartRatePerDay256: Int

    func bytesPerDay(at density: Density) -> Int {
        fixedBytesPerDay + densityDependentBytesPerDay * density.per256 / 256
    }

    func size(dayCount: Int, density: Density) -> UInt64 {
        UInt64(prologByteCount + dayCount * bytesPerDay(at: density))
    }

    /// Measures 48 to 95 days, spread evenly over the last `dayCount` days, or all of them if there are fewer.
    init(of options: SyntheticExport.Options, dayCount: Int) {
        let days = options.days(dayCount, step: max(1, dayCount / SizePlan.sampleDayCount))
        let count = days.reduce(0) { count, _ in count + 1 }
        let body = ExportBody(person: options.person, days: days, density: .natural, heartRateBudget: nil)
        var writer = ElementWriter(for: options) { _ in true }
        Prolog.write(for: options, to: &writer)
        let prolog = Int(writer.bytes.byteCount)
        body.writeBeforeHeartRate(to: &writer)
        let slots = Int(writer.densityDependentByteCount)
        let before = Int(writer.bytes.byteCount) - prolog
        body.writeHeartRate(to: &writer)
        let heartRate = Int(writer.bytes.byteCount) - prolog - before
        body.writeAfterHeartRate(to: &writer)
        let after = Int(writer.bytes.byteCount) - prolog - before - heartRate
        writer.bytes.flush()

        let records256 = days.reduce(0) { $0 + HeartRate.expectedCount256(options.person.plan(for: $1)) }
        prologByteCount = prolog
        fixedBytesPerDay = (before - slots + after) / count
        densityDependentBytesPerDay = (slots + heartRate) / count
        heartRateBytesPerRecord256 = heartRate * 65_536 / records256
        bytesAfterHeartRatePerDay256 = after * 256 / count
    }
}
