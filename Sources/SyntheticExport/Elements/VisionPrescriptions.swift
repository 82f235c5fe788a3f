/// Prescriptions for glasses and, on the same day, for contact lenses.
struct VisionPrescriptions {
    let person: Person

    private static let occasions = Occasions(
        stream: "eyes",
        period: 728,
        least: 1,
        since: Introduction.visionPrescriptions
    )

    func write(_ days: DayRange, to writer: inout ElementWriter) {
        for (day, number) in Self.occasions.all(of: person, in: days) {
            let issued = person.zone.startOfDay(day) + 52_200
            // In quarters of a dioptre: one worse each time, and after four times from the start again.
            let right = 5 + RandomSequence.once(seed: person.seed, stream: "right eye", below: 4) + number % 4
            open("glasses", issued: issued, brand: nil, to: &writer)
            writeGlasses("RightEye", sphere: right, axis: 90, pupil: 315, to: &writer)
            writeGlasses("LeftEye", sphere: right + 1, axis: 85, pupil: 320, to: &writer)
            writer.timeZoneEntry()
            writer.bytes.append(" </VisionPrescription>\n")
            open("contacts", issued: issued + 900, brand: "Clear as Day", to: &writer)
            writeContact("RightEye", sphere: right - 1, to: &writer)
            writeContact("LeftEye", sphere: right, to: &writer)
            writer.timeZoneEntry()
            writer.bytes.append(" </VisionPrescription>\n")
        }
    }

    private func open(_ kind: StaticString, issued: Int, brand: StaticString?, to writer: inout ElementWriter) {
        writer.bytes.append(" <VisionPrescription type=\"")
        writer.bytes.append(kind)
        writer.bytes.append("\" dateIssued=\"")
        writer.date(issued)
        writer.bytes.append("\" expirationDate=\"")
        writer.date(issued + 728 * 86_400)
        if let brand {
            writer.bytes.append("\" brand=\"")
            writer.bytes.append(brand)
        }
        writer.bytes.append("\">\n")
    }

    /// Writes an eye's lens; `sphere` is in quarters of a dioptre, `pupil` in tenths of a millimetre.
    private func writeGlasses(
        _ eye: StaticString,
        sphere: Int,
        axis: Int,
        pupil: Int,
        to writer: inout ElementWriter
    ) {
        writeSphere(eye, sphere, to: &writer)
        writer.bytes.append("\" cylinder=\"-0.5\" cylinderUnit=\"D\" axis=\"")
        writer.bytes.append(axis)
        writer.bytes.append("\" axisUnit=\"deg\" vertex=\"12\" vertexUnit=\"mm\" prismAmount=\"0.5")
        writer.bytes.append("\" prismAmountUnit=\"pD\" prismAngle=\"180\" prismAngleUnit=\"deg\" farPD=\"")
        writer.bytes.append(FixedPoint(pupil, decimals: 1))
        writer.bytes.append("\" farPDUnit=\"mm\" nearPD=\"")
        writer.bytes.append(FixedPoint(pupil - 15, decimals: 1))
        writer.bytes.append("\" nearPDUnit=\"mm\"/>\n")
    }

    private func writeContact(_ eye: StaticString, sphere: Int, to writer: inout ElementWriter) {
        writeSphere(eye, sphere, to: &writer)
        writer.bytes.append("\" baseCurve=\"8.6\" baseCurveUnit=\"mm\" diameter=\"14.2\" diameterUnit=\"mm\"/>\n")
    }

    private func writeSphere(_ eye: StaticString, _ quarters: Int, to writer: inout ElementWriter) {
        writer.bytes.append("  <")
        writer.bytes.append(eye)
        writer.bytes.append(" sphere=\"-")
        writer.bytes.append(FixedPoint(quarters * 25, decimals: 2))
        writer.bytes.append("\" sphereUnit=\"D")
    }
}
