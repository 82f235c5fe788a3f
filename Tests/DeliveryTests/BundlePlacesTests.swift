import TestSupport
import Testing

@testable import Delivery

struct BundlePlacesTests {
    private let folder: TemporaryFolder
    private let key = String(repeating: "0f", count: 32)

    init() throws { folder = try TemporaryFolder() }

    @Test func `a folder's files are read in the order of its manifest, each of them as often as it is listed`() throws
    {
        let other = String(repeating: "a9", count: 32)
        let names = "[\n\"\(other).json\",\n\"\(key).json.gz\",\"\(other).json\"\n]"
        _ = try folder.write(Array("{\"bundles\":\(names)}\n".utf8), to: "manifest.json")
        let expected = ["\(other).json", "\(key).json.gz", "\(other).json"].map { folder.path + "/" + $0 }
        #expect(try BundlePlaces(path: folder.path).paths == expected)
    }

    @Test(arguments: [
        "", "[]", "{}", "{\"bundles\":1}", "{\"bundles\":[1]}", "{\"bundles\":[]", "{\"bundles\":[]}x",
        "{\"bundles\":[\"KEY\"]}", "{\"bundles\":[\"KEY.ndjson\"]}", "{\"bundles\":[\"../KEY.json\"]}",
        "{\"bundles\":[\"KEY.json\",\"KEYa.json\"]}", "{\"bundles\":[\"/etc/passwd\"]}",
        "{\"transactionTime\":\"2026-01-01T00:00:00Z\",\"output\":[{\"url\":\"KEY.json\"}]}",
    ])
    func `a foreign manifest is refused, and so are file names that lead outside the folder`(_ text: String) throws {
        let bytes = Array(text.replacing("KEY", with: key).utf8)
        let path = try folder.write(bytes, to: "manifest.json")
        #expect(throws: DeliveryError.foreignManifest(path: path)) { try BundlePlaces(path: folder.path) }
    }
}
