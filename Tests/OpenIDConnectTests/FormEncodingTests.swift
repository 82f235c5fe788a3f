import Testing

@testable import OpenIDConnect

struct FormEncodingTests {
    @Test func `a form is written as in RFC 6749 and read back unchanged`() {
        let fields = [("a b", "x&y=z"), ("é", "+%/~._-"), ("empty", "")]
        let text = FormEncoding.text(fields)
        #expect(text == "a%20b=x%26y%3Dz&%C3%A9=%2B%25%2F~._-&empty=")
        #expect(FormEncoding.fields(text) == Dictionary(uniqueKeysWithValues: fields))
    }

    @Test(arguments: ["a=1&a=2", "a=%", "a=%2", "a=%zz", "a=%ff", "%C3=x"])
    func `an ambiguous or malformed form is refused`(_ text: String) {
        #expect(FormEncoding.fields(text) == nil)
    }

    @Test(arguments: ["b=1&b=2", "b=%ff", "%ff=1", "b=%", "%C3=x"])
    func `fields that are not asked for may be written in any way`(_ others: String) {
        #expect(FormEncoding.fields("a=1&\(others)", only: ["a"]) == ["a": "1"])
        #expect(FormEncoding.fields("\(others)&%61=1", only: ["a"]) == ["a": "1"])
        for wrong in ["a=1&a=2", "a=1&%61=2", "a=%ff", "a=%"] {
            #expect(FormEncoding.fields("\(others)&\(wrong)", only: ["a"]) == nil)
        }
    }

    @Test func `plus is a space, and empty parts are ignored`() {
        #expect(FormEncoding.fields("&a=b+c&&d") == ["a": "b c", "d": ""])
    }

    @Test func `base64url has no padding and no other alphabet`() {
        #expect(Base64URL.text([0xFF, 0xEF]) == "_-8")
        #expect(Base64URL.bytes("_-8") == [0xFF, 0xEF])
        for text in ["_-8=", "/+8", "a b", "é"] { #expect(Base64URL.bytes(text) == nil) }
    }
}
