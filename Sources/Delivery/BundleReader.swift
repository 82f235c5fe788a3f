internal import CISAL
internal import FHIRR4
internal import OpenSSLCrypto
internal import TransactionBundling

/// A Bundle that `pghd convert` wrote, read from its line.
///
///     {"resourceType":"Bundle","identifier":{"system":"urn:uuid:0b8f…","value":"KEY"},"type":"transaction","entry":[…]}
///
/// Takes it as it stands: the bytes of the line are what is sent. An entry's digest is the CRC-64 of its
/// bytes: what an export's are made of can't be seen in them, and a hash that keeps secrets would cost a fifth more CPU time.
struct BundleReader {
    /// The Bundle.
    let bundle: TransactionBundle
    /// The patient it speaks of; `nil` where it names none, as one of Devices without a patient.
    let patientID: String?

    /// Reads one line.
    ///
    /// - Parameters:
    ///   - line: the bytes, with or without a line feed at the end.
    ///   - path: the file, and
    ///   - number: the line's number, for errors.
    /// - Throws: ``DeliveryError/notABundle(path:line:)``, ``DeliveryError/resourceInput(path:line:)``,
    ///   ``DeliveryError/severalPatients(path:line:)``.
    init(_ line: [UInt8], path: String, number: Int) throws(DeliveryError) {
        var reading = Reading()
        let isWhole: Bool
        do throws(JSONFault) {
            var scanner = JSONScanner(line)
            reading.line = line
            try scanner.readMembers { (name, scanner) throws(JSONFault) in try reading.read(name, &scanner) }
            isWhole = scanner.isAtEnd()
        } catch {
            isWhole = false
        }
        // What else a resource holds may have the names and not the form of what a Bundle does.
        if let type = reading.resourceType, type != "Bundle" { throw .resourceInput(path: path, line: number) }
        guard isWhole, reading.isTransaction, let key = reading.key else { throw .notABundle(path: path, line: number) }
        guard reading.patients.count <= 1 else { throw .severalPatients(path: path, line: number) }
        bundle = TransactionBundle(key: key, body: line, entries: reading.entries)
        patientID = reading.patients.first
    }
}

/// What is picked up on the way through a Bundle.
private struct Reading {
    var resourceType: String?
    var isTransaction = false
    var key: String?
    var entries: [TransactionBundle.Entry] = []
    var line: [UInt8] = []
    var patients: Set<String> = []
    /// The reference of the subject before: nearly always the same.
    private var lastSubject: ArraySlice<UInt8> = []

    mutating func read(_ name: JSONText, _ scanner: inout JSONScanner) throws(JSONFault) {
        switch name {
        case "resourceType": resourceType = try scanner.readScalar()
        case "type": isTransaction = try scanner.readScalar() == "transaction"
        case "identifier": try readIdentifier(&scanner)
        case "entry":
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
        let isHex = value?.utf8.count == 64 && value?.utf8.allSatisfy { $0.isLowercaseHex } == true
        if system == BundleKey.identifierSystem, isHex { key = value }
    }

    private mutating func readEntry(_ scanner: inout JSONScanner) throws(JSONFault) {
        var url: JSONText?
        var condition: JSONText?
        let start = scanner.nextStart()
        try scanner.readMembers { (name, scanner) throws(JSONFault) in
            switch name {
            case "request":
                try scanner.readMembers { (name, scanner) throws(JSONFault) in
                    switch name {
                    case "url": url = try scanner.readTextIfAny()
                    case "ifNoneExist": condition = try scanner.readTextIfAny()
                    default: try scanner.skipValue()
                    }
                }
            case "resource":
                try scanner.readMembers { (name, scanner) throws(JSONFault) in
                    switch name {
                    case "subject", "patient": try readSubject(&scanner)
                    default: try scanner.skipValue()
                    }
                }
            default: try scanner.skipValue()
            }
        }
        guard condition == nil || ConditionalRequest.isOurs(line[start..<scanner.position]) else {
            throw JSONFault(byte: start)
        }
        let target = try RequestTarget(url: url, condition: condition)
        if target.type == .patient { patients.insert(String(decoding: target.id, as: UTF8.self)) }
        var member: BundleMember?
        if let type = target.type, let id = type == .patient ? .ofPatient(target.id) : ResourceID(utf8: target.id) {
            // A Device has none, since another one has another id.
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

    private mutating func readSubject(_ scanner: inout JSONScanner) throws(JSONFault) {
        try scanner.readMember("reference") { (scanner) throws(JSONFault) in
            guard let text = try scanner.readTextIfAny(), text.bytes != lastSubject else { return }
            lastSubject = text.bytes
            let reference = try text.string()
            if reference.hasPrefix("Patient/") { patients.insert(String(reference.dropFirst("Patient/".count))) }
        }
    }
}

/// What an entry's request is about: `Observation/h…`, `Observation?identifier=SYSTEM|h…`, or `identifier=SYSTEM|h…` beside
/// `Observation`.
private struct RequestTarget {
    var type: ResourceType?
    var id: ArraySlice<UInt8> = []

    private static let observation = Array("Observation/".utf8)

    init(url: JSONText?, condition: JSONText?) throws(JSONFault) {
        let url = try url?.unescapedBytes() ?? []
        // One look at what nearly all are.
        if condition == nil, url.starts(with: Self.observation),
            url.count == Self.observation.count + ResourceID.byteCount
        {
            type = .observation
            id = url.dropFirst(Self.observation.count)
            return
        }
        let halves = url.split(separator: UInt8(ascii: "?"), maxSplits: 1)
        let parts = halves.first?.split(separator: UInt8(ascii: "/")) ?? []
        type = parts.first.flatMap { part in ResourceType.allCases.first { $0.name.utf8.elementsEqual(part) } }
        let query = try condition?.unescapedBytes()[...] ?? (halves.count == 2 ? halves[1] : nil)
        let part = query?.split(separator: UInt8(ascii: "|")).last
        id = part ?? (parts.count == 2 ? parts[1] : [])
    }
}

extension ResourceID {
    /// Stands for a Patient, whose id is the server's.
    fileprivate static func ofPatient(_ id: ArraySlice<UInt8>) -> ResourceID {
        var hash = SHA256()
        hash.update("Patient/")
        hash.update(Array(id))
        let digest = hash.digest()
        return ResourceID(high: digest.first, low: digest.second)
    }
}

extension BundleMember {
    /// Marks a digest of bytes.
    static let rankOfBytes = UInt64.max

    /// Whether its digest is one of bytes.
    var isOfBytes: Bool { digest != nil && rank == Self.rankOfBytes }
}

extension [UInt8] {
    /// CRC-64 of ECMA-182, reflected, as xz has it.
    fileprivate func checksum(_ range: Range<Int>) -> UInt64 {
        unsafe withUnsafeBufferPointer { bytes in
            unsafe crc64_ecma_refl(0, bytes.baseAddress.map { unsafe $0 + range.lowerBound }, UInt64(range.count))
        }
    }
}

extension UInt8 {
    var isLowercaseHex: Bool { (0x30...0x39).contains(self) || (0x61...0x66).contains(self) }
}
