internal import FHIRR4

/// The result of Apple's algorithm for an electrocardiogram: `HKElectrocardiogram.Classification`.
///
/// The export has it in the phone's language. Known words become Apple's number; all words stay as text.
///
/// Source: <https://developer.apple.com/documentation/healthkit/hkelectrocardiogram/classification>.
enum ElectrocardiogramClassification: Int {
    case sinusRhythm = 1
    case atrialFibrillation = 2
    case inconclusiveLowHeartRate = 3
    case inconclusiveHighHeartRate = 4
    case inconclusivePoorReading = 5
    case inconclusiveOther = 6
    case unrecognized = 100

    static let system = "https://developer.apple.com/documentation/healthkit/hkelectrocardiogram/classification"

    /// The case that a text means; `nil` if the text is not known.
    init?(text: String) {
        let text = text.lowercased().replacing(/[–—]/, with: "-")
        guard let known = Self.texts[text] ?? Self.findings[text] else { return nil }
        self = known
    }

    /// Apple's number, and its name in words.
    var coding: Coding { Coding(system: Self.system, code: String(rawValue), display: display) }

    private var display: String {
        switch self {
        case .sinusRhythm: "sinus rhythm"
        case .atrialFibrillation: "atrial fibrillation"
        case .inconclusiveLowHeartRate: "inconclusive low heart rate"
        case .inconclusiveHighHeartRate: "inconclusive high heart rate"
        case .inconclusivePoorReading: "inconclusive poor reading"
        case .inconclusiveOther: "inconclusive other"
        case .unrecognized: "unrecognized"
        }
    }

    /// `High Heart Rate - No Atrial Fibrillation Detected` is not here: Apple's number for it is not documented.
    private static let texts: [String: ElectrocardiogramClassification] = [
        "sinus rhythm": .sinusRhythm, "atrial fibrillation": .atrialFibrillation,
        "atrial fibrillation - high heart rate": .atrialFibrillation,
        "heart rate under 50": .inconclusiveLowHeartRate, "heart rate over 120": .inconclusiveHighHeartRate,
        "heart rate over 150": .inconclusiveHighHeartRate, "poor recording": .inconclusivePoorReading,
        "inconclusive": .inconclusiveOther, "unrecognized": .unrecognized,
        "sinusrhythmus": .sinusRhythm, "vorhofflimmern": .atrialFibrillation,
        "herzfrequenz unter 50": .inconclusiveLowHeartRate, "herzfrequenz über 120": .inconclusiveHighHeartRate,
        "herzfrequenz über 150": .inconclusiveHighHeartRate, "schlechte aufzeichnung": .inconclusivePoorReading,
        "uneindeutig": .inconclusiveOther, "nicht eindeutig": .inconclusiveOther,
        "洞調律": .sinusRhythm, "心房細動": .atrialFibrillation, "判定不能": .inconclusiveOther,
        "窦性心律": .sinusRhythm, "心房颤动": .atrialFibrillation, "房颤": .atrialFibrillation,
        "不确定": .inconclusiveOther, "竇性心律": .sinusRhythm, "心房顫動": .atrialFibrillation,
    ]

    /// The two findings in the other languages of the app for electrocardiograms.
    ///
    /// They are the medical terms there: an export that has one means it, whether Apple writes another one or not.
    private static let findings: [String: ElectrocardiogramClassification] = [
        "rythme sinusal": .sinusRhythm, "fibrillation auriculaire": .atrialFibrillation,
        "fibrillation atriale": .atrialFibrillation,
        "ritmo sinusal": .sinusRhythm, "fibrilación auricular": .atrialFibrillation,
        "fibrilação atrial": .atrialFibrillation, "fibrilação auricular": .atrialFibrillation,
        "fibrilhação auricular": .atrialFibrillation,
        "ritmo sinusale": .sinusRhythm, "fibrillazione atriale": .atrialFibrillation,
        "ritme sinusal": .sinusRhythm, "fibril·lació auricular": .atrialFibrillation,
        "ritm sinusal": .sinusRhythm, "fibrilație atrială": .atrialFibrillation,
        "sinusritme": .sinusRhythm, "boezemfibrilleren": .atrialFibrillation, "atriumfibrilleren": .atrialFibrillation,
        "sinusrytm": .sinusRhythm, "förmaksflimmer": .atrialFibrillation,
        "sinusrytme": .sinusRhythm, "atrieflimren": .atrialFibrillation, "atrieflimmer": .atrialFibrillation,
        "sinusrytmi": .sinusRhythm, "eteisvärinä": .atrialFibrillation,
        "rytm zatokowy": .sinusRhythm, "migotanie przedsionków": .atrialFibrillation,
        "sinusový rytmus": .sinusRhythm, "fibrilace síní": .atrialFibrillation,
        "sínusový rytmus": .sinusRhythm, "fibrilácia predsiení": .atrialFibrillation,
        "szinuszritmus": .sinusRhythm, "pitvarfibrilláció": .atrialFibrillation,
        "sinusni ritam": .sinusRhythm, "fibrilacija atrija": .atrialFibrillation,
        "синусовый ритм": .sinusRhythm, "фибрилляция предсердий": .atrialFibrillation,
        "синусовий ритм": .sinusRhythm, "фібриляція передсердь": .atrialFibrillation,
        "φλεβοκομβικός ρυθμός": .sinusRhythm, "κολπική μαρμαρυγή": .atrialFibrillation,
        "sinüs ritmi": .sinusRhythm, "atriyal fibrilasyon": .atrialFibrillation,
        "동리듬": .sinusRhythm, "심방세동": .atrialFibrillation,
    ]
}
