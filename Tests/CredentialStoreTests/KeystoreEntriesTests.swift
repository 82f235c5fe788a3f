import OpenSSLCrypto
import Testing

@testable import CredentialStore

struct KeystoreEntriesTests {
    @Test(arguments: [
        Table([0, 0, 0, 0], [:]),
        Table([0, 0, 0, 1, 0, 0, 0, 1, 0x61, 0, 0, 0, 2, 7, 8], ["a": [7, 8]]),
        Table([0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0x61, 0, 0, 0, 0], ["": [], "a": []]),
    ])
    func `a table is its count, then the name and value of each entry in order`(_ table: Table) throws {
        var entries = KeystoreEntries()
        for (name, value) in table.entries ?? [:] { entries[name] = value }
        #expect(unsafe try entries.encoded().withBytes { unsafe Array($0) } == table.bytes)
        #expect(try KeystoreEntries(decoding: SecretBytes(copying: table.bytes)) == entries)
    }

    @Test(arguments: [
        Table([]),
        Table([0, 0, 0]),
        Table([0, 0, 0, 0, 0]),
        Table([0, 0, 0, 1]),
        Table([0xff, 0xff, 0xff, 0xff]),
        // A name longer than the table.
        Table([0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff, 0x61, 0, 0, 0, 0]),
        // A value longer than the table.
        Table([0, 0, 0, 1, 0, 0, 0, 1, 0x61, 0, 0, 0, 1]),
        // A name that is not UTF-8.
        Table([0, 0, 0, 1, 0, 0, 0, 1, 0xff, 0, 0, 0, 0]),
        // A repeated name.
        Table([0, 0, 0, 2, 0, 0, 0, 1, 0x61, 0, 0, 0, 0, 0, 0, 0, 1, 0x61, 0, 0, 0, 0]),
        // Names out of order.
        Table([0, 0, 0, 2, 0, 0, 0, 1, 0x62, 0, 0, 0, 0, 0, 0, 0, 1, 0x61, 0, 0, 0, 0]),
        // é composed and decomposed: Swift considers the names equal.
        Table([0, 0, 0, 2, 0, 0, 0, 3, 0x65, 0xcc, 0x81, 0, 0, 0, 0, 0, 0, 0, 2, 0xc3, 0xa9, 0, 0, 0, 0]),
    ])
    func `S29 a table that would not be written in this form is refused`(_ table: Table) throws {
        #expect(try KeystoreEntries(decoding: SecretBytes(copying: table.bytes)) == nil)
    }

    @Test func `names are sorted by their bytes`() {
        var entries = KeystoreEntries()
        for name in ["https://b", "https://a", "https://ä", "https://B"] { entries[name] = [] }
        #expect(entries.names == ["https://B", "https://a", "https://b", "https://ä"])
    }

    @Test func `setting an entry to nil removes it`() {
        var entries = SampleKeystore.entries
        entries["https://fhir.example.org/r4"] = nil
        #expect(entries.names == ["https://ehr.example.org/fhir"])
    }

    struct Table: Sendable, CustomTestStringConvertible {
        var bytes: [UInt8]
        var entries: [String: [UInt8]]?
        var testDescription: String { "\(bytes)" }

        init(_ bytes: [UInt8], _ entries: [String: [UInt8]]? = nil) {
            self.bytes = bytes
            self.entries = entries
        }
    }
}
