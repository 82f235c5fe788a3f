import ExportPipeline
import TestSupport
import Testing

/// Elements nested far more deeply than any export has them.
struct DeepElementTests {
    @Test(arguments: [300, 5_000], [true, false])
    func `an element that is nested too deeply costs only itself`(_ depth: Int, _ isClosed: Bool) throws {
        let opening = String(repeating: "<a>", count: depth)
        let closing = isClosed ? String(repeating: "</a>", count: depth) + "</Workout>\n" : "\n"
        let run = try Run(of: record(value: "1") + " <Workout>" + opening + closing + record(value: "2"))
        #expect(run.text.contains("\"value\":1,") && run.text.contains("\"value\":2,"))
        #expect(run.report.damage.counts == [isClosed ? "unusableRecord" : "notWellFormed": 1])
        #expect(run.report.damage.isComplete)
    }
}
