/// The languages in which the labels of an electrocardiogram's rows are known.
///
/// A file in any other language is read by the order of its rows; labels decide if a row is missing or new. The labels
/// in traditional Chinese and Korean are translations, not yet seen in a file.
package enum ElectrocardiogramLanguage: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"
    case japanese = "ja"
    case simplifiedChinese = "zh-Hans"
    case traditionalChinese = "zh-Hant"
    case korean = "ko"

    /// The row with this label in any of the languages, in upper or lower case; `nil` for another text.
    static func row(labelled label: String) -> ElectrocardiogramRow? { rows[label.lowercased()] }

    /// The labels of a row, such as `Messrate`; several if files differ.
    package func labels(of row: ElectrocardiogramRow) -> [String] {
        switch (self, row) {
        case (.english, .classification): ["Classification"]
        case (.english, .symptoms): ["Symptoms"]
        case (.english, .softwareVersion): ["Software Version"]
        case (.english, .device): ["Device"]
        case (.english, .sampleRate): ["Sample Rate"]
        case (.english, .lead): ["Lead"]
        case (.english, .unit): ["Unit"]
        case (.german, .classification): ["Klassifizierung"]
        case (.german, .symptoms): ["Symptome"]
        case (.german, .softwareVersion): ["Softwareversion"]
        case (.german, .device): ["Gerät"]
        case (.german, .sampleRate): ["Messrate"]
        case (.german, .lead): ["Ableitung"]
        case (.german, .unit): ["Einheit"]
        case (.japanese, .classification): ["分類"]
        case (.japanese, .symptoms): ["症状"]
        case (.japanese, .softwareVersion): ["ソフトウェアバージョン"]
        case (.japanese, .device): ["デバイス"]
        case (.japanese, .sampleRate): ["サンプルレート"]
        case (.japanese, .lead): ["リード"]
        case (.japanese, .unit): ["単位"]
        case (.simplifiedChinese, .classification): ["分类"]
        case (.simplifiedChinese, .symptoms): ["症状"]
        case (.simplifiedChinese, .softwareVersion): ["软件版本"]
        case (.simplifiedChinese, .device): ["设备"]
        case (.simplifiedChinese, .sampleRate): ["采样率", "采样速率"]
        case (.simplifiedChinese, .lead): ["导联"]
        case (.simplifiedChinese, .unit): ["单位"]
        case (.traditionalChinese, .classification): ["分類"]
        case (.traditionalChinese, .symptoms): ["症狀"]
        case (.traditionalChinese, .softwareVersion): ["軟體版本"]
        case (.traditionalChinese, .device): ["裝置"]
        case (.traditionalChinese, .sampleRate): ["取樣率"]
        case (.traditionalChinese, .lead): ["導程"]
        case (.traditionalChinese, .unit): ["單位"]
        case (.korean, .classification): ["분류"]
        case (.korean, .symptoms): ["증상"]
        case (.korean, .softwareVersion): ["소프트웨어 버전"]
        case (.korean, .device): ["기기"]
        case (.korean, .sampleRate): ["샘플 레이트"]
        case (.korean, .lead): ["리드"]
        case (.korean, .unit): ["단위"]
        }
    }

    /// The word for hertz, or its beginning, in the languages of a phone.
    ///
    /// Source: Unicode's CLDR, `units/frequency-hertz`, <https://cldr.unicode.org>.
    static let hertz = [
        "hertz", "hz", "herts", "herc", "герц", "гц", "херц", "χερτζ", "הרץ", "هرتز", "ہرٹز", "ヘルツ", "赫兹", "赫茲", "헤르츠",
        "เฮิรตซ์", "हर्ट्ज़", "हर्ट्ज", "हर्ट्झ", "হার্জ", "હર્ટ્ઝ", "ਹਰਟਜ਼", "ହର୍ଜ୍", "ஹெர்ட்ஸ்", "హెర్ట్\u{200C}జ్", "ಹರ್ಟ್ಸ್\u{200C}", "ഹെർട്സ്",
    ]

    /// Rows by lower-case label; labels that Japanese and Chinese share belong to the same row.
    private static let rows: [String: ElectrocardiogramRow] = {
        var rows: [String: ElectrocardiogramRow] = [:]
        for language in allCases {
            for row in ElectrocardiogramRow.allCases {
                for label in language.labels(of: row) { rows[label.lowercased()] = row }
            }
        }
        return rows
    }()
}

/// The rows after the recorded date, in the order of the file.
package enum ElectrocardiogramRow: String, CaseIterable, Sendable {
    case classification, symptoms, softwareVersion, device, sampleRate, lead, unit
}
