internal import FHIRR4
internal import HealthExport

/// One eye's lens of a prescription.
struct VisionLens {
    let eye: String
    private let element: HealthElement

    /// The lens of a `RightEye` or `LeftEye`; `nil` for any other element.
    init?(_ element: HealthElement) {
        guard element.name == .rightEye || element.name == .leftEye else { return nil }
        self.element = element
        eye = element.name == .rightEye ? "right" : "left"
    }

    /// Its part of a prescription's identity, such as `right.sphere=-1.25 D`.
    var identityValues: [String] {
        Self.attributes.compactMap { name in
            element[name].map { value in
                let unit = element[name + "Unit"]
                return "\(eye).\(name)=" + CorrelationChild.identityValue(type: "", unit: unit, value: value)
            }
        }
    }

    private static let attributes = [
        "sphere", "cylinder", "axis", "add", "vertex", "prismAmount", "prismAngle", "farPD", "baseCurve", "diameter",
    ]

    /// What is written as the distance of this eye's pupil from the nose when looking at something near.
    var nearPD: [String?] { [element["nearPD"], element["nearPDUnit"]] }

    /// The `lensSpecification`; `nil` if nothing is said about the eye.
    ///
    /// `rightNearPD` is the right eye's ``nearPD``: phones write it for both eyes, so for the left eye it is not what
    /// was prescribed.
    func specification(
        _ product: Coding,
        brand: String?,
        rightNearPD: [String?]?,
        _ mapped: inout MappedElement
    ) -> JSONValue? {
        var details: [JSONValue] = []
        let sphere = number("sphere", Self.dioptres, &mapped)
        let cylinder = number("cylinder", Self.dioptres, &mapped)
        let axis = axis(&details, &mapped)
        let prism = prism(&details, &mapped)
        let add = number("add", Self.dioptres, &mapped)
        let backCurve = number("baseCurve", Self.millimetres, &mapped)
        let diameter = number("diameter", Self.millimetres, &mapped)
        for name in ["vertex", "farPD", "nearPD"] {
            if name == "nearPD", eye == "left", nearPD == rightNearPD { continue }
            guard let value = number(name, Self.millimetres, &mapped) else { continue }
            details.append(Self.detail(name, value, unit: "mm", code: "mm"))
        }
        // R4 calls the sphere of a contact lens its power.
        let isContact = product.code == VisionPrescription.contact.code
        let values: [JSONValue.Member] = [
            .init("sphere", isContact ? nil : Self.decimal(sphere)), .init("cylinder", Self.decimal(cylinder)),
            .init("axis", Self.decimal(axis)), .init("prism", prism), .init("add", Self.decimal(add)),
            .init("power", isContact ? Self.decimal(sphere) : nil),
            .init("backCurve", Self.decimal(backCurve)), .init("diameter", Self.decimal(diameter)),
        ]
        guard !details.isEmpty || values.contains(where: { !$0.value.isAbsent }) else { return nil }
        let opening: [JSONValue.Member] = [
            .init("extension", [VisionPrescription.extension(ExtensionURL.visionLens, details)]),
            .init("product", .concept([product])),
            .init("eye", .string(eye)),
        ]
        return .object(opening + values + [.init("brand", JSONValue(brand))])
    }

    private static func decimal(_ text: String?) -> JSONValue { text.map { .number($0) } ?? nil }

    private static func detail(_ name: String, _ value: String, unit: String, code: String) -> JSONValue {
        ["url": .string(name), "valueQuantity": .quantity(value, unit: unit, code: code) ?? nil]
    }

    /// Apple's units for one FHIR unit, and how their numbers are converted to it.
    private static let dioptres = ["D": ValueConversion.asWritten]
    private static let prismDioptres = ["pD": ValueConversion.asWritten]
    private static let degrees = ["deg": ValueConversion.asWritten, "°": .asWritten, "rad": radians]
    private static let millimetres = ["mm": ValueConversion.asWritten, "cm": .shifted(by: 1), "m": .shifted(by: 3)]

    /// 180/π in 18 digits.
    private static let radians = ValueConversion.multiplied(
        by: ExactDecimal(digits: 572_957_795_130_823_209, exponent: -16)
    )

    /// An attribute in FHIR's unit, which FHIR does not write: a number in another unit would be wrong.
    private func number(
        _ name: String,
        _ units: [String: ValueConversion],
        _ mapped: inout MappedElement
    ) -> String? {
        guard let text = element[name] else { return nil }
        guard let value = ExactDecimal(text), let unit = element[name + "Unit"], let conversion = units[unit] else {
            mapped.unmapped.values.append(text)
            return nil
        }
        return conversion.text(of: value, asWritten: text)
    }

    /// Whole degrees, as FHIR demands; a fraction is kept in an extension.
    private func axis(_ details: inout [JSONValue], _ mapped: inout MappedElement) -> String? {
        guard let text = number("axis", Self.degrees, &mapped), let value = ExactDecimal(text) else { return nil }
        let (whole, isWhole) = value.degrees
        guard Int32(whole) != nil else {
            // Beyond R4's `integer`.
            mapped.unmapped.values.append(text)
            return nil
        }
        if !isWhole { details.append(Self.detail("axis", text, unit: "°", code: "deg")) }
        return whole
    }

    /// A prism whose base is up, down, in or out; any other is kept as amount and angle.
    private func prism(_ details: inout [JSONValue], _ mapped: inout MappedElement) -> JSONValue {
        let amount = number("prismAmount", Self.prismDioptres, &mapped)
        let angle = number("prismAngle", Self.degrees, &mapped)
        if let amount, ExactDecimal(amount)?.digits == 0 { return nil }
        if let amount, let angle, let base = base(angle) {
            return [["amount": .number(amount), "base": .string(base)]]
        }
        if let amount { details.append(Self.detail("prismAmount", amount, unit: "prism dioptres", code: "[p'diop]")) }
        if let angle { details.append(Self.detail("prismAngle", angle, unit: "°", code: "deg")) }
        return nil
    }

    /// The direction of a prism's base: counter-clockwise from the right of somebody who faces the patient, which is
    /// the patient's left.
    private func base(_ angle: String) -> String? {
        guard let (whole, isWhole) = ExactDecimal(angle)?.degrees, isWhole else { return nil }
        switch whole {
        case "0", "360": return eye == "right" ? "in" : "out"
        case "90": return "up"
        case "180": return eye == "right" ? "out" : "in"
        case "270": return "down"
        default: return nil
        }
    }
}

extension ExactDecimal {
    /// Rounded to whole degrees, and whether it was whole, apart from the noise of a conversion from radians: six
    /// digits of them, `1.5708`, are 90.0002°.
    fileprivate var degrees: (whole: String, isWhole: Bool) {
        let quiet = roundedHalfEven(toSignificantDigits: 5).withoutTrailingZeros()
        return (quiet.roundedHalfEven(toDecimals: 0).text, quiet.exponent >= 0)
    }
}
