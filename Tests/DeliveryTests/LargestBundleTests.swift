import Testing

@testable import Delivery

/// What a server's timeouts teach about the size of Bundles.
struct LargestBundleTests {
    private var largest = LargestBundle(entryCount: .max)

    private func holds(_ byteCount: Int) -> Bool { largest.holds(byteCount: byteCount, entryCount: 1) }

    private mutating func take(_ count: Int, of byteCount: Int) {
        for _ in 0..<count { largest.noteTaken(byteCount: byteCount) }
    }

    @Test mutating func `a Bundle that was not finished is sent in halves, and so are those after it`() {
        largest.noteUnfinished(byteCount: 160_000)
        // Each half has a framing of its own.
        #expect(holds(89_000) && !holds(91_000))
        largest.noteUnfinished(byteCount: 88_000)
        #expect(holds(49_000) && !holds(50_000))
    }

    @Test mutating func `a server that was in trouble for a while gets large Bundles again`() {
        largest.noteUnfinished(byteCount: 160_000)
        take(15, of: 80_000)
        #expect(!holds(160_000))
        take(1, of: 80_000)
        #expect(holds(160_000))
        take(16, of: 160_000)
        #expect(holds(320_000))
    }

    @Test mutating func `a server that is still slow gets large Bundles once more and then no longer`() {
        largest.noteUnfinished(byteCount: 160_000)
        take(16, of: 80_000)
        largest.noteUnfinished(byteCount: 150_000)
        take(1000, of: 80_000)
        #expect(holds(80_000) && !holds(100_000))
    }

    @Test mutating func `a Bundle that was already on its way teaches nothing about a later retry`() {
        largest.noteUnfinished(byteCount: 160_000)
        largest.noteUnfinished(byteCount: 158_000)
        take(16, of: 80_000)
        #expect(holds(160_000))
    }

    @Test mutating func `a timeout teaches nothing if Bundles as large were accepted`() {
        take(1, of: 160_000)
        largest.noteUnfinished(byteCount: 150_000)
        #expect(holds(1_000_000))
    }
}
