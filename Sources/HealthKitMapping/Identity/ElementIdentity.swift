internal import FHIRR4
internal import Glibc
internal import HealthExport
internal import OpenSSLCrypto
internal import Synchronization

/// Names what is made from elements that are not records, by the same rules as records: docs/formats.md, "Ids" and
/// "Digests".
///
/// One serves one worker: it keeps the hash states after heads, of which an export has few.
final class ElementIdentity: Sendable {
    let scheme: IdentityScheme
    private let working: Mutex<Working>

    private struct Working: ~Copyable {
        var heads = KeptValues<SHA256Midstate>()
        var head = JSONBytes(capacity: 1 << 8)
        var tail = JSONBytes(capacity: 1 << 8)
        var canonical = CanonicalElement()
    }

    /// The naming for one subject.
    init(_ scheme: IdentityScheme) {
        self.scheme = scheme
        working = Mutex(Working())
    }

    /// The id of a sample that is not a record.
    ///
    /// - Parameters:
    ///   - kind: `Workout`, `Correlation`, `Audiogram`, …
    ///   - type: Apple's type, or what stands for it.
    ///   - source: as `SampleFrame.identitySource` gives it, or empty.
    ///   - start: in seconds, or a day's text; empty if it is not part of the name.
    ///   - end: the same.
    ///   - value: what else names it; empty for what changes in place.
    /// - Returns: the id.
    func id(kind: String, type: String, source: String, start: String, end: String, value: String = "") -> ResourceID {
        working.withLock { working in
            working.head.removeAll()
            working.head.append(fields: [kind, type, source])
            let head = unsafe working.head.withBytes { key in
                unsafe working.heads.value(of: key) { scheme.head(kind: kind, type: type, source: source) }
            }
            working.tail.removeAll()
            working.tail.append(fields: [start, end, value])
            let digest = digest(head, &working.tail)
            return ResourceID(high: digest.first, low: digest.second)
        }
    }

    /// The id of a sample with a frame: a sync identifier stands for its time and value.
    func id(kind: String, type: String, frame: SampleFrame, value: String) -> ResourceID {
        if let identifier = frame.syncIdentifier {
            return id(kind: kind, type: type, source: frame.identitySource, start: "", end: "", value: identifier)
        }
        return id(
            kind: kind,
            type: type,
            source: frame.identitySource,
            start: String(frame.start),
            end: String(frame.end),
            value: value
        )
    }

    /// The digest of what an element says.
    func digest(of element: HealthElement) -> UInt64 {
        working.withLock { working in
            working.canonical.write(element)
            return digest(scheme.elementHead, &working.canonical.text).first
        }
    }

    /// The digest of what an element says, and of bytes that belong to it.
    func digest(of element: HealthElement, with bytes: [UInt8]) -> UInt64 {
        // A buffer of its own: a file may be long, and the shared one keeps its memory.
        var tail = JSONBytes(capacity: bytes.count + 1 << 10)
        tail.append(IdentityScheme.canonical(element))
        tail.append(IdentityScheme.separatorByte)
        tail.append(bytes)
        return digest(scheme.elementHead, &tail).first
    }

    /// The digest of what a few fields describe.
    func digest(ofFields fields: [String]) -> UInt64 {
        working.withLock { working in
            working.tail.removeAll()
            working.tail.append(fields: fields)
            return digest(scheme.elementHead, &working.tail).first
        }
    }

    /// The plain SHA-256 of bytes, as hex digits, for what only its bytes can name.
    func digestText(of bytes: [UInt8]) -> String {
        var state = SHA256()
        state.update(bytes)
        return state.digest().hex
    }

    private func digest(_ head: SHA256Midstate, _ tail: inout JSONBytes) -> SHA256Digest {
        let count = tail.count
        let end = unsafe tail.reserve(SHA256Midstate.paddingByteCount)
        return unsafe scheme.hash.digest(head, paddingTail: end - count, count: count)
    }
}

extension JSONBytes {
    /// Appends fields with U+001F between them.
    fileprivate mutating func append(fields: [String]) {
        for (place, field) in fields.enumerated() {
            if place > 0 { append(IdentityScheme.separatorByte) }
            append(field)
        }
    }
}

extension IdentityScheme {
    /// An element's content as one text, for sorting elements.
    static func canonical(_ element: HealthElement) -> String {
        var canonical = CanonicalElement()
        canonical.write(element)
        return unsafe canonical.text.withBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Texts as one, in the order of their bytes and each once: neither an order in the file nor a repetition names
    /// anything.
    static func joined(_ texts: [String]) -> String {
        let sorted = texts.sorted(by: inByteOrder)
        let distinct = sorted.indices.filter { $0 == 0 || !sorted[$0 - 1].isExactly(sorted[$0]) }.map { sorted[$0] }
        return distinct.joined(separator: separator)
    }

    /// Whether `left` comes first in the order of bytes, which is the same on every machine.
    static func inByteOrder(_ left: String, _ right: String) -> Bool {
        var (left, right) = (left, right)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                guard let first = left.baseAddress, let second = right.baseAddress else {
                    return left.count < right.count
                }
                let order = unsafe memcmp(first, second, min(left.count, right.count))
                return order != 0 ? order < 0 : left.count < right.count
            }
        }
    }
}
