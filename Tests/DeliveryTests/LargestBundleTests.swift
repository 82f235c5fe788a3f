import Testing

@testable import Delivery

/// What a server's time teaches of the size of Bundles.
struct LargestBundleTests {
    private var largest = LargestBundle(entryCount: .max)

    private func holds(_ byteCount: Int) -> Bool { largest.holds(byteCount: byteCount, entryCount: 1) }

    private mutating func take(_ count: Int, of byteCount: Int) {
        for _ in 0..<count { largest.noteTaken(byteCount: byteCount) }
    }

    @Test mutating func `what was not finished goes in halves, and so do those behind it`() {
        largest.noteUnfinished(byteCount: 160_000)
        // A half has a framing of its own.
        #expect(holds(89_000) && !holds(91_000))
        largest.noteUnfinished(byteCount: 88_000)
        #expect(holds(49_000) && !holds(50_000))
    }

    @Test mutating func `a server that was in trouble for a while gets large ones again`() {
        largest.noteUnfinished(byteCount: 160_000)
        take(15, of: 80_000)
        #expect(!holds(160_000))
        take(1, of: 80_000)
        #expect(holds(160_000))
        take(16, of: 160_000)
        #expect(holds(320_000))
    }

    @Test mutating func `one that is as slow as before gets them once more and not again`() {
        largest.noteUnfinished(byteCount: 160_000)
        take(16, of: 80_000)
        largest.noteUnfinished(byteCount: 150_000)
        take(1000, of: 80_000)
        #expect(holds(80_000) && !holds(100_000))
    }

    @Test mutating func `what was on its way since before teaches nothing of what is tried again`() {
        largest.noteUnfinished(byteCount: 160_000)
        largest.noteUnfinished(byteCount: 158_000)
        take(16, of: 80_000)
        #expect(holds(160_000))
    }

    @Test mutating func `where as large ones were taken a late one tells nothing`() {
        take(1, of: 160_000)
        largest.noteUnfinished(byteCount: 150_000)
        #expect(holds(1_000_000))
    }
}
