/// The rows before an electrocardiogram's samples.
///
/// Ten rows in a fixed order: name, birth date, recorded date, classification, symptoms, software version, device,
/// sample rate, lead, unit. The recorded date is recognized by its form, which is the same in every language, and the
/// rows after it by their place. If there are more or fewer of them, or if a label or the word for hertz shows another
/// order, labels and the forms of values decide.
struct ElectrocardiogramHeader {
    private typealias Field = ElectrocardiogramRow

    /// The rows in which the recorded date may be.
    private static let dateRows = 1..<5
    private static let usualCount = 10
    private static let maximumRowCount = 20
    /// A longer line is not a header row.
    private static let maximumRowByteCount = 4096

    let recorded: Int64
    /// How many rows have a value that is not read, other than name and birth date.
    let otherRowCount: Int
    private let values: [Field: String]
    /// The fault to throw if the sample rate is wrong.
    private let rateFault: ElectrocardiogramFault

    var classification: String { values[.classification] ?? "" }
    var symptoms: String { values[.symptoms] ?? "" }
    var softwareVersion: String { values[.softwareVersion] ?? "" }
    var device: String { values[.device] ?? "" }
    var lead: String { values[.lead] ?? "" }
    var unit: String { values[.unit] ?? "" }

    /// Whether a file that begins with these bytes is an electrocardiogram: one of its first rows, but not the very
    /// first, has a date and time, and no other of them has.
    static func begins(_ head: [UInt8]) -> Bool {
        var lines = CSVLines(head[...])
        let rows = rows(&lines)
        return dateRow(of: rows.map(\.row)) != nil
    }

    /// Reads the rows and leaves `lines` at the samples.
    init(_ lines: inout CSVLines) throws(ElectrocardiogramFault) {
        var sampleLines = lines
        let rows = Self.rows(&sampleLines)
        guard let date = Self.dateRow(of: rows.map(\.row)), let recorded = ExportDate.seconds(rows[date].row.value)
        else {
            _ = lines.next()
            throw lines.fault(.electrocardiogramHeader)
        }
        lines = sampleLines
        self.recorded = recorded
        // A row before the date without a known label may be a person's name: it is counted at most.
        let before = rows[..<date].filter { ElectrocardiogramLanguage.row(labelled: $0.row.label) != nil }
        let telling = before + rows[date...].dropFirst()
        let places = Self.places(in: telling.map(\.row), isUsual: before.isEmpty)
        values = places.mapValues { telling[$0].row.value }
        let unlabelled = rows[..<date].dropFirst(2).count { row in
            !row.row.value.isEmpty && ElectrocardiogramLanguage.row(labelled: row.row.label) == nil
        }
        otherRowCount =
            unlabelled + telling.indices.count { !places.values.contains($0) && !telling[$0].row.value.isEmpty }
        rateFault = places[.sampleRate].map { telling[$0].fault } ?? rows[date].fault
    }

    /// The sample rate as a whole number and its decimals.
    func rate() throws(ElectrocardiogramFault) -> (UInt64, Int) {
        guard let number = values[.sampleRate].flatMap({ LocalizedDecimal.leading($0) }), number.digits > 0 else {
            throw rateFault
        }
        var whole = number.digits
        for _ in 0..<number.decimals { whole /= 10 }
        guard Electrocardiogram.sampleRates.contains(Int(whole)) else { throw rateFault }
        return (UInt64(number.digits), number.decimals)
    }

    /// The rows up to the first line that is, or begins with, a number.
    private static func rows(_ lines: inout CSVLines) -> [(row: CSVRow, fault: ElectrocardiogramFault)] {
        var rows: [(row: CSVRow, fault: ElectrocardiogramFault)] = []
        var ahead = lines
        while rows.count < maximumRowCount, let line = ahead.next() {
            if !CSVLines.isBlank(line) {
                if line.count > maximumRowByteCount { break }
                let row = CSVRow(line)
                if LocalizedDecimal.read(line) != .other || LocalizedDecimal.read(Array(row.label.utf8)[...]) != .other
                {
                    break
                }
                if rows.count >= usualCount, !row.hasValue { break }
                rows.append((row, ahead.fault(.electrocardiogramRate)))
            }
            lines = ahead
        }
        return rows
    }

    private static func dateRow(of rows: [CSVRow]) -> Int? {
        let dated = rows.indices.filter { ExportDate.seconds(rows[$0].value) != nil }
        guard let row = dated.first, dateRows.contains(row), !dated.dropFirst().contains(where: dateRows.contains)
        else {
            return nil
        }
        return row
    }

    /// The index in `rows` of each field; `isUsual` says that all rows are from after the recorded date.
    private static func places(in rows: [CSVRow], isUsual: Bool) -> [Field: Int] {
        if isUsual, let order = usualOrder(of: rows) { return Dictionary(uniqueKeysWithValues: zip(order, 0...)) }
        var places: [Field: Int] = [:]
        for (index, row) in rows.enumerated() {
            guard let field = ElectrocardiogramLanguage.row(labelled: row.label), places[field] == nil else { continue }
            places[field] = index
        }
        func find(_ field: Field, where isIt: (CSVRow) -> Bool) {
            guard places[field] == nil, let index = rows.indices.first(where: { isIt(rows[$0]) }) else { return }
            if !places.values.contains(index) { places[field] = index }
        }
        // A plain number may be a pulse or a duration, and a wrong rate would stretch the lead.
        if rows.count(where: { isRate($0.value) }) == 1 { find(.sampleRate) { isRate($0.value) } }
        find(.unit) { microvoltTexts.contains($0.value) }
        find(.device) { DeviceText.isAppleModel($0.value) }
        if places[.classification] == nil, !rows.isEmpty, !places.values.contains(0) { places[.classification] = 0 }
        return places
    }

    /// The fields of the seven rows, or of six without the device's, which a phone leaves out if it doesn't know the
    /// watch; `nil` if labels or the word for hertz show another order.
    private static func usualOrder(of rows: [CSVRow]) -> [Field]? {
        let orders = [Field.allCases, Field.allCases.filter { $0 != .device }]
        guard let order = orders.first(where: { $0.count == rows.count }) else { return nil }
        let isIt = zip(rows, order).allSatisfy { row, field in
            (ElectrocardiogramLanguage.row(labelled: row.label) ?? field) == field
                && (field == .sampleRate ? order.contains(.device) || isRate(row.value) : !isRate(row.value))
        }
        return isIt ? order : nil
    }

    /// Whether a text is a number of hertz, in any language whose word for the unit is known: `511,562 Hertz`.
    private static func isRate(_ text: String) -> Bool {
        LocalizedDecimal.leading(text) != nil
            && ElectrocardiogramLanguage.hertz.contains { text.lowercased().contains($0) }
    }

    /// `µV` with the micro sign, `μV` with the Greek letter, and `uV`.
    static let microvoltTexts: Set<String> = ["\u{B5}V", "\u{3BC}V", "uV"]
}

extension Electrocardiogram {
    /// Whether the unit is the microvolt, in any of its spellings.
    package var isInMicrovolts: Bool { ElectrocardiogramHeader.microvoltTexts.contains(unit) }

    /// Whether `device` has the form of Apple's model names, such as `Watch7,12`.
    package var isDeviceHardware: Bool { DeviceText.isAppleModel(device) }

    /// Whether the lead is lead I, in any language that writes it with a Roman numeral: `Ableitung I`.
    package var isLeadI: Bool {
        guard lead.utf8.last == UInt8(ascii: "I") else { return false }
        // A letter before it would make it another lead: `II`, `VI`.
        return lead.utf8.dropLast().last.map { !(($0 | 0x20) &- UInt8(ascii: "a") < 26) } ?? true
    }
}
