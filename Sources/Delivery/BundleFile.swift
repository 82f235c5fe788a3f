/// The Bundles that `pghd convert` wrote to a file, in its order: a Device stands before what refers to it.
public final class BundleFile {
    /// The patient that all of them speak of.
    public let patientID: String
    /// Whether resources are created by their identifiers, as the first Bundle tells.
    public let isConditional: Bool
    private let lines: LineReader
    private var first: BundleReader?

    /// Opens a file and reads its first Bundle, which is to name the patient; `-` is standard input.
    ///
    /// - Throws: ``DeliveryError``; `.noBundle` where there is none, `.noPatient` where the first one names none.
    public init(path: String) throws(DeliveryError) {
        lines = try LineReader(path: path)
        var first: BundleReader?
        while first == nil, let line = try lines.next() {
            if lines.number == 1, line.starts(with: [0x1F, 0x8B]) { throw .packedInput(path: lines.name) }
            if lines.number == 1, line.isOfExport { throw .exportInput(path: lines.name) }
            if !line.isBlank { first = try BundleReader(line, path: lines.name, number: lines.number) }
        }
        guard first != nil else { throw .noBundle(path: lines.name) }
        guard let patientID = first?.patientID else { throw .noPatient(path: lines.name) }
        self.patientID = patientID
        isConditional = first?.bundle.isConditional ?? false
        self.first = first
    }

    /// Hands all Bundles to `delivery`, and finishes it; for one run, since the file is then read.
    ///
    /// - Parameters:
    ///   - delivery: takes them.
    ///   - progress: called behind each with the bytes that were read, and how many there are; `nil` where nobody knows.
    /// - Throws: ``DeliveryError``, `.finished` where it was sent before and `.severalPatients` where the delivery is
    ///   another patient's; or the authorizer's error.
    public func send(to delivery: Delivery, progress: (UInt64, UInt64?) -> Void = { _, _ in }) throws {
        let result = Result {
            guard first != nil else { throw DeliveryError.finished }
            guard patientID == delivery.patientID else {
                throw DeliveryError.severalPatients(path: lines.name, line: lines.number)
            }
            while let next = try next(isStopped: { delivery.isStopped }) {
                try delivery.add(next.bundle)
                progress(lines.byteCount, lines.totalByteCount)
            }
        }
        try delivery.finish(isComplete: (try? result.get()) != nil)
        try result.get()
    }

    private func next(isStopped: () -> Bool) throws(DeliveryError) -> BundleReader? {
        if let first {
            self.first = nil
            return first
        }
        while let line = try lines.next(isStopped: isStopped) {
            guard !line.isBlank else { continue }
            let reader = try BundleReader(line, path: lines.name, number: lines.number)
            guard reader.patientID == nil || reader.patientID == patientID else {
                throw .severalPatients(path: lines.name, line: lines.number)
            }
            guard reader.bundle.isConditional == isConditional else {
                throw .severalForms(path: lines.name, line: lines.number)
            }
            return reader
        }
        return nil
    }
}

extension [UInt8] {
    /// Whether they begin a zip or XML.
    fileprivate var isOfExport: Bool { starts(with: [0x50, 0x4B, 3, 4]) || starts(with: "<".utf8) }

    fileprivate var isBlank: Bool { allSatisfy { [0x20, 0x0A, 0x0D, 0x09].contains($0) } }
}
