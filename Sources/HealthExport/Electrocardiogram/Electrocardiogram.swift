/// One electrocardiogram of an export, from its CSV file in `electrocardiograms`.
///
///     Name,
///     Date of Birth,"Jan 8, 1980"
///     Recorded Date,2024-06-16 09:31:02 +0100
///     Classification,Sinus Rhythm
///     Symptoms,
///     Software Version,1.90
///     Device,"Watch7,12"
///     Sample Rate,512 hertz
///
///
///     Lead,Lead I
///     Unit,µV
///
///     -265.868
///     …
///
/// Rows are recognized by their place and form, since labels and texts are in the phone's language and decimal marks
/// follow its region. The name and birth date are skipped: this value does not hold them.
package struct Electrocardiogram: Sendable, Equatable {
    /// When it was recorded, in seconds since 1970.
    package var recorded: Int64
    /// The watch's classification, in the phone's language, such as `Sinus Rhythm`; may be empty.
    package var classification: String
    /// The symptoms that the owner reported, in the phone's language; may be empty.
    package var symptoms: String
    /// The version of the watch's app, such as `1.90`; may be empty.
    package var softwareVersion: String
    /// The hardware that recorded it, such as `Watch7,12`; may be empty.
    package var device: String
    /// Samples a second, as a whole number scaled by `sampleRateDecimals`.
    package var sampleRate: UInt64
    /// How many decimals the rate has: 511562 with 3 is 511.562 Hz.
    package var sampleRateDecimals: Int
    /// The lead, such as `Lead I`; may be empty.
    package var lead: String
    /// The unit, such as `µV`; may be empty.
    package var unit: String
    /// How many rows before the samples have a value that is not read.
    package var otherRowCount: Int
    /// The voltages in `unit`, each times 10 to the power of `decimals`.
    package var samples: [Int64]
    /// How many decimals a sample has, at most 9: -265868 with 3 is -265.868.
    package var decimals: Int

    /// The most bytes of a file: 10 MiB, a hundred times the size of a 30-second recording.
    package static let maximumByteCount = 10 << 20
    /// The rates that are accepted, in whole Hz.
    static let sampleRates = 10...100_000

    /// Reads a CSV file.
    ///
    /// - Parameter bytes: the whole file; UTF-8, with or without a byte order mark.
    /// - Throws: ``ElectrocardiogramFault`` for the first fault that makes the file unusable.
    package init(_ bytes: [UInt8]) throws(ElectrocardiogramFault) {
        var lines = CSVLines(bytes[...])
        let header = try ElectrocardiogramHeader(&lines)
        recorded = header.recorded
        classification = header.classification
        symptoms = header.symptoms
        softwareVersion = header.softwareVersion
        device = header.device
        lead = header.lead
        unit = header.unit
        otherRowCount = header.otherRowCount
        (sampleRate, sampleRateDecimals) = try header.rate()
        (samples, decimals) = try Self.samples(&lines)
    }

    /// One voltage a line up to the end of the file, all scaled by one power of ten.
    private static func samples(_ lines: inout CSVLines) throws(ElectrocardiogramFault) -> ([Int64], Int) {
        var samples: [Int64] = []
        var decimals: [UInt8] = []
        var mark: UInt8?
        var hole: ElectrocardiogramFault?
        while let line = lines.next() {
            if CSVLines.isBlank(line) {
                // Blank lines may stand before and after the samples; one between them would shift all later ones.
                if !samples.isEmpty { hole = hole ?? lines.fault(.electrocardiogramSample) }
                continue
            }
            if let hole { throw hole }
            switch LocalizedDecimal.read(line) {
            case .number(let number):
                // A file has one decimal mark: another would separate thousands, or two samples.
                if let own = number.mark, own != mark ?? own { throw lines.fault(.electrocardiogramSample) }
                mark = mark ?? number.mark
                samples.append(number.digits)
                decimals.append(UInt8(number.decimals))
            case .several: throw lines.fault(.electrocardiogramColumns)
            case .other: throw lines.fault(.electrocardiogramSample)
            }
        }
        guard let most = decimals.max() else { throw lines.fault(.electrocardiogramEmpty) }
        for index in samples.indices where decimals[index] < most {
            for _ in decimals[index]..<most { samples[index] *= 10 }
        }
        return (samples, Int(most))
    }
}

/// Why a CSV file is not an electrocardiogram: what is wrong, and where in the file.
package struct ElectrocardiogramFault: Error, Equatable, Sendable {
    /// What is wrong.
    package var kind: Malformation.Kind
    /// Where its line begins, in bytes from the start of the file.
    package var byte: UInt64
    /// Its line, from 1.
    package var line: UInt64
}
