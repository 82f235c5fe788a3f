/// An electrocardiogram from the watch, as the file that a phone set to US English writes.
///
/// The XML does not mention these files.
struct Electrocardiogram: OtherFile {
    private let person: Person
    private let day: Int
    private let finding: Finding
    private let dates: DateText

    /// Once in two weeks; an export of a single day has four, with three different findings.
    private static let occasions = Occasions(
        stream: "electrocardiogram",
        period: 14,
        least: 4,
        since: Introduction.electrocardiogram
    )

    /// What the watch finds in a recording, and what its owner feels.
    private enum Finding {
        case sinusRhythm, atrialFibrillation, poorRecording, inconclusive, fast

        /// The findings of successive recordings; after the last, the first comes again.
        private static let order: [Finding] = [
            .sinusRhythm, .atrialFibrillation, .sinusRhythm, .poorRecording,
            .sinusRhythm, .inconclusive, .sinusRhythm, .fast,
        ]

        static func of(number: Int) -> Finding { order[number % order.count] }

        var classification: StaticString {
            switch self {
            case .sinusRhythm: "Sinus Rhythm"
            case .atrialFibrillation: "Atrial Fibrillation"
            case .poorRecording: "Poor Recording"
            case .inconclusive: "Inconclusive"
            case .fast: "Heart Rate Over 120"
            }
        }

        var symptoms: StaticString {
            switch self {
            case .atrialFibrillation: "\"Rapid, pounding, or fluttering heartbeat, Fatigue\""
            case .inconclusive: "\"Skipped heartbeat\""
            default: ""
            }
        }

        /// Beats per minute above the resting heart rate.
        var excitement: Int {
            switch self {
            case .sinusRhythm, .poorRecording: 9
            case .inconclusive: 18
            case .atrialFibrillation: 38
            case .fast: 72
            }
        }

        var disturbance: LeadI.Disturbance {
            switch self {
            case .atrialFibrillation: .fibrillation
            case .poorRecording: .looseContact
            case .inconclusive: .earlyBeats
            default: .none
            }
        }
    }

    /// The recordings in an export, in order.
    static func all(of person: Person, in days: DayRange, options: SyntheticExport.Options) -> [any OtherFile] {
        occasions.all(of: person, in: days).map { day, number in
            Electrocardiogram(
                person: person,
                day: day,
                finding: Finding.of(number: number),
                dates: DateText(offsetMinutes: options.utcOffsetMinutes)
            )
        }
    }

    /// The days of an export on which the watch finds atrial fibrillation.
    static func daysOfFibrillation(of person: Person, in days: DayRange) -> [Int] {
        occasions.all(of: person, in: days)
            .filter { Finding.of(number: $0.number) == .atrialFibrillation }
            .map(\.day)
    }

    var path: String { "electrocardiograms/ecg_\(CalendarDate(daysSince1970: day)).csv" }

    func write(to bytes: inout ByteWriter) {
        var random = RandomSequence(seed: person.seed, stream: "electrocardiogram", day: day)
        writeHeader(recorded: person.zone.startOfDay(day) + random.within(72_900...76_500), to: &bytes)
        let lead = LeadI(
            beatsPerMinute: person.restingHeartRate(on: day) + finding.excitement,
            disturbance: finding.disturbance,
            sizePercent: 80 + RandomSequence.once(seed: person.seed, stream: "lead", below: 45),
            random: &random
        )
        lead.forEachVoltage { nanovolts in
            bytes.append(signed: nanovolts, decimals: 3)
            bytes.append(UInt8(ascii: "\n"))
        }
    }

    private func writeHeader(recorded: Int, to bytes: inout ByteWriter) {
        var dates = dates
        bytes.append("Name,\"Alex Example\"\nDate of Birth,\"Mar 9, 1984\"\nRecorded Date,")
        dates.append(recorded, to: &bytes)
        bytes.append("\nClassification,")
        bytes.append(finding.classification)
        bytes.append("\nSymptoms,")
        bytes.append(finding.symptoms)
        bytes.append("\nSoftware Version,1.90\nDevice,\"")
        bytes.append(SoftwareEra.at(day, in: SoftwareEra.watch).hardware)
        bytes.append("\"\nSample Rate,512 hertz\n\n\nLead,Lead I\nUnit,\u{B5}V\n\n")
    }
}
