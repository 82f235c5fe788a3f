/// Who wrote a sample: one of Apple's devices, Apple's Health app, or an invented third-party app.
enum Source: UInt64 {
    case phone, watch, health, scale, cuff, glucoseMeter, kitchen, meditation
    // Only in the shape `full`.
    case spirometer, hearingTest, toothbrush

    /// The source's attributes in the samples of a day, given in days since 1970.
    func text(on day: Int, shape: SyntheticExport.Shape) -> SourceText {
        let name = name(in: shape)
        switch self {
        case .phone: return Self.text(name, SoftwareEra.phone, on: day)
        case .watch: return Self.text(name, SoftwareEra.watch, on: day)
        case .health: return SourceText(name: name, version: SoftwareEra.at(day, in: SoftwareEra.phone).version)
        case .scale: return SourceText(name: name, version: "4.12.1")
        case .cuff: return SourceText(name: name, version: "2.0.7")
        case .glucoseMeter: return SourceText(name: name, version: "310")
        case .kitchen: return SourceText(name: name, version: "9.4.0")
        case .meditation: return SourceText(name: name, version: "1.31")
        case .spirometer: return SourceText(name: name, version: "3.4")
        case .hearingTest: return SourceText(name: name, version: "2.1.0")
        case .toothbrush: return SourceText(name: name, version: "7.0.3")
        }
    }

    /// The source's name, which Apple writes with U+2019 after the owner's and U+00A0 inside the product's.
    private func name(in shape: SyntheticExport.Shape) -> StaticString {
        let isPlain = !shape.isApples
        switch self {
        case .phone: return isPlain ? "iPhone" : "Alex\u{2019}s iPhone"
        case .watch: return isPlain ? "Apple Watch" : "Alex\u{2019}s Apple\u{A0}Watch"
        case .health: return "Health"
        case .scale: return isPlain ? "Weigh and Well" : "Weigh &amp; Well"
        case .cuff: return "Tensio"
        case .glucoseMeter: return "Sugar Diary"
        case .kitchen: return "Kitchen Log"
        case .meditation: return "Still"
        case .spirometer: return "Deep Breath"
        case .hearingTest: return "Tone by Tone"
        case .toothbrush: return "Two Minutes"
        }
    }

    private static func text(_ name: StaticString, _ eras: [SoftwareEra], on day: Int) -> SourceText {
        let era = SoftwareEra.at(day, in: eras)
        return SourceText(name: name, version: era.version, device: era.device)
    }
}

/// A source's attributes, in which `&` and `<` are already escaped.
struct SourceText {
    let name: StaticString
    let version: StaticString
    /// What follows the pointer in `device`, up to the software version; `nil` for apps.
    var device: StaticString?
}

/// A span of days in which a device ran one version of its software.
struct SoftwareEra {
    /// The first day, in days since 1970.
    let start: Int
    let version: StaticString
    let device: StaticString
    /// The model, such as `Watch7,1`, which `device` contains too.
    let hardware: StaticString

    /// The era of a day; days before the first era belong to that one.
    static func at(_ day: Int, in eras: [SoftwareEra]) -> SoftwareEra {
        eras.last { $0.start <= day } ?? eras[0]
    }

    private typealias Model = (hardware: StaticString, device: StaticString)

    private init(_ year: Int, _ month: Int, _ day: Int, _ version: StaticString, _ model: Model) {
        start = CalendarDate(year: year, month: month, day: day).daysSince1970
        self.version = version
        (hardware, device) = model
    }

    static let phone: [SoftwareEra] = [
        .init(2018, 10, 30, "12.1", phone10), .init(2019, 7, 22, "12.4", phone10),
        .init(2019, 12, 10, "13.3", phone10), .init(2020, 7, 15, "13.6", phone10),
        .init(2020, 11, 14, "14.2", phone13), .init(2021, 5, 24, "14.6", phone13),
        .init(2021, 10, 25, "15.1", phone13), .init(2022, 5, 16, "15.5", phone13),
        .init(2022, 10, 24, "16.1", phone15), .init(2023, 5, 18, "16.5", phone15),
        .init(2023, 10, 4, "17.0.3", phone15), .init(2023, 12, 19, "17.2.1", phone15),
        .init(2024, 3, 21, "17.4.1", phone15), .init(2024, 5, 20, "17.5.1", phone15),
    ]

    static let watch: [SoftwareEra] = [
        .init(2018, 11, 5, "5.1.1", watch4), .init(2019, 7, 22, "5.3", watch4),
        .init(2019, 12, 10, "6.1.1", watch4), .init(2020, 7, 15, "6.2.8", watch4),
        .init(2020, 11, 14, "7.1", watch6), .init(2021, 5, 24, "7.5", watch6),
        .init(2021, 10, 25, "8.1", watch6), .init(2022, 5, 16, "8.6", watch6),
        .init(2022, 10, 24, "9.1", watch6), .init(2023, 5, 18, "9.5", watch6),
        .init(2023, 10, 4, "10.0.2", watch6), .init(2024, 1, 6, "10.2", watch7),
        .init(2024, 3, 21, "10.4", watch7), .init(2024, 5, 20, "10.5", watch7),
    ]

    private static let phone10: Model = (
        "iPhone10,6", ", name:iPhone, manufacturer:Apple, model:iPhone, hardware:iPhone10,6, software:"
    )
    private static let phone13: Model = (
        "iPhone13,2", ", name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone13,2, software:"
    )
    private static let phone15: Model = (
        "iPhone15,2", ", name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone15,2, software:"
    )
    private static let watch4: Model = (
        "Watch4,2", ", name:Apple Watch, manufacturer:Apple, model:Watch, hardware:Watch4,2, software:"
    )
    private static let watch6: Model = (
        "Watch6,2", ", name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,2, software:"
    )
    private static let watch7: Model = (
        "Watch7,1", ", name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch7,1, software:"
    )
}
