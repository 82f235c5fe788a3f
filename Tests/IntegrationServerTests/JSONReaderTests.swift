import Testing

@testable import IntegrationServer

struct JSONReaderTests {
    @Test(arguments: [
        ("", JSONError(byte: 0, fault: .unexpected)),
        ("{", JSONError(byte: 1, fault: .unexpected)),
        ("{\"a\":1,}", JSONError(byte: 7, fault: .unexpected)),
        ("{\"a\":1,\"a\":2}", JSONError(byte: 7, fault: .nameTwice)),
        ("{\"a\":1,\"\\u0061\":2}", JSONError(byte: 7, fault: .nameTwice)),
        ("[1 2]", JSONError(byte: 3, fault: .unexpected)),
        ("[1]x", JSONError(byte: 3, fault: .unexpected)),
        ("01", JSONError(byte: 1, fault: .unexpected)),
        ("1.", JSONError(byte: 2, fault: .unexpected)),
        (".5", JSONError(byte: 0, fault: .unexpected)),
        ("NaN", JSONError(byte: 0, fault: .unexpected)),
        ("\"a\nb\"", JSONError(byte: 2, fault: .unexpected)),
        ("\"\\x\"", JSONError(byte: 2, fault: .unexpected)),
        ("\"\\ud800\"", JSONError(byte: 7, fault: .unexpected)),
        ("\"\\udc00\"", JSONError(byte: 7, fault: .unexpected)),
        ("[\"a\\u0000b\"]", JSONError(byte: 9, fault: .unexpected)),
        ("truth", JSONError(byte: 3, fault: .unexpected)),
        ("'a'", JSONError(byte: 0, fault: .unexpected)),
    ])
    func `text that is not JSON is refused at its byte`(_ text: String, _ error: JSONError) {
        #expect(throws: error) { try JSONReader.read(Array(text.utf8)) }
    }

    @Test func `bytes that are not UTF-8 are refused`() {
        #expect(throws: JSONError(byte: 0, fault: .notUTF8)) { try JSONReader.read([0x22, 0xC3, 0x28, 0x22]) }
    }

    @Test func `64 levels are accepted and 65 are not`() throws {
        let deepest = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(try JSONReader.read(Array(deepest.utf8)).elements.count == 1)
        #expect(throws: JSONError(byte: 64, fault: .tooDeep)) { try JSONReader.read(Array("[\(deepest)]".utf8)) }
    }

    @Test func `a duplicated name is found among many`() {
        let names = (0..<40).map { "\"\($0)\":0" }.joined(separator: ",")
        #expect(throws: JSONError(byte: 1 + names.utf8.count + 1, fault: .nameTwice)) {
            try JSONReader.read(Array("{\(names),\"39\":0}".utf8))
        }
    }

    @Test func `a million values are accepted and one more is not`() throws {
        let zeros = String(repeating: "0,", count: 999_998)
        #expect(try JSONReader.read(Array("[\(zeros)0]".utf8)).elements.count == 999_999)
        #expect(throws: JSONError(byte: 1_999_999, fault: .tooManyValues)) {
            try JSONReader.read(Array("[\(zeros)0,0]".utf8))
        }
    }

    @Test(arguments: ["0", "-0", "72.50", "1e-7", "1E+400", "12345678901234567890.123456789"])
    func `a number keeps its text`(_ text: String) throws {
        let value = try JSONReader.read(Array(" {\"value\" : \(text) } ".utf8))
        #expect(value["value"].map { String(decoding: $0.bytes, as: UTF8.self) } == text)
    }

    @Test(arguments: [
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""\u00e9\ud83d\ude00x""#, "é😀x"),
        (#""é""#, "é"),
    ])
    func `escapes are resolved`(_ text: String, _ meaning: String) throws {
        #expect(try JSONReader.read(Array(text.utf8)).string == meaning)
    }

    @Test func `quoted text can be read back`() throws {
        let text = "a\"b\\c\nd\u{1}é😀"
        #expect(JSONEscapes.quoted(text) == #""a\"b\\c\nd\u0001é😀""#)
        #expect(try JSONReader.read(Array(JSONEscapes.quoted(text).utf8)).string == text)
    }
}
