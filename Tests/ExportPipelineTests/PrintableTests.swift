import ExportPipeline
import Testing

/// How text from elsewhere is shown in a terminal.
struct PrintableTests {
    @Test(arguments: [
        ("Robin’s iPhone, 健康", "Robin’s iPhone, 健康"), ("a\u{1B}[2Jb", "a?[2Jb"), ("a\nb\r", "a?b?"),
        ("a\u{2028}b\u{2029}", "a?b?"), ("\u{202E}txt", "?txt"), ("👩\u{200D}⚕️", "👩\u{200D}⚕️"), ("\u{FEFF}", "?"),
    ])
    func `text from elsewhere neither rewrites a line nor begins one`(_ text: String, _ shown: String) {
        #expect(text.printable.unicodeScalars.elementsEqual(shown.unicodeScalars))
    }

    @Test(arguments: [
        ("\"\u{9B}2J\"", #""\u009b2J""#), ("\u{202E}\u{2066}", #"\u202e\u2066"#), ("\u{E0041}", #"\udb40\udc41"#),
        ("Anna’s Ⅱ\n", "Anna’s Ⅱ\n"), ("\u{7F}", #"\u007f"#),
    ])
    func `JSON escapes characters that a terminal may obey`(_ json: String, _ shown: String) {
        #expect(json.escapingInvisible == shown)
    }
}
