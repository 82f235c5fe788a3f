internal import CISAL
internal import FHIRR4
internal import OpenSSLCrypto
internal import TransactionBundling

/// A Bundle that `pghd convert` wrote, read from its line.
///
///     {"resourceType":"Bundle","identifier":{"system":"urn:uuid:0b…","value":"KEY"},"type":"transaction","entry":[…]}
///
/// Takes it as it stands: the bytes of the line are what is sent. Its entries create or update what `convert` writes,
/// and name one patient: a deletion, an operation, another type or another server's URL is refused, since it would be
/// sent with the token. An entry's digest is the CRC-64 of its bytes: they do not show what an export's digest is made
/// of, and a cryptographic hash would cost a fifth more CPU time.
struct BundleReader {
    /// The Bundle.
    let bundle: TransactionBundle
    /// The patient it is about; `nil` if it names none, such as a Bundle of Devices without a patient.
    let patientID: String?

    /// Reads one line.
    ///
    /// - Parameters:
    ///   - line: the bytes, with or without a line feed at the end.
    ///   - path: the file, for errors.
    ///   - number: the line's number, for errors.
    ///   - isOwn: whether a run made it, with requests that `convert` does not write: updates by an identifier, or by
    ///     the server's id.
    /// - Throws: ``DeliveryError/notABundle(path:line:)``, ``DeliveryError/resourceInput(path:line:)``,
    ///   ``DeliveryError/severalPatients(path:line:)``.
    init(_ line: [UInt8], path: String, number: Int, isOwn: Bool = false) throws(DeliveryError) {
        var reading = Reading(isOwn: isOwn)
        let isWhole: Bool
        do throws(JSONFault) {
            var scanner = JSONScanner(line)
            reading.line = line
            try scanner.readMembers { (name, scanner) throws(JSONFault) in try reading.read(name, &scanner) }
            isWhole = scanner.isAtEnd()
        } catch {
            isWhole = false
        }
        // Another resource may use a Bundle's names for values of another form, and then is not read to its end.
        if let type = reading.resourceType, type != "Bundle" { throw .resourceInput(path: path, line: number) }
        guard isWhole, reading.isTransaction, let key = reading.key else { throw .notABundle(path: path, line: number) }
        guard reading.patients.count <= 1 else { throw .severalPatients(path: path, line: number) }
        bundle = TransactionBundle(key: key, body: line, entries: reading.entries)
        patientID = reading.patients.first
    }
}

/// What is collected on the way through a Bundle.
private struct Reading {
    let isOwn: Bool
    var resourceType: String?
    var isTransaction = false
    var key: String?
    var entries: [TransactionBundle.Entry] = []
    var line: [UInt8] = []
    var patients: Set<String> = []
    /// The last subject's reference: the next one is nearly always the same.
    private var lastSubject: ArraySlice<UInt8> = []

    private var names = Names()

    init(isOwn: Bool) { self.isOwn = isOwn }

    mutating func read(_ name: JSONText, _ scanner: inout JSONScanner) throws(JSONFault) {
        switch name {
        case "resourceType":
            try names.note(0, at: scanner)
            resourceType = try scanner.readScalar()
        case "type":
            try names.note(1, at: scanner)
            isTransaction = try scanner.readScalar() == "transaction"
        case "identifier":
            try names.note(2, at: scanner)
            try readIdentifier(&scanner)
        case "entry":
            try names.note(3, at: scanner)
            try scanner.readList { (scanner) throws(JSONFault) in try readEntry(&scanner) }
        default: try scanner.skipValue()
        }
    }

    private mutating func readIdentifier(_ scanner: inout JSONScanner) throws(JSONFault) {
        var system: String?
        var value: String?
        try scanner.readMembers { (name, scanner) throws(JSONFault) in
            switch name {
            case "system": system = try scanner.readScalar()
            case "value": value = try scanner.readScalar()
            default: try scanner.skipValue()
            }
        }
        if let value, system == BundleKey.identifierSystem, BundleKey.isKey(value) { key = value }
    }

    private mutating func readEntry(_ scanner: inout JSONScanner) throws(JSONFault) {
        var request = Request()
        var (resourceType, resourceID): (JSONText?, JSONText?)
        var hasSubject = false
        var (names, resourceNames) = (Names(), Names())
        let start = scanner.nextStart()
        try scanner.readMembers { (name, scanner) throws(JSONFault) in
            switch name {
            case "request":
                try names.note(0, at: scanner)
                try request.read(&scanner, isOwn: isOwn)
            case "resource":
                try names.note(1, at: scanner)
                try scanner.readMembers { (name, scanner) throws(JSONFault) in
                    switch name {
                    case "resourceType":
                        try resourceNames.note(0, at: scanner)
                        resourceType = try scanner.readTextIfAny()
                    case "id":
                        try resourceNames.note(1, at: scanner)
                        resourceID = try scanner.readTextIfAny()
                    case "subject", "patient": hasSubject = try readSubject(&scanner) || hasSubject
                    default: try scanner.skipValue()
                    }
                }
            default:
                guard isOwn || name == "fullUrl" else { throw JSONFault(byte: scanner.position) }
                try scanner.skipValue()
            }
        }
        let (url, condition) = (request.url, request.condition)
        guard condition == nil || ConditionalRequest.isOurs(line[start..<scanner.position]) else {
            throw JSONFault(byte: start)
        }
        let target = try RequestTarget(url: url, condition: condition)
        let id = target.type == .patient ? .ofPatient(target.id) : ResourceID(utf8: target.id)
        guard
            isOwn
                || (target.isMade(by: request.method) && id != nil
                    && (hasSubject || !(target.type?.hasSubject ?? false))
                    && resourceType?.isText(target.type?.name) == true
                    && (target.isConditional || resourceID?.bytes.elementsEqual(target.id) == true))
        else { throw JSONFault(byte: start) }
        if target.type == .patient { patients.insert(String(decoding: target.id, as: UTF8.self)) }
        var member: BundleMember?
        if let type = target.type, let id {
            // A Device has none, since a different Device has a different id.
            let digest = type == .device ? nil : line.checksum(start..<scanner.position)
            member = BundleMember(
                id: id,
                digest: digest,
                rank: digest == nil ? 0 : BundleMember.rankOfBytes,
                type: type
            )
        }
        entries.append(TransactionBundle.Entry(member: member, range: start..<scanner.position))
    }

    /// - Returns: whether it names a Patient.
    private mutating func readSubject(_ scanner: inout JSONScanner) throws(JSONFault) -> Bool {
        var isPatient = false
        try scanner.readMember("reference") { (scanner) throws(JSONFault) in
            guard let text = try scanner.readTextIfAny() else { return }
            isPatient = true
            guard text.bytes != lastSubject else { return }
            lastSubject = text.bytes
            let reference = try text.string()
            guard reference.hasPrefix("Patient/") else {
                if isOwn { return }
                throw JSONFault(byte: scanner.position)
            }
            patients.insert(String(reference.dropFirst("Patient/".count)))
        }
        return isPatient
    }
}

/// The names an object has had: of two members with one name, one reader takes the first, another the second.
private struct Names {
    private var seen: UInt8 = 0

    mutating func note(_ number: UInt8, at scanner: JSONScanner) throws(JSONFault) {
        guard seen & 1 << number == 0 else { throw JSONFault(byte: scanner.position) }
        seen |= 1 << number
    }
}

/// What an entry asks for.
private struct Request {
    var method: JSONText?
    var url: JSONText?
    var condition: JSONText?

    mutating func read(_ scanner: inout JSONScanner, isOwn: Bool) throws(JSONFault) {
        var names = Names()
        try scanner.readMembers { (name, scanner) throws(JSONFault) in
            switch name {
            case "method":
                try names.note(0, at: scanner)
                method = try scanner.readTextIfAny()
            case "url":
                try names.note(1, at: scanner)
                url = try scanner.readTextIfAny()
            case "ifNoneExist":
                try names.note(2, at: scanner)
                condition = try scanner.readTextIfAny()
            // With it, a Patient that is there stays as it is.
            case "ifNoneMatch":
                try names.note(3, at: scanner)
                try scanner.skipValue()
            default:
                guard isOwn else { throw JSONFault(byte: scanner.position) }
                try scanner.skipValue()
            }
        }
    }
}

extension ResourceType {
    /// Whether it must say whose it is; older Devices do not.
    fileprivate var hasSubject: Bool { self != .device && self != .patient }
}

/// What an entry's request is about: `Observation/h…`, `Observation?identifier=SYSTEM|h…`, or `identifier=SYSTEM|h…`
/// with `Observation`.
private struct RequestTarget {
    var type: ResourceType?
    var id: ArraySlice<UInt8> = []
    /// Whether the server chooses the id.
    let isConditional: Bool
    /// Whether the URL is just the type, or the type and an id.
    private var isPlain = false

    private static let observation = Array("Observation/".utf8)

    init(url: JSONText?, condition: JSONText?) throws(JSONFault) {
        isConditional = condition != nil
        let url = try url?.unescapedBytes() ?? []
        // A shortcut for nearly all of them.
        if condition == nil, url.starts(with: Self.observation),
            url.count == Self.observation.count + ResourceID.byteCount
        {
            (type, isPlain) = (.observation, true)
            id = url.dropFirst(Self.observation.count)
            return
        }
        let halves = url.split(separator: UInt8(ascii: "?"), maxSplits: 1)
        let parts = halves.first?.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) ?? []
        isPlain = halves.count == 1 && parts.count == (isConditional ? 1 : 2)
        type = parts.first.flatMap { part in ResourceType.allCases.first { $0.name.utf8.elementsEqual(part) } }
        let query = try condition?.unescapedBytes()[...] ?? (halves.count == 2 ? halves[1] : nil)
        let part = query?.split(separator: UInt8(ascii: "|")).last
        id = part ?? (parts.count == 2 ? parts[1] : [])
    }

    /// Whether `convert` writes such a request: `PUT` of an id, or `POST` with a condition.
    func isMade(by method: JSONText?) -> Bool {
        guard let method, isPlain else { return false }
        return isConditional ? method == "POST" : method == "PUT"
    }
}

extension JSONText {
    /// Whether its bytes are this text.
    fileprivate func isText(_ text: String?) -> Bool { text.map { bytes.elementsEqual($0.utf8) } ?? false }
}

extension ResourceID {
    /// The id that stands for a Patient, whose own id is the server's.
    fileprivate static func ofPatient(_ id: ArraySlice<UInt8>) -> ResourceID {
        var hash = SHA256()
        hash.update("Patient/")
        hash.update(Array(id))
        let digest = hash.digest()
        return ResourceID(high: digest.first, low: digest.second)
    }
}

extension BundleMember {
    /// The rank that marks a digest of bytes.
    static let rankOfBytes = UInt64.max

    /// Whether its digest is one of bytes.
    var isOfBytes: Bool { digest != nil && rank == Self.rankOfBytes }
}

extension [UInt8] {
    /// CRC-64 of ECMA-182, reflected, as in xz.
    fileprivate func checksum(_ range: Range<Int>) -> UInt64 {
        unsafe withUnsafeBufferPointer { bytes in
            unsafe crc64_ecma_refl(0, bytes.baseAddress.map { unsafe $0 + range.lowerBound }, UInt64(range.count))
        }
    }
}
