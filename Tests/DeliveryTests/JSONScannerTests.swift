import Testing

@testable import Delivery

/// Where strings and values end, at every position within the eight bytes that are examined together.
struct JSONScannerTests {
    private static let escapes = [
        ("", ""), (#"\""#, "\""), (#"\\"#, "\\"), (#"\\\""#, "\\\""), (#"\u0022"#, "\""), ("é", "é"),
    ]

    @Test func `a string ends at its own quotation mark`() throws {
        for before in 0...17 {
            for after in 0...17 {
                for (written, meant) in Self.escapes {
                    let (head, tail) = (String(repeating: "x", count: before), String(repeating: "y", count: after))
                    var scanner = JSONScanner(Array("\"\(head)\(written)\(tail)\",\"z\"".utf8))
                    #expect(try scanner.readString() == head + meant + tail)
                    #expect(scanner.nextByte() == UInt8(ascii: ","))
                }
            }
        }
    }

    @Test(arguments: [
        #""""#, #""a\\""#, "12.50", "true", "{}", "[]", #"{"a":[1,{"b":"]}"}],"c":"\"}"}"#, "[ {\n} , \"\\\\\" ]",
    ])
    func `a value is skipped as a whole`(_ value: String) throws {
        var scanner = JSONScanner(Array(" \(value) ,1".utf8))
        #expect(try scanner.skipValue() == 1..<1 + value.utf8.count)
        #expect(scanner.nextByte() == UInt8(ascii: ","))
    }

    @Test(arguments: ["", "\"", #""abcdefg\"#, #""abcdefgh\""#, "[1", "{\"a\":", "]", ",", "[\"a]"])
    func `a value without an end is refused`(_ text: String) {
        var scanner = JSONScanner(Array(text.utf8))
        #expect(throws: JSONFault.self) { () throws(JSONFault) in try scanner.skipValue() }
    }

    @Test(arguments: [#"\u12"#, #"\u+123"#, #"\u-000"#, #"\u-001"#, #"\u12g4"#, #"\q"#, #"\N"#])
    func `an invalid escape is refused`(_ escape: String) {
        var scanner = JSONScanner(Array("\"\(escape)\"".utf8))
        #expect(throws: JSONFault.self) { () throws(JSONFault) in try scanner.readString() }
    }

    @Test func `a million values are read, and no more`() throws {
        let list = "[" + String(repeating: "1,", count: 999_998)
        var scanner = JSONScanner(Array((list + "1]").utf8))
        #expect(try scanner.readValue().elements.count == 999_999)
        var longer = JSONScanner(Array((list + "1,1]").utf8))
        #expect(throws: JSONFault.self) { () throws(JSONFault) in try longer.readValue() }
    }

    @Test func `a key is recognized whether or not it is escaped`() throws {
        var scanner = JSONScanner(Array(#"{"url":1,"\u0075rl":2,"urls":3}"#.utf8))
        var found: [Bool] = []
        try scanner.readMembers { (name, scanner) throws(JSONFault) in
            found.append(name == "url")
            try scanner.skipValue()
        }
        #expect(found == [true, true, false])
    }
}
