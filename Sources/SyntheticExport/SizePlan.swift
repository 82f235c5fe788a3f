/// How many days, how dense, make an export of a given size.
///
/// A sample of the days is written to nowhere and measured (about 70 MB of text, a tenth of a second).
/// The rest of the error, a few percent, is taken up by the heart rate: see ``HeartRate``.
struct SizePlan {
    /// A hundred years, more than any export has.
    static let largestDayCount = 36_500
    /// Nine years: beyond, days get denser before they get more.
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
        // The bytes are whole numbers: at the least size the quotient may fall short by one.
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

/// The bytes that a sample of an export's days takes at natural density.
private struct Measurement {
    let prologByteCount: Int
    /// What a density leaves alone, and what it scales, heart rate included.
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

    /// Measures at most 48 days, spread evenly over the last `dayCount` days.
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
