extension SyntheticExport {
    /// What to generate; equal options give equal bytes, on every machine and every day.
    public struct Options: Sendable, Equatable {
        /// How long or how large the export is; 30 days by default.
        public var extent: Extent
        /// Which invented person; blood glucose is in mg/dL for an even seed and in mmol/L for an odd one.
        public var seed: UInt64
        /// The last day with samples; the export is made the morning after.
        public var endDate: CalendarDate
        /// The offset written in every date, in minutes east of UTC, such as -420 for `-0700`.
        ///
        /// It also decides where the person lives: -480 and -420 are Los Angeles in winter and in
        /// summer, so both give the same instants.
        public var utcOffsetMinutes: Int
        /// How the elements look.
        public var shape: Shape

        /// Thirty days of one person in California, up to 2024-06-30.
        public init(
            extent: Extent = .days(30),
            seed: UInt64 = 0,
            endDate: CalendarDate = defaultEndDate,
            utcOffsetMinutes: Int = -420,
            shape: Shape = .apple
        ) {
            self.extent = extent
            self.seed = seed
            self.endDate = endDate
            self.utcOffsetMinutes = utcOffsetMinutes
            self.shape = shape
        }

        /// 2024-06-30.
        public static let defaultEndDate = CalendarDate(year: 2024, month: 6, day: 30)
    }

    /// How much is generated.
    public enum Extent: Sendable, Equatable {
        /// Whole days up to the end date, 1 to 36,500; a day is about 0.7 MB of XML.
        case days(Int)
        /// Bytes of XML, from about 0.6 MB; the export's size is within 1 % of it.
        ///
        /// Above about 2 GB, which is nine years, the days become denser before there are more of them.
        case bytes(UInt64)

        /// Reads a whole number of bytes, `B`, `KB`, `MB`, `GB`, `TB`, `KiB`, `MiB` or `GiB`, in upper or lower case.
        ///
        /// `1GB` is 10⁹ bytes, `1GiB` is 2³⁰.
        ///
        /// - Throws: ``SyntheticExportError/notASize(_:)`` for any other text, such as `1.5GB`.
        public static func bytes(parsing text: String) throws(SyntheticExportError) -> Extent {
            let digits = text.prefix { $0.isASCII && $0.isWholeNumber }
            let factor: UInt64? =
                switch text.dropFirst(digits.count).lowercased() {
                case "", "b": 1
                case "kb": 1000
                case "mb": 1_000_000
                case "gb": 1_000_000_000
                case "tb": 1_000_000_000_000
                case "kib": 1 << 10
                case "mib": 1 << 20
                case "gib": 1 << 30
                default: nil
                }
            guard let factor, let number = UInt64(digits) else { throw .notASize(text) }
            let (bytes, overflow) = number.multipliedReportingOverflow(by: factor)
            if overflow { throw .notASize(text) }
            return .bytes(bytes)
        }
    }

    /// How the elements look.
    public enum Shape: String, Sendable, Equatable, CaseIterable {
        /// As Apple writes them, with device texts, curly apostrophes, metadata, panels and workouts.
        case apple
        /// Records with ASCII names, without device texts and children, and the activity rings.
        case plain
        /// As `plain`, but with metadata in records as a third-party app writes it: an id and a time for each record.
        case app
        /// As `apple`, with what fewer people have, some of it in files next to the XML: electrocardiograms, routes of
        /// workouts, clinical records, audiograms, prescriptions for glasses and contact lenses, cycles, food, more
        /// symptoms.
        ///
        /// An extent in bytes counts only the XML.
        case full

        /// Whether the elements look as Apple writes them.
        var isApples: Bool { self == .apple || self == .full }
    }
}

extension SyntheticExport.Options {
    func validate() throws(SyntheticExportError) {
        guard (1990...2100).contains(endDate.year) else { throw .endDateOutOfRange(endDate) }
        guard (-720...840).contains(utcOffsetMinutes) else { throw .offsetOutOfRange(minutes: utcOffsetMinutes) }
    }

    var zone: HomeZone { HomeZone(exportOffsetMinutes: utcOffsetMinutes) }

    var person: Person { Person(seed: seed, zone: zone) }

    /// The last `count` days, or every `step`th of them.
    func days(_ count: Int, step: Int = 1) -> DayRange {
        let end = endDate.daysSince1970 + 1
        return stride(from: end - count, to: end, by: step)
    }

    /// 08:12:31, by the offset written in the file.
    static let exportSecondOfDay = 29_551

    /// The morning after the last day, when all its samples are complete.
    var exportInstant: Int {
        (endDate.daysSince1970 + 1) * 86_400 + Self.exportSecondOfDay - utcOffsetMinutes * 60
    }
}
