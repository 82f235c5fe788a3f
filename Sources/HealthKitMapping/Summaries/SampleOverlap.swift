internal import FHIRR4

/// Goes through samples of one series in time and says, stretch by stretch, which of them count.
///
/// A stretch is time in which the same samples run. Of those, the ones of the best source
/// count and the others don't, so that steps that a watch and a phone both counted are
/// counted once, and what only the phone saw still counts. Samples that last no time count
/// unless a better source was measuring then. A stretch costs as much as samples run in it: few do in an export.
struct SampleOverlap {
    /// Time from `start` to `end` in which `samples` count.
    struct Stretch {
        var start: Int64
        var end: Int64
        var samples: [SummarySample]
    }

    /// Calls `body` for each stretch in which something counts, in the order of time.
    ///
    /// - Parameters:
    ///   - samples: of one series, twins once, sorted by start, then end, then id.
    ///   - body: takes a stretch; one of no length is a sample that lasts no time.
    static func walk(_ samples: [SummarySample], _ body: (Stretch) -> Void) {
        var running: [SummarySample] = []
        var next = 0
        var time = samples.first?.start ?? 0
        while next < samples.count || !running.isEmpty {
            if running.isEmpty { time = samples[next].start }
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
