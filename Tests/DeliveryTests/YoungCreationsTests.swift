import FHIRR4
import Testing

@testable import Delivery

/// What a run has created recently.
struct YoungCreationsTests {
    private static let id = ResourceID(high: 1, low: 0x0123_4567_89AB_CDEF)

    @Test func `what was created is remembered for two minutes, but not for ever`() {
        let start = ContinuousClock.now
        var young = YoungCreations()
        young.note([Self.id], at: start)
        for (seconds, isKnown) in [(119, true), (121, true), (242, false)] {
            young.note([ResourceID(high: 2, low: UInt64(seconds))], at: start + .seconds(seconds))
            #expect(young.contains(Self.id) == isKnown, "\(seconds) s")
        }
    }

    /// Otherwise a run would wait for something that is not there.
    @Test func `an id with the same ending is not mistaken for a created one`() {
        var young = YoungCreations()
        young.note([Self.id], at: .now)
        #expect(!young.contains(ResourceID(high: 1, low: 0x89AB_CDEF)))
    }

    @Test func `of millions of creations the latest are remembered`() {
        var young = YoungCreations()
        let ids = (0..<UInt64(3 << 18)).map { ResourceID(high: 0, low: $0) }
        for start in stride(from: 0, to: ids.count, by: 4096) { young.note(Array(ids[start..<start + 4096]), at: .now) }
        #expect(young.contains(ids[ids.count - 1]) && young.contains(ids[2 << 18]) && !young.contains(ids[0]))
    }
}
