import FHIRR4
import Testing
import TransactionBundling

/// Bundles made of some of another one's entries: docs/formats.md, "Keys".
struct BundlePartTests {
    private func whole() -> TransactionBundle {
        var builder = BundleBuilder(limits: BundleLimits(), key: .test, framing: .transaction)
        for resource in [Resource(1, byteCount: 0), Resource(2, byteCount: 0), Resource(3, byteCount: 0)] {
            unsafe resource.bytes.withUnsafeBytes { unsafe builder.add(resource.row, $0) }
        }
        var bundle = TransactionBundle(key: "", body: [], entries: [])
        builder.finish { bytes, key in bundle = TransactionBundle(bytes, key: key) }
        return bundle
    }

    private func text(_ bundle: TransactionBundle) -> String { String(decoding: bundle.body, as: UTF8.self) }

    @Test func `a part has its entries and the key that the format defines`() {
        let part = whole().part([0, 2])
        // printf 'pghd1\x1fpart\x1f{"id":2,"digest":0},{"id":3,"digest":0}' | sha256sum
        let key = "82129810ae4213f568b16f18d708052b7778bf99dcc1c23df703101378f9fd1a"
        #expect(part.key == key)
        #expect(
            text(part)
                == "{\"resourceType\":\"Bundle\",\"identifier\":{\"system\":\"urn:uuid:0b8f1c52-53a5-5a1e-8c5e-0e6a3d9f2b47\","
                + "\"value\":\"\(key)\"},\"type\":\"transaction\",\"entry\":["
                + "{\"id\":2,\"digest\":0},{\"id\":3,\"digest\":0}]}\n"
        )
    }

    @Test func `a salt gives a part and its own parts another key, and the same entries`() {
        let plain = whole().part([0, 1])
        let salted = whole().part([0, 1], salt: [1])
        #expect(Set([plain.key, salted.key, whole().part([0, 1], salt: [2]).key]).count == 3)
        #expect(text(salted).replacing(salted.key, with: plain.key) == text(plain))
        #expect(salted.part([1]).key == whole().part([1], salt: [1]).key)
        #expect(salted.part([1]).key != plain.part([1]).key)
    }
}
