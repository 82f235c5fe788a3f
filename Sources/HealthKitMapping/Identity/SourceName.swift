internal import Foundation
internal import HealthExport

/// A `sourceName` in the one form that identities and Devices use.
///
/// `Health`, `ヘルスケア` and `Здоровье` are one source: Apple's own app in the phone's language. Text is in Unicode's NFC,
/// and a no-break space is a space: versions of iOS write the same name either way. The lists are frozen with identity
/// scheme `pghd1`.
enum SourceName {
    /// Most bytes of a name, in UTF-8: no phone, app or person has a longer one, and the time that NFC takes grows with
    /// the square of a hostile one's length.
    static let maximumByteCount = 1024

    /// Whether an element, or one in it, has a longer name.
    static func isTooLong(in element: HealthElement) -> Bool {
        (element["sourceName"]?.utf8.count ?? 0) > maximumByteCount || element.children.contains { isTooLong(in: $0) }
    }

    /// The canonical form of `name`, such as `Alex’s Apple Watch` with plain spaces.
    static func canonical(_ name: String) -> String {
        // Text below the combining marks, apart from a phone's own apostrophes and dashes, is in NFC already.
        let isPlain = name.unicodeScalars.allSatisfy { scalar in
            (scalar.value < 0x300 && scalar.value != 0xA0) || (0x2010...0x2027).contains(scalar.value)
        }
        if isPlain { return localized[name] ?? name }
        let spaced = String(
            String.UnicodeScalarView(
                name.unicodeScalars.map { $0 == "\u{A0}" || $0 == "\u{202F}" ? " " : $0 }
            )
        )
        let text = spaced.precomposedStringWithCanonicalMapping
        return localized[text] ?? text
    }

    /// The English name of one of Apple's apps, by its name in any of iOS's languages.
    private static let localized = Dictionary(
        uniqueKeysWithValues: health.map { ($0, "Health") } + shortcuts.map { ($0, "Shortcuts") }
    )

    // docs/formats.md, "Names of Apple's apps". Only of apps that write samples without a device.
    private static let health = [
        "Health", "Salud", "Saúde", "Salute", "Santé", "Gezondheid", "Hälsa", "Sundhed", "Helse", "Terveys", "Zdrowie",
        "Zdraví", "Zdravie", "Egészség", "Sănătate", "Sağlık", "Υγεία", "Здоров’я", "Здоровʼя", "Здоровье", "Zdravlje",
        "Salut", "صحتي", "בריאות", "สุขภาพ", "Sức khỏe", "Kesehatan", "Kesihatan", "सेहत", "ヘルスケア", "健康", "건강",
    ]

    private static let shortcuts = [
        "Shortcuts", "Kurzbefehle", "Raccourcis", "Atajos", "Atalhos", "Comandi Rapidi", "Opdrachten", "Genvägar",
        "Genveje", "Snarveier", "Pikakomennot", "Skróty", "Zkratky", "Skratky", "Parancsok", "Scurtături",
        "Kestirmeler", "Συντομεύσεις", "Быстрые команды", "Швидкі команди", "Prečaci", "Dreceres",
        "الاختصارات", "קיצורים", "קיצורי דרך", "คำสั่งลัด", "Phím tắt", "Pintasan", "शॉर्टकट", "ショートカット", "快捷指令", "捷徑", "단축어",
    ]
}
