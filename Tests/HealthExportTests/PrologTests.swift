import HealthExport
import TestSupport
import Testing

/// The prolog is skipped, whatever Apple has written there, and never reaches libxml2.
struct PrologTests {
    /// An internal subset as a generation of iOS writes it, and what is special about it.
    struct Generation: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var doctype: String
    }

    static let generations = [
        Generation(testDescription: "no prolog at all", doctype: ""),
        Generation(testDescription: "no internal subset", doctype: "<!DOCTYPE HealthData>\n"),
        Generation(
            testDescription: "an external subset by name",
            doctype: "<!DOCTYPE HealthData SYSTEM \"HealthData.dtd\">\n"
        ),
        Generation(testDescription: "version 3, iOS 9", doctype: PrologSamples.version3),
        Generation(testDescription: "version 8, iOS 12", doctype: PrologSamples.version8),
        Generation(testDescription: "version 11, iOS 14", doctype: PrologSamples.version11),
        Generation(testDescription: "version 12, iOS 16.0, malformed", doctype: PrologSamples.version12),
        Generation(testDescription: "version 13, iOS 16", doctype: PrologSamples.version13),
        Generation(testDescription: "version 14, iOS 17", doctype: PrologSamples.version14),
        Generation(
            testDescription: "comments that name the root and an entity",
            doctype: """
                <!-- <HealthData locale="no"> <!ENTITY a "b"> -->
                <!DOCTYPE HealthData [
                <!-- <HealthData locale="no">
                 <Record value="no"/> <!ENTITY a "b"> -->
                <?instruction <HealthData > ?>
                <!ELEMENT HealthDataset ANY>
                ]>
                <!-- <HealthData> -->

                """
        ),
        Generation(
            testDescription: "parameter-like text in an attribute list",
            doctype: "<!DOCTYPE HealthData [<!ATTLIST Record value CDATA \"100%\" unit (a|b) #IMPLIED>]>\n"
        ),
    ]

    @Test(arguments: generations)
    func `a document type of every generation is skipped`(_ generation: Generation) {
        let prolog =
            (generation.doctype.isEmpty ? "" : "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") + generation.doctype
        let body = "<HealthData locale=\"en_GB\">\n\(ChunkSamples.record("61"))\n</HealthData>\n"
        let reading = read(prolog + body)
        #expect(reading.values == ["61"])
        #expect(reading.isComplete)
        #expect(reading.faults == [])
        // The fault's line includes the prolog's lines.
        let broken = read(prolog + body.replacing("unit=", with: "type="))
        let lines = prolog.utf8.filter { $0 == 10 }.count
        #expect(broken.faults.count == 1)
        #expect(broken.faults[0].hasPrefix("duplicateAttribute "))
        #expect(broken.faults[0].hasSuffix(" \(lines + 2) Record"))
    }

    @Test func `a prolog may end at any byte of a read`() {
        let body = "<HealthData locale=\"en_GB\">\n\(ChunkSamples.record("61"))\n</HealthData>\n"
        let prolog = Array(("<?xml version='1.0'?>\n" + PrologSamples.version12).utf8)
        let bytes = prolog + Array(body.utf8)
        let whole = read(bytes)
        #expect(whole.values == ["61"])
        for count in 1..<bytes.count {
            #expect(read(MemorySource(bytes, firstByteCount: count)) == whole)
            #expect(read(MemorySource(bytes, firstByteCount: count, pieceByteCount: 7)) == whole)
        }
        // The root's tag begins before, at and after the end of the first 16 KiB.
        for count in (16 << 10) - 20...(16 << 10) + 20 {
            let comment = "<!--" + String(repeating: "c", count: count - prolog.count - 7) + "-->"
            let reading = read(prolog + Array((comment + body).utf8))
            #expect(reading.values == ["61"])
            #expect(reading.byteCount == UInt64(count + body.utf8.count))
        }
    }

    @Test func `a prolog of more than one MiB is refused`() {
        func text(_ count: Int) -> String {
            "<!DOCTYPE HealthData><!--" + String(repeating: "c", count: count) + "--><HealthData>\n</HealthData>"
        }
        #expect(read(text(Prolog.maximumByteCount - 1000)).isComplete)
        #expect(read(text(Prolog.maximumByteCount)).refusal == .refusedXML(.noHealthData, input: "export.xml"))
    }

    @Test(arguments: [
        "<!ENTITY a \"b\">", "<!ENTITY % a \"b\">", "<!ENTITY a SYSTEM \"file:///etc/passwd\">",
        "<!ENTITY a PUBLIC \"-//a//b\" \"http://localhost/a\">", "<!ENTITY\na\n\"<HealthData >\">",
    ])
    func `an entity declaration is refused`(_ declaration: String) {
        let text =
            "<!DOCTYPE HealthData [<!ELEMENT a ANY>\(declaration)]>\n<HealthData>\n<Record value=\"&a;\"/></HealthData>"
        #expect(
            read(text).refusal?.description
                == """
                export.xml: the DTD declares an entity (Apple's exports declare none): \
                refused for safety, export it again
                """
        )
        #expect(read("<!DOCTYPE HealthData SYSTEM \"a\" [\(declaration)]><HealthData/>").records == [])
    }

    /// A pipe that nobody writes to would block any program that opens it.
    @Test(.timeLimit(.minutes(1)))
    func `files that a document type refers to are never opened`() throws {
        let folder = try TemporaryFolder()
        let pipe = try folder.makePipe("external.dtd")
        for doctype in [
            "<!DOCTYPE HealthData SYSTEM \"file://\(pipe)\">", "<!DOCTYPE HealthData SYSTEM \"\(pipe)\">",
            "<!DOCTYPE HealthData PUBLIC \"-//a//b\" \"file://\(pipe)\" [<!ELEMENT HealthData ANY>]>",
            "<!DOCTYPE HealthData SYSTEM \"http://127.0.0.1:9/a.dtd\">",
            "<?xml-stylesheet href=\"file://\(pipe)\"?>",
        ] {
            let reading = read(doctype + "\n<HealthData>\n\(ChunkSamples.record("61"))\n</HealthData>")
            #expect(reading.values == ["61"])
            #expect(reading.isComplete)
        }
        let inside = read(
            """
            <HealthData>
            \(ChunkSamples.record("61"))
             <!DOCTYPE a SYSTEM "file://\(pipe)" [<!ENTITY b SYSTEM "file://\(pipe)">]>
             <xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file://\(pipe)"/>
            \(ChunkSamples.record("&b;"))
            \(ChunkSamples.record("62"))
            </HealthData>
            """
        )
        #expect(inside.values == ["61", "62"])
        #expect(
            inside.faults.map { $0.prefix { $0 != " " } } == [
                "notWellFormed", "notWellFormed", "strayText", "undefinedEntity",
            ]
        )
    }

    /// Something that is not an export, and why.
    struct Refusal: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var bytes: [UInt8]
        var reason: String

        init(_ name: String, _ bytes: some Sequence<UInt8>, _ reason: String) {
            testDescription = name
            self.bytes = Array(bytes)
            self.reason = reason
        }
    }

    private static let notUTF8 =
        "the XML is not UTF-8 (Apple's exports always are): take the file that Health made, or convert it, such as with "
        + "\"iconv -f WINDOWS-1252 -t UTF-8\", and let its first line say encoding=\"UTF-8\""
    private static let noHealthData =
        "no <HealthData> element (expected Apple Health's export.xml): choose the export's main XML file"
    private static let notXML =
        "this is not XML (expected Apple Health's export.xml): choose the export's main XML file"
    private static let root = "<HealthData></HealthData>"

    static let refusals = [
        Refusal("no byte", [], "the file is empty (expected Apple Health's export.xml): export it again on the phone"),
        Refusal("windows-1252 throughout", root.utf8.dropLast(13) + (0..<8).flatMap { _ in [0x61, 0x92] }, notUTF8),
        Refusal("UTF-16, little end first", [0xFF, 0xFE] + root.utf8.flatMap { [$0, 0] }, notUTF8),
        Refusal("UTF-16, big end first", [0xFE, 0xFF] + root.utf8.flatMap { [0, $0] }, notUTF8),
        Refusal("UTF-16 without a mark", root.utf8.flatMap { [$0, 0] }, notUTF8),
        Refusal("UTF-16 without a mark, big end first", root.utf8.flatMap { [0, $0] }, notUTF8),
        Refusal("UTF-32", [0xFF, 0xFE, 0, 0] + root.utf8.flatMap { [$0, 0, 0, 0] }, notUTF8),
        Refusal("Latin 1", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\(root)".utf8, notUTF8),
        Refusal("Latin 1 in other quotes", "<?xml version='1.0'\tencoding = 'iso-8859-1' ?>\(root)".utf8, notUTF8),
        Refusal("a name that begins like UTF-8", "<?xml version='1.0' encoding='utf-8x'?>\(root)".utf8, notUTF8),
        Refusal("a declaration over two lines", "<?xml\nversion='1.0'\nencoding='UTF-16'\n?>\(root)".utf8, notUTF8),
        Refusal("another root", "<?xml version=\"1.0\"?>\n<ClinicalDocument/>".utf8, noHealthData),
        Refusal("a root with a longer name", "<HealthDataset></HealthDataset>".utf8, noHealthData),
        Refusal("a prolog alone", "<?xml version=\"1.0\"?>\n<!DOCTYPE HealthData [".utf8, noHealthData),
        Refusal("an open comment", "<!-- <HealthData>".utf8, noHealthData),
        Refusal("a cut root", "<!DOCTYPE HealthData><HealthData".utf8, noHealthData),
        Refusal("white space", " \n\t\r\n".utf8, noHealthData),
        Refusal("words", "Hello".utf8, notXML),
        Refusal("words before the root", "\u{FEFF}a\(root)".utf8, notXML),
    ]

    @Test(arguments: refusals)
    func `input that is not an export is refused with one sentence`(_ refusal: Refusal) {
        #expect(read(refusal.bytes).refusal?.description == "export.xml: \(refusal.reason)")
        #expect(
            read(MemorySource(refusal.bytes, pieceByteCount: 1)).refusal?.description == "export.xml: \(refusal.reason)"
        )
    }

    @Test(arguments: [
        "", "\u{FEFF}", "<?xml version=\"1.0\"?>", "<?xml version='1.0' encoding='utf-8' standalone='yes'?>",
        "<?xml version=\"1.0\" encoding = \"US-ASCII\"?>", "<?xml\tencoding\t=\t\"UTF8\"?>",
        "\u{FEFF}<?xml version=\"1.1\"?>\r\n",
        "<?xml-stylesheet encoding='UTF-16'?>", " \n",
    ])
    func `a declaration that is compatible with UTF-8 is accepted`(_ declaration: String) {
        #expect(read(declaration + Self.root).isComplete)
    }

    @Test func `a source that fails before the root refuses the export, and after it ends the reading with a fault`() {
        let bytes = Array(ChunkSamples.varied.utf8)
        let prologCount = ChunkSamples.prolog.utf8.count
        for count in 0..<bytes.count {
            let reading = read(MemorySource(bytes, breaksAt: count))
            if count < prologCount + 12 {
                #expect(reading.refusal == MemorySource.fault)
            } else {
                #expect(reading.refusal == nil)
                #expect(reading.inputFault == MemorySource.fault)
                #expect(reading.byteCount == UInt64(count))
            }
        }
    }
}
