internal import FHIRR4

/// Goes through samples of one series in the order of time and says, stretch by stretch, which of them count.
///
/// A stretch is time in which the same samples run. Of those, the ones of the best source count and the others don't,
/// so that steps that a watch and a phone both counted are counted once, and what only the phone saw still counts.
/// Samples without duration count unless a better source was measuring then. A stretch costs as much as there are
/// samples in it: few in an export, and where there are more than ``maximumRunningCount`` there is no stretch.
struct SampleOverlap {
    /// How many samples of one series may run at once: more say nothing about a day, and would take hours.
    static let maximumRunningCount = 100

    /// Time from `start` to `end` in which `samples` count.
    struct Stretch {
        var start: Int64
        var end: Int64
        var samples: [SummarySample]
    }

    /// The times in which more than ``maximumRunningCount`` samples run, in their order.
    ///
    /// - Parameter samples: sorted by start.
    /// - Returns: times that don't overlap.
    static func crowds(_ samples: [SummarySample]) -> [Range<Int64>] {
        let lasting = samples.filter { $0.end > $0.start }
        guard lasting.count > maximumRunningCount else { return [] }
        let ends = lasting.map(\.end).sorted()
        var crowds: [Range<Int64>] = []
        var ended = 0
        var begin: Int64?
        for (index, sample) in lasting.enumerated() {
            while ends[ended] <= sample.start {
                ended += 1
                if let start = begin, index - ended == maximumRunningCount {
                    crowds.append(start..<ends[ended - 1])
                    begin = nil
                }
            }
            if begin == nil, index + 1 - ended > maximumRunningCount { begin = sample.start }
        }
        if let begin { crowds.append(begin..<ends[lasting.count - 1 - maximumRunningCount]) }
        return crowds
    }

    /// Calls `body` for each stretch in which something counts, in the order of time.
    ///
    /// - Parameters:
    ///   - samples: of one series, twins once, sorted by start, then end, then id.
    ///   - crowds: the times in which too many of them run; these are skipped.
    ///   - body: takes a stretch; one of no length has samples without duration.
    static func walk(_ samples: [SummarySample], without crowds: [Range<Int64>], _ body: (Stretch) -> Void) {
        var running: [SummarySample] = []
        var next = 0
        var time = samples.first?.start ?? 0
        var crowds = crowds[...]
        while next < samples.count || !running.isEmpty {
            if running.isEmpty { time = samples[next].start }
            if let crowd = crowds.first, crowd.lowerBound == time {
                while next < samples.count, samples[next].start < crowd.upperBound {
                    running.append(samples[next])
                    next += 1
                }
                time = crowd.upperBound
                running.removeAll { $0.end <= time }
                crowds.removeFirst()
                continue
            }
            var instants: [SummarySample] = []
            while next < samples.count, samples[next].start == time {
                if samples[next].end > time { running.append(samples[next]) } else { instants.append(samples[next]) }
                next += 1
            }
            let best = running.map(\.source).min()
            let counting = instants.filter { $0.source <= best ?? .max }
            if let first = counting.map(\.source).min() {
                body(Stretch(start: time, end: time, samples: counting.filter { $0.source == first }))
            }
            guard let best else { continue }
            var end = running.map(\.end).min() ?? time
            if next < samples.count { end = min(end, samples[next].start) }
            body(Stretch(start: time, end: end, samples: running.filter { $0.source == best }))
            time = end
            running.removeAll { $0.end <= time }
        }
    }
}
