import HealthExport
import Testing

/// Reading an electrocardiogram's CSV file.
struct ElectrocardiogramTests {
    private static let rows = [
        "Name,Anna Beispiel", "Date of Birth,\"Jan 8, 1980\"", "Recorded Date,2024-06-16 09:31:02 +0100",
        "Classification,Sinus Rhythm", "Symptoms,\"Chest pain, \"\"tight\"\"\"", "Software Version,1.90",
        "Device,\"Watch7,12\"", "Sample Rate,511.562 hertz",
    ]

    private static func text(_ rows: [String] = rows, samples: [String] = ["-265.868", "12", "0.5"]) -> String {
        (rows + ["", "", "Lead,Lead I", "Unit,µV", ""] + samples).joined(separator: "\n") + "\n"
    }

    private static let whole: Electrocardiogram? = try? Electrocardiogram(Array(text().utf8))

    @Test func `everything in a file is read except name and birth date`() throws {
        let read = try #require(Self.whole)
        #expect(read.recorded == 1_718_526_662)
        #expect(read.classification == "Sinus Rhythm")
        #expect(read.symptoms == "Chest pain, \"tight\"")
        #expect(read.softwareVersion == "1.90")
        #expect(read.device == "Watch7,12")
        #expect(read.sampleRate == 511_562)
        #expect(read.sampleRateDecimals == 3)
        #expect(read.lead == "Lead I")
        #expect(read.unit == "µV")
        #expect(read.samples == [-265_868, 12_000, 500])
        #expect(read.decimals == 3)
        #expect(!"\(read)".contains("Anna") && !"\(read)".contains("1980"))
    }

    /// How another region's phone or another program may write the same file.
    @Test(arguments: [
        ["Name,", "\u{FEFF}Name,"],
        ["\n", "\r\n"],
        ["\n", "\r"],
        ["0.5\n", "0.5"],
        ["-265.868", "-265,868", "0.5", "0,5"],
        ["-265", "\u{2212}265"],
        ["-265", "\u{200E}-265"],
        ["-265.868", "-٢٦٥٫٨٦٨", "0.5", "0٫5"],
        ["868\n", "868,\n", "12\n", "12,,\n"],
        ["\n\n", "\n", "\n\n", "\n"],
        ["µV\n\n", "µV\n", "0.5\n", "0.5\n\n,\n \n"],
        ["µV\n", "µV\n\n \n;\n"],
        ["Recorded Date", "Fecha", "Lead,", "Derivación,", "Sample Rate", "Frecuencia", "Unit", "Unidad"],
        ["2024-06-16 09:31:02 +0100", "\"2024-06-16 09:31:02 +0100\""],
        ["Name,Anna Beispiel", "Name"],
        ["Version,", "Version\t", "Unit,", "Unit\t"],
        ["511.562 hertz", "511,562\u{A0}Hertz"],
        ["511.562 hertz", "511.562赫兹"],
        ["Sinus Rhythm", "Sinus\u{A0}Rhythm\u{202F}"],
    ])
    func `variants of a file are read as the same electrocardiogram`(_ replacements: [String]) throws {
        var changed = Self.text()
        for index in stride(from: 0, to: replacements.count, by: 2) {
            changed = changed.replacing(replacements[index], with: replacements[index + 1])
        }
        #expect(changed != Self.text())
        #expect(try Electrocardiogram(Array(changed.utf8)) == Self.whole)
    }

    @Test func `with rows missing or added, the others are recognized by label and shape`() throws {
        let fewer = Self.text(Self.rows.filter { !$0.hasPrefix("Symptoms") && !$0.hasPrefix("Software") })
        let read = try Electrocardiogram(Array(fewer.utf8))
        #expect(
            [read.classification, read.symptoms, read.device, read.unit] == ["Sinus Rhythm", "", "Watch7,12", "µV"]
        )
        let more = Self.text(Self.rows + ["Average Heart Rate,61 BPM"])
        var whole = Self.whole
        whole?.otherRowCount = 1
        #expect(try Electrocardiogram(Array(more.utf8)) == whole)
    }

    @Test func `without the device's row, the others are recognized in any language`() throws {
        let rows = [
            "Nombre,", "Nacimiento,", "Fecha,2024-06-16 09:31:02 +0100", "Resultado,Ritmo sinusal", "Síntomas,Dolor",
            "Versión,2.0", "Frecuencia,\"511,562 hercios\"", "", "Canal,Derivación I", "Unidad,µV", "", "12", "-7", "",
        ]
        let read = try Electrocardiogram(Array(rows.joined(separator: "\n").utf8))
        #expect([read.classification, read.symptoms, read.softwareVersion] == ["Ritmo sinusal", "Dolor", "2.0"])
        #expect([read.device, read.lead, read.unit] == ["", "Derivación I", "µV"])
        #expect(read.otherRowCount == 0)
    }

    /// Rows in another order, or an additional row whose value is a number too.
    @Test(arguments: [
        [
            "Classification,Sinus Rhythm\nSymptoms,\"Chest pain, \"\"tight\"\"\"",
            "Symptoms,\"Chest pain, \"\"tight\"\"\"\nClassification,Sinus Rhythm",
        ],
        [
            "Recorded Date,2024-06-16 09:31:02 +0100\nClassification,Sinus Rhythm",
            "Classification,Sinus Rhythm\nRecorded Date,2024-06-16 09:31:02 +0100",
        ],
        ["Sample Rate,511.562 hertz", "Average Heart Rate,72 BPM\nSampling,511.562 hertz"],
        ["Sample Rate,511.562 hertz", "Duration,30 seconds\nSampling,511,562헤르츠"],
    ])
    func `labels and the word for hertz count for more than the order of rows`(_ replacement: [String]) throws {
        let changed = Self.text().replacing(replacement[0], with: replacement[1])
        #expect(changed != Self.text())
        var wanted = Self.whole
        wanted?.otherRowCount = replacement[1].contains("Sampling") ? 1 : 0
        #expect(try Electrocardiogram(Array(changed.utf8)) == wanted)
    }

    @Test(arguments: [
        "512.5 Hertz", "512.5hertsiä", "512,5 герц", "512,5 Гц", "٥١٢٫٥ هرتز", "512.5 ヘルツ", "512.5赫茲", "512.5 เฮิรตซ์",
        "512.5 हर्ट्ज़",
        "512.5 ஹெர்ட்ஸ்", "512.5 హెర్ట్\u{200C}జ్", "512.5 ಹರ್ಟ್ಸ್\u{200C}", "512.5 ഹെർട്സ്",
    ])
    func `a sample rate is recognized by the word for hertz in any language`(_ rate: String) throws {
        let changed = Self.text().replacing("Sample Rate,511.562 hertz", with: "Pulse,72 BPM\nSampling,\(rate)")
        let read = try Electrocardiogram(Array(changed.utf8))
        #expect(read.sampleRate == 5_125 && read.sampleRateDecimals == 1 && read.otherRowCount == 1)
    }

    @Test func `a row before the recorded date that is neither name nor birth date is counted`() throws {
        let changed = Self.text().replacing("Recorded Date", with: "Altersgruppe,40 bis 49\nRecorded Date")
        var wanted = Self.whole
        wanted?.otherRowCount = 1
        #expect(try Electrocardiogram(Array(changed.utf8)) == wanted)
    }

    /// Files that are not an electrocardiogram: the fault, its line and its byte.
    @Test(
        arguments: [
            ("", .electrocardiogramHeader, 1, 0),
            ("Name,\nDate of Birth,\n", .electrocardiogramHeader, 1, 0),
            (text(rows.map { $0.replacing("2024-06-16", with: "2024-06-31") }), .electrocardiogramHeader, 1, 0),
            (text(samples: []), .electrocardiogramEmpty, 13, 238),
            (text(samples: ["1", "x", "3"]), .electrocardiogramSample, 15, 241),
            (text(samples: ["x"]), .electrocardiogramSample, 14, 239),
            // A gap: the samples after it would be placed too early.
            (text(samples: ["1", "", "3"]), .electrocardiogramSample, 15, 241),
            (text(samples: ["", "1", " ,", "", "3", ""]), .electrocardiogramSample, 16, 242),
            (text(samples: ["1", "NaN"]), .electrocardiogramSample, 15, 241),
            (text(samples: ["1.5", "2,5"]), .electrocardiogramSample, 15, 243),
            (text(samples: ["1", "1e5"]), .electrocardiogramSample, 15, 241),
            (text(samples: ["1234567890"]), .electrocardiogramColumns, 14, 239),
            // Nineteen nines do not fit into 64 bits.
            (text(samples: ["999999999.9999999999"]), .electrocardiogramColumns, 14, 239),
            (text(samples: ["1", "12.5,13.5"]), .electrocardiogramColumns, 15, 241),
            (text(samples: ["1;2"]), .electrocardiogramColumns, 14, 239),
            (text(samples: ["1", "-12,-13"]), .electrocardiogramColumns, 15, 241),
            (text(rows.dropLast()), .electrocardiogramRate, 3, 47),
            // With two numbers, or a number without the word for hertz, the rate is not known.
            (text(rows.dropLast() + ["A,72 BPM", "B,512 x"]), .electrocardiogramRate, 3, 47),
            (text(rows.dropLast() + ["A,72 BPM", "B,"]), .electrocardiogramRate, 3, 47),
            (text(rows.dropLast() + ["A,72 hertz", "B,512 hertz"]), .electrocardiogramRate, 3, 47),
            (text(rows.dropLast() + ["Sample Rate,"]), .electrocardiogramRate, 8, 189),
            (text(rows.dropLast() + ["Sample Rate,0 hertz"]), .electrocardiogramRate, 8, 189),
            (text(rows.dropLast() + ["Sample Rate,-512 hertz"]), .electrocardiogramRate, 8, 189),
            (text(rows.dropLast() + ["Sample Rate,1,024.5 hertz"]), .electrocardiogramRate, 8, 189),
            (text(rows.dropLast() + ["Sample Rate,16,384.5 hertz"]), .electrocardiogramRate, 8, 189),
            (text(rows.dropLast() + ["Sample Rate,512000 hertz"]), .electrocardiogramRate, 8, 189),
            (text(rows.dropLast() + ["Sample Rate,hertz"]), .electrocardiogramRate, 8, 189),
        ] as [(String, Malformation.Kind, UInt64, UInt64)]
    )
    func `a file that is not an electrocardiogram gives one fault with its place`(
        _ text: String,
        _ kind: Malformation.Kind,
        _ line: UInt64,
        _ byte: UInt64
    ) {
        let fault = #expect(throws: ElectrocardiogramFault.self) { try Electrocardiogram(Array(text.utf8)) }
        #expect(fault.map { "\($0.kind) \($0.line) \($0.byte)" } == "\(kind) \(line) \(byte)")
    }
}
