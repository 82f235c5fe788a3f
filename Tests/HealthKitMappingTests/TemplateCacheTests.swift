import FHIRR4
import HealthExport
import Testing

@testable import HealthKitMapping

struct TemplateCacheTests {
    @Test func `a few templates of megabytes fill the cache as thousands of small ones do`() {
        #expect(Self.count(ofKeysWith: 4 << 20) == 9)
        #expect(Self.count(ofKeysWith: 200) == TemplateCache.limit)
    }

    /// How many keys of `byteCount` bytes fit until the cache is full.
    private static func count(ofKeysWith byteCount: Int) -> Int {
        var names = InternedBytes(limit: TemplateCache.limit)
        var key = [UInt8](repeating: 0x78, count: byteCount)
        var count = 0
        while !TemplateCache.isFull(names, pieces: 0) {
            count += 1
            key[0] = UInt8(truncatingIfNeeded: count)
            key[1] = UInt8(truncatingIfNeeded: count >> 8)
            unsafe key.withUnsafeBytes { _ = unsafe names.insert($0) }
        }
        return count
    }
}
