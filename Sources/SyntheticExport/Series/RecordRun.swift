/// One day's records of one type from one source, not quite in the order of their start, as in Apple's exports.
///
/// About 3 % of them come one place late. In Apple's shapes one in 600 comes twice, with another
/// `creationDate`, as in real exports after a restore.
struct RecordRun {
    private let type: RecordType
    private let source: SourceText
    private var random: RandomSequence
    private var late: Sample?

    init(of type: RecordType, from source: Source, in plan: DayPlan, shape: SyntheticExport.Shape) {
        self.type = type
        self.source = source.text(on: plan.day, shape: shape)
        let seed = plan.person.seed &+ source.rawValue
        random = RandomSequence(seed: ~seed, stream: type.identifier, day: plan.day)
    }

    mutating func write(_ sample: Sample, to writer: inout ElementWriter) {
        let draw = random.next()
        if late == nil, draw & 31 == 0 {
            late = sample
            return
        }
        writer.record(sample, of: type, from: source)
        if writer.shape.isApples, (draw >> 32) % 600 == 0 {
            writer.record(sample.created(secondsLater: 60 + Int(draw >> 52)), of: type, from: source)
        }
        finish(to: &writer)
    }

    /// Writes the record that is still held back; call it at the end of the day.
    mutating func finish(to writer: inout ElementWriter) {
        guard let late else { return }
        writer.record(late, of: type, from: source)
        self.late = nil
    }
}

extension Sample {
    fileprivate func created(secondsLater seconds: Int) -> Sample {
        Sample(start: start, end: end, created: created + seconds, value: value, metadata: metadata)
    }
}
