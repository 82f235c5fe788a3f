internal import TransactionBundling

/// The Bundles that `pghd convert` wrote to a file, or with `--split` to a folder, packed or not, in its order: a
/// Device comes before what refers to it.
public final class BundleFile {
    /// The patient that all of them are about.
    public let patientID: String
    /// Whether resources are created by their identifiers, as in the first Bundle.
    public let isConditional: Bool
    private let places: BundlePlaces
    private var lines: LineReader
    /// How many files were begun, and how many bytes are in those that were read to their end.
    private var begunCount = 1
    private var readByteCount: UInt64 = 0
    private var first: BundleReader?

    /// Opens a file or folder and reads its first Bundle, which must name the patient; `-` is standard input.
    ///
    /// - Throws: ``DeliveryError``; `.noBundle` if there is none, `.noPatient` if the first one names none.
    public convenience init(path: String) throws(DeliveryError) { try self.init(BundlePlaces(path: path)) }

    private init(_ places: BundlePlaces) throws(DeliveryError) {
        self.places = places
        guard let start = places.paths.first else { throw .noBundle(path: places.name) }
        lines = try places.lines(of: start)
        var first: BundleReader?
        while first == nil, let line = try lines.next() {
            if lines.number == 1, line.isOfExport { throw .exportInput(path: lines.name) }
            if !line.isBlank { first = try BundleReader(line, path: lines.name, number: lines.number) }
        }
        guard first != nil else {
            throw places.isFolder ? .foreignBundle(path: start) : .noBundle(path: lines.name)
        }
        guard let patientID = first?.patientID else { throw .noPatient(path: lines.name) }
        self.patientID = patientID
        isConditional = first?.bundle.isConditional ?? false
        self.first = first
    }

    /// Hands all Bundles to `delivery` and finishes it; works once, since the file is then read.
    ///
    /// Nothing is sent of a packed file that is not whole, or of a folder in which a Bundle is missing or damaged: all
    /// of it is read first. Only input from a pipe is sent as far as it goes.
    ///
    /// - Parameters:
    ///   - delivery: takes them.
    ///   - progress: called after each with the bytes read and how many there are; `nil` if nobody knows.
    /// - Throws: ``DeliveryError``, `.finished` if it was sent before and `.severalPatients` if the delivery is another
    ///   patient's; or the authorizer's error.
    @available(*, noasync, message: "it blocks: call it in OwnThread.run")
    public func send(to delivery: Delivery, progress: (UInt64, UInt64?) -> Void = { _, _ in }) throws {
        let result = Result {
            guard first != nil else { throw DeliveryError.finished }
            guard patientID == delivery.patientID else {
                throw DeliveryError.severalPatients(path: lines.name, line: lines.number)
            }
            try check { delivery.isStopped }
            let total = places.isFolder ? places.totalByteCount : lines.totalByteCount
            while let next = try next(isStopped: { delivery.isStopped }) {
                try delivery.add(next.bundle)
                progress(readByteCount + lines.byteCount, total)
            }
        }
        try delivery.finish(isComplete: (try? result.get()) != nil)
        try result.get()
    }

    /// Checks that what is to be sent is whole: only the end of gzip shows that what came before is not what was
    /// packed.
    private func check(_ isStopped: () -> Bool) throws(DeliveryError) {
        guard places.isFolder else {
            if lines.isPacked { try checkSums(of: places.paths[0], isStopped) }
            return
        }
        let all = try BundleFile(places)
        while try all.next(isStopped: isStopped) != nil {
            if isStopped() { throw .interrupted }
        }
    }

    private func checkSums(of path: String, _ isStopped: () -> Bool) throws(DeliveryError) {
        // A pipe can be read only once.
        guard BundlePlaces.isRegular(path) ?? false else { return }
        let input = try InputBytes(path: path)
        var room = [UInt8](repeating: 0, count: 1 << 18)
        while try input.read(into: &room, at: 0, isStopped) > 0 {
            if isStopped() { throw .interrupted }
        }
    }

    private func next(isStopped: () -> Bool) throws(DeliveryError) -> BundleReader? {
        if let first {
            self.first = nil
            try checkPlace(of: first, isStopped)
            return first
        }
        while let line = try nextLine(isStopped) {
            guard !line.isBlank else { continue }
            let reader = try BundleReader(line, path: lines.name, number: lines.number)
            guard reader.patientID == nil || reader.patientID == patientID else {
                throw .severalPatients(path: lines.name, line: lines.number)
            }
            guard reader.bundle.isConditional == isConditional else {
                throw .severalForms(path: lines.name, line: lines.number)
            }
            try checkPlace(of: reader, isStopped)
            return reader
        }
        return nil
    }

    /// In a folder, a file holds one Bundle, which it is named after, and nothing else.
    private func checkPlace(of reader: BundleReader, _ isStopped: () -> Bool) throws(DeliveryError) {
        guard places.isFolder else { return }
        let name = lines.name.split(separator: "/").last ?? ""
        guard name.hasPrefix(reader.bundle.key + "."), try lines.next(isStopped: isStopped) == nil else {
            throw .foreignBundle(path: lines.name)
        }
    }

    /// The next line of this file, or of the next one.
    private func nextLine(_ isStopped: () -> Bool) throws(DeliveryError) -> [UInt8]? {
        if let line = try lines.next(isStopped: isStopped) { return line }
        guard begunCount < places.paths.count else { return nil }
        readByteCount += lines.byteCount
        let path = places.paths[begunCount]
        guard BundlePlaces.isRegular(path) ?? true else { throw .foreignBundle(path: path) }
        lines = try places.lines(of: path)
        begunCount += 1
        guard let line = try lines.next(isStopped: isStopped), !line.isBlank else { throw .foreignBundle(path: path) }
        return line
    }
}

extension [UInt8] {
    /// Whether they begin a zip or XML.
    fileprivate var isOfExport: Bool { starts(with: [0x50, 0x4B, 3, 4]) || starts(with: "<".utf8) }

    fileprivate var isBlank: Bool { allSatisfy { [0x20, 0x0A, 0x0D, 0x09].contains($0) } }
}
