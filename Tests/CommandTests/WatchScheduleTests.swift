import Testing

@testable import pghd

/// Which exports are due, when, and in which order.
struct WatchScheduleTests {
    private let start = ContinuousClock.now
    private var schedule = WatchSchedule(
        settling: .seconds(2),
        later: WatchSchedule.Waits(first: .seconds(10), longest: .seconds(35)),
        rarely: WatchSchedule.Waits(first: .seconds(100), longest: .seconds(300))
    )

    private func export(_ patientID: String, version: Int = 1) -> WatchedExport {
        let stamp = WatchedExport.Stamp(inode: 1, byteCount: version, seconds: 0, nanoseconds: 0)
        return WatchedExport(patientID: patientID, path: "exports/\(patientID)/export.zip", stamp: stamp)
    }

    private func due(_ exports: [WatchedExport], after seconds: Int, once: Bool = false) -> [String] {
        schedule.due(exports, at: start + .seconds(seconds), once: once).map(\.patientID)
    }

    @Test mutating func `an export is due when it has not changed for the settling time`() {
        let (first, second) = (export("p1"), export("p1", version: 2))
        schedule.note([first], at: start)
        #expect(due([first], after: 1) == [])
        schedule.note([second], at: start + .seconds(1))
        #expect(due([second], after: 2) == [])
        #expect(due([second], after: 3) == ["p1"])
        // It has not changed since then.
        schedule.note([second], at: start + .seconds(4))
        #expect(due([second], after: 4) == ["p1"])
    }

    /// One name came from a Mac, the other from a browser: Swift considers them equal.
    @Test mutating func `two names that differ in the form of their accents are two exports`() {
        let exports = ["exports/p1/M\u{FC}ller.zip", "exports/p1/Mu\u{308}ller.zip"].enumerated().map { number, path in
            var export = export("p1", version: number)
            export.path = path
            return export
        }
        for seconds in 0..<4 { schedule.note(exports, at: start + .seconds(seconds)) }
        #expect(due(exports, after: 4) == ["p1", "p1"])
        schedule.note(.done, of: exports[0], at: start + .seconds(5))
        #expect(schedule.due(exports, at: start + .seconds(6), once: false).map(\.pathBytes) == [exports[1].pathBytes])
        var faults = WatchFaults()
        let isSaid = exports.map { faults.note(.tooDeep, of: $0.path) }
        #expect(isSaid == [true, true])
    }

    @Test mutating func `a finished export is due again when it changes`() {
        schedule.note([export("p1")], at: start)
        schedule.note(.done, of: export("p1"), at: start + .seconds(3))
        #expect(due([export("p1")], after: 1000) == [])
        schedule.note([export("p1", version: 2)], at: start + .seconds(1000))
        #expect(due([export("p1", version: 2)], after: 1002) == ["p1"])
    }

    @Test mutating func `an outcome is ignored if the file has changed meanwhile`() {
        schedule.note([export("p1")], at: start)
        schedule.note([export("p1", version: 2)], at: start + .seconds(3))
        #expect(schedule.note(.done, of: export("p1"), at: start + .seconds(4)) == nil)
        #expect(due([export("p1", version: 2)], after: 5) == ["p1"])
    }

    @Test mutating func `an unfinished export is due once more after 30 times the settling time without a change`() {
        schedule.note([export("p1")], at: start)
        #expect(schedule.note(.unfinished, of: export("p1"), at: start + .seconds(3)) == .seconds(57))
        #expect(due([export("p1")], after: 59) == [])
        #expect(due([export("p1")], after: 60) == ["p1"])
    }

    @Test(arguments: [(WatchSchedule.Outcome.later, [10, 20, 35, 35]), (.rarely, [100, 200, 300, 300])])
    mutating func `each wait is twice the one before, up to the longest`(
        _ outcome: WatchSchedule.Outcome,
        _ waits: [Int]
    ) {
        schedule.note([export("p1")], at: start)
        var now = 3
        for wait in waits {
            let found = schedule.note(outcome, of: export("p1"), at: start + .seconds(now))
            #expect(found == .seconds(wait))
            #expect(due([export("p1")], after: now + wait - 1) == [])
            #expect(due([export("p1")], after: now + wait) == ["p1"])
            // A watch with --once leaves the export to another watch.
            #expect(due([export("p1")], after: now + wait, once: true) == [])
            now += wait
        }
    }

    @Test mutating func `exports that have not had a turn come first, then those that come again, longest wait first`()
    {
        let all = ["p1", "p2", "p3", "p4"].map { export($0) }
        schedule.note(all, at: start)
        schedule.note(.later, of: all[0], at: start + .seconds(5))
        schedule.note(.later, of: all[1], at: start + .seconds(3))
        #expect(due(all, after: 100) == ["p3", "p4", "p2", "p1"])
        // Somebody waits for a new export.
        let new = all + [export("p5")]
        schedule.note(new, at: start + .seconds(100))
        #expect(due(new, after: 102) == ["p5", "p3", "p4", "p2", "p1"])
    }
}
