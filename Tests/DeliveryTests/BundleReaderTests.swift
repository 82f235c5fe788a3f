import FHIRR4
import Foundation
import Testing
import TransactionBundling

@testable import Delivery

/// What the reader knows of a Bundle that it read from a file.
struct BundleReaderTests {
    private static let device =
        #"{"resource":{"resourceType":"Device","id":"h\#(ones)"},"request":{"method":"PUT","url":"Device/h\#(ones)"}}"#
    private static let ones = String(repeating: "1", count: 32)
    private static let twos = String(repeating: "2", count: 32)

    private static func observation(value: String) -> String {
        #"{"resource":{"resourceType":"Observation","id":"h\#(twos)","subject":{"reference":"Patient/p1"},"valueString":"\#(value)"},"#
            + #""request":{"method":"PUT","url":"Observation/h\#(twos)"}}"#
    }

    private static func read(_ entries: [String], isOwn: Bool = false) throws -> BundleReader {
        let key = String(repeating: "ab", count: 32)
        let line =
            #"{"resourceType":"Bundle","identifier":{"system":"\#(BundleKey.identifierSystem)","value":"\#(key)"},"#
            + #""type":"transaction","entry":[\#(entries.joined(separator: ","))]}"#
        return try BundleReader(Array(line.utf8), path: "bundles.ndjson", number: 1, isOwn: isOwn)
    }

    @Test func `an entry's digest is the CRC-64 of its bytes, and a Device has none`() throws {
        let members = try Self.read([Self.device, Self.observation(value: "a")]).bundle.entries.map(\.member)
        #expect(members.map { $0?.id.text } == ["h" + Self.ones, "h" + Self.twos])
        // Computed with another program's CRC-64/XZ.
        #expect(members.map { $0?.digest } == [nil, 0x41D9_E44E_D1E8_FE24])
        #expect(members.map { $0?.isOfBytes } == [false, true])
    }

    @Test(arguments: [
        (#""PUT","url":"Observation/h\#(twos)""#, false),
        (#""PUT","url":"Observation?identifier=urn:uuid:5c4f|h\#(twos)""#, true),
        (#""POST","url":"Observation","ifNoneExist":"identifier=urn:uuid:5c4f|h\#(twos)""#, false),
    ])
    func `the resource is recognized in each form of request`(_ request: String, _ isOwn: Bool) throws {
        let entry =
            #"{"resource":{"resourceType":"Observation","id":"h\#(Self.twos)","subject":{"reference":"Patient/p1"}},"#
            + #""request":{"method":"#
        let member = try Self.read([entry + request + "}}"], isOwn: isOwn).bundle.entries[0].member
        #expect(member?.type == .observation)
        #expect(member?.id.text == "h" + Self.twos)
    }

    /// Forms in which another program may have rewritten an entry: these could not be turned into updates.
    @Test(arguments: [
        [#""request":{CREATION}"#, #""resource":{"resourceType":"Observation"}"#],
        [#""resource":{"resourceType":"Observation"}"#, #""request": {CREATION}"#],
        [#""resource": {"resourceType": "Observation"}"#, #""request":{CREATION}"#],
        [#""resource":{"resourceType":"Observation"}"#, #""request":{CREATION}"#, #""id":"1""#],
    ])
    func `an entry that creates by identifier in another form of JSON is refused`(_ members: [String]) {
        let creation = #""method":"POST","url":"Observation","ifNoneExist":"identifier=urn:uuid:5c4f|h\#(Self.twos)""#
        let entry = "{\(members.joined(separator: ","))}".replacing("CREATION", with: creation)
        #expect(throws: DeliveryError.notABundle(path: "bundles.ndjson", line: 1)) { try Self.read([entry]) }
    }

    @Test(arguments: [#""type":"batch","#, #""entry":[],"#, #""resourceType":"Parameters","#])
    func `a Bundle with a duplicated member name is refused`(_ more: String) throws {
        let key = String(repeating: "ab", count: 32)
        let line =
            #"{\#(more)"resourceType":"Bundle","identifier":{"system":"\#(BundleKey.identifierSystem)","value":"\#(key)"},"#
            + #""type":"transaction","entry":[\#(Self.observation(value: "a"))]}"#
        #expect(throws: DeliveryError.self) {
            try BundleReader(Array(line.utf8), path: "bundles.ndjson", number: 1)
        }
    }

    @Test func `an entry's place in the Bundle makes no difference to its digest, but each of its bytes does`() throws {
        let first = try Self.read([Self.observation(value: "a")]).bundle.entries[0].member
        let second = try Self.read([Self.device, Self.observation(value: "a")]).bundle.entries[1].member
        let other = try Self.read([Self.observation(value: "b")]).bundle.entries[0].member
        #expect(first == second)
        #expect(first?.id == other?.id)
        #expect(first?.digest != other?.digest)
    }

    @Test func `everything that convert writes for the samples can be read`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../samples/bundles")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        var count = 0
        for file in files where file.pathExtension == "ndjson" {
            for line in try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")) {
                _ = try BundleReader(Array(line), path: file.lastPathComponent, number: 1)
                count += 1
            }
        }
        #expect(count > 400)
    }

    /// What someone else's file could have sent with the user's token: one entry each, as ours and what replaces it.
    @Test(arguments: [
        (#""PUT","url":"Observation/h22"#, #""DELETE","url":"Observation/h22"#),
        (#""PUT","url":"Observation/h22"#, #""PATCH","url":"Observation/h22"#),
        (#""PUT","url":"Observation/h22"#, #""url":"Observation/h22"#),
        (#""url":"Observation/h22"#, #""url":"https://evil.example.org/Observation/h22"#),
        (#""url":"Observation/h22"#, #""url":"Condition/h22"#), (#""url":"Observation/h22"#, #""url":"Device/h22"#),
        (#""url":"Observation/h22"#, #""url":"Observation/g22"#),
        (#"2"}}"#, #"2/_history"}}"#), (#"2"}}"#, #"2?x=1"}}"#),
        (#""resourceType":"Observation""#, #""resourceType":"Parameters""#), (#""id":"h2"#, #""id":"h1"#),
        ("Patient/p1", "https://evil.example.org/fhir/Patient/p1"), ("Patient/p1", "Group/p1"),
        (#""subject":{"reference":"Patient/p1"},"#, ""),
        (#"{"reference":"Patient/p1"}"#, #"{"identifier":{"value":"p1"}}"#),
        (#""request":{"#, #""request":{"method":"DELETE","url":"Condition/1"},"request":{"#),
        (#""method":"PUT""#, #""method":"DELETE","method":"PUT""#), (#""url":"#, #""url":"Condition/1","url":"#),
        (#""method":"PUT""#, #""method":"PUT","Method":"DELETE""#),
        (#""method":"PUT""#, #""method":"PUT","ifMatch":"W/\"1\"""#),
        (#""resource":{"#, #""resource":{"resourceType":"Parameters"},"resource":{"#),
        (#""id":"h2"#, #""id":"h1","id":"h2"#), (#""request":{"#, #""response":{},"request":{"#),
    ])
    func `an entry that convert never writes is refused`(_ own: String, _ other: String) {
        let entry = Self.observation(value: "a").replacing(own, with: other)
        #expect(entry != Self.observation(value: "a"))
        #expect(throws: DeliveryError.notABundle(path: "bundles.ndjson", line: 1)) { try Self.read([entry]) }
    }
}
