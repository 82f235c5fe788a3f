import FHIRR4
import Testing
import TransactionBundling

@testable import Delivery

/// What is known of a Bundle that was read from a file.
struct BundleReaderTests {
    private static let device =
        #"{"resource":{"resourceType":"Device"},"request":{"method":"PUT","url":"Device/h\#(ones)"}}"#
    private static let ones = String(repeating: "1", count: 32)
    private static let twos = String(repeating: "2", count: 32)

    private static func observation(value: String) -> String {
        #"{"resource":{"resourceType":"Observation","subject":{"reference":"Patient/p1"},"valueString":"\#(value)"},"#
            + #""request":{"method":"PUT","url":"Observation/h\#(twos)"}}"#
    }

    private static func read(_ entries: [String]) throws -> BundleReader {
        let key = String(repeating: "ab", count: 32)
        let line =
            #"{"resourceType":"Bundle","identifier":{"system":"\#(BundleKey.identifierSystem)","value":"\#(key)"},"#
            + #""type":"transaction","entry":[\#(entries.joined(separator: ","))]}"#
        return try BundleReader(Array(line.utf8), path: "bundles.ndjson", number: 1)
    }

    @Test func `an entry's digest is the CRC-64 of its bytes, and a Device has none`() throws {
        let members = try Self.read([Self.device, Self.observation(value: "a")]).bundle.entries.map(\.member)
        #expect(members.map { $0?.id.text } == ["h" + Self.ones, "h" + Self.twos])
        // By another program's CRC-64/XZ.
        #expect(members.map { $0?.digest } == [nil, 0x3461_8090_7FC5_F4E8])
        #expect(members.map { $0?.isOfBytes } == [false, true])
    }

    @Test(arguments: [
        #""PUT","url":"Observation/h\#(twos)""#, #""PUT","url":"Observation?identifier=urn:uuid:5c4f|h\#(twos)""#,
        #""POST","url":"Observation","ifNoneExist":"identifier=urn:uuid:5c4f|h\#(twos)""#,
    ])
    func `the resource is known in each form of request`(_ request: String) throws {
        let entry =
            #"{"resource":{"resourceType":"Observation","subject":{"reference":"Patient/p1"}},"request":{"method":"#
        let member = try Self.read([entry + request + "}}"]).bundle.entries[0].member
        #expect(member?.type == .observation)
        #expect(member?.id.text == "h" + Self.twos)
    }

    /// As another program may have written them anew: they could not be made updates.
    @Test(arguments: [
        [#""request":{CREATION}"#, #""resource":{"resourceType":"Observation"}"#],
        [#""resource":{"resourceType":"Observation"}"#, #""request": {CREATION}"#],
        [#""resource": {"resourceType": "Observation"}"#, #""request":{CREATION}"#],
        [#""resource":{"resourceType":"Observation"}"#, #""request":{CREATION}"#, #""id":"1""#],
    ])
    func `an entry that creates by an identifier in another form of JSON is none of ours`(_ members: [String]) {
        let creation = #""method":"POST","url":"Observation","ifNoneExist":"identifier=urn:uuid:5c4f|h\#(Self.twos)""#
        let entry = "{\(members.joined(separator: ","))}".replacing("CREATION", with: creation)
        #expect(throws: DeliveryError.notABundle(path: "bundles.ndjson", line: 1)) { try Self.read([entry]) }
    }

    @Test func `the place in the Bundle makes no difference, and each byte of the entry does`() throws {
        let first = try Self.read([Self.observation(value: "a")]).bundle.entries[0].member
        let second = try Self.read([Self.device, Self.observation(value: "a")]).bundle.entries[1].member
        let other = try Self.read([Self.observation(value: "b")]).bundle.entries[0].member
        #expect(first == second)
        #expect(first?.id == other?.id)
        #expect(first?.digest != other?.digest)
    }
}
