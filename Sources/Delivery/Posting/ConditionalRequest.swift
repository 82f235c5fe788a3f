internal import FHIRR4
internal import Glibc
internal import TransactionBundling

/// Requests for servers that choose ids themselves.
enum ConditionalRequest {
    private static let create = Array(#""request":{"method":"POST","url":""#.utf8)
    private static let condition = Array(#""ifNoneExist":""#.utf8)

    private static let resource = Array(#""resource":{"resourceType":""#.utf8)

    /// The entry as an update of the resource that the server has under its own `id`, in place of its creation.
    ///
    ///     "request":{"method":"PUT","url":"Observation/12"}
    ///
    /// For servers that do not update by identifier.
    static func update(_ bytes: ArraySlice<UInt8>, _ member: BundleMember, id: String) -> [UInt8]? {
        guard let end = bytes.lastStart(of: create), let start = bytes.firstStart(of: resource) else { return nil }
        let place = start + resource.count - #""resourceType":""#.utf8.count
        let name = member.type.name
        return Array(bytes[..<place]) + Array(#""id":"\#(id)","#.utf8) + Array(bytes[place..<end])
            + Array(#""request":{"method":"PUT","url":"\#(name)/\#(id)"}}"#.utf8)
    }

    /// The entry as an update of the resource with this identifier, in place of its creation.
    ///
    ///     "request":{"method":"PUT","url":"Observation?identifier=urn:uuid:5c4f…7a10|h…"}
    ///
    /// Source: <https://hl7.org/fhir/R4/http.html#cond-update>.
    static func update(_ bytes: ArraySlice<UInt8>, _ member: BundleMember) -> [UInt8]? {
        // The last occurrence is the entry's own: any in its resource come before it.
        guard let start = bytes.lastStart(of: create), let query = query(in: bytes) else { return nil }
        let head = Array(#""request":{"method":"PUT","url":"\#(member.type.name)?"#.utf8)
        return Array(bytes[..<start]) + head + query + Array(#""}}"#.utf8)
    }
}

/// Names a resource on the server by its identifier, in place of a link that holds only within a Bundle.
///
///     "reference":"urn:uuid:0123…cdef"    ->    "reference":"Observation?identifier=urn:uuid:5c4f…7a10|h…"
///
/// Source: <https://hl7.org/fhir/R4/http.html#trules>, conditional references.
struct ConditionalReference: Sendable {
    private let link: [UInt8]
    private let name: [UInt8]

    /// A reference to what `entry` creates by its identifier; `nil` for any other entry.
    init?(to entry: TransactionBundle.Entry, in bundle: TransactionBundle) {
        guard let member = entry.member, let query = ConditionalRequest.query(in: bundle.body[entry.range]) else {
            return nil
        }
        link = Array("\"reference\":\"urn:uuid:\(member.id.uuid)\"".utf8)
        name = Array("\"reference\":\"\(member.type.name)?".utf8) + query + Array("\"".utf8)
    }

    /// The bytes with each such link replaced; `nil` where there is none.
    func replacing(in bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var rest = bytes
        var replaced: [UInt8] = []
        while let start = rest.firstStart(of: link) {
            replaced += rest[..<start] + name
            rest = rest[(start + link.count)...]
        }
        return rest.startIndex == bytes.startIndex ? nil : replaced + rest
    }
}

extension ConditionalRequest {
    /// The search in an entry's `ifNoneExist`.
    static func query(in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let mark = bytes.lastStart(of: condition) else { return nil }
        return bytes[(mark + condition.count)...].prefix { $0 != UInt8(ascii: "\"") }
    }

    /// Whether an entry that creates by identifier is written as ours are, so that it can be made an update: the
    /// resource first, then the request, without white space.
    static func isOurs(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let start = bytes.firstStart(of: resource), let end = bytes.lastStart(of: create) else { return false }
        return start < end && isCreation(bytes) && bytes.suffix(3).elementsEqual(#""}}"#.utf8)
    }

    /// Whether an entry creates a resource only if its identifier is not there yet.
    static func isCreation(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let start = bytes.lastStart(of: create), let mark = bytes.lastStart(of: condition) else { return false }
        return start < mark
    }
}

extension TransactionBundle {
    /// Whether its entries create by identifier.
    var isConditional: Bool {
        guard let first = entries.first else { return false }
        return body[first.range].starts(with: Array(#"{"fullUrl":"urn:uuid:"#.utf8))
    }

    /// Whether a resource in it may refer to an Observation in another Bundle.
    var refersToOthers: Bool {
        guard entries.first?.member?.type != .device else { return false }
        return body.holdsList(#""hasMember":["#) || body.holdsList(#""related":["#)
    }
}

extension ArraySlice<UInt8> {
    fileprivate func firstStart(of text: [UInt8]) -> Int? {
        guard count >= text.count else { return nil }
        return (startIndex...endIndex - text.count).first {
            self[$0] == text[0] && self[$0..<$0 + text.count].elementsEqual(text)
        }
    }

    fileprivate func lastStart(of text: [UInt8]) -> Int? {
        var start = endIndex - text.count
        while start >= startIndex, !self[start..<start + text.count].elementsEqual(text) { start -= 1 }
        return start >= startIndex ? start : nil
    }
}

extension [UInt8] {
    /// Whether a list of this name, such as `"hasMember":[`, begins anywhere.
    ///
    /// Called for every Bundle that is sent, up to a megabyte, so it goes from bracket to bracket.
    fileprivate func holdsList(_ text: StaticString) -> Bool {
        unsafe withUnsafeBytes { bytes in
            guard var start = bytes.baseAddress else { return false }
            let first = unsafe start
            let end = unsafe start + bytes.count
            let length = text.utf8CodeUnitCount
            while let found = unsafe memchr(start, 0x5B, end - start) {
                unsafe start = UnsafeRawPointer(found) + 1
                if unsafe start - first >= length, unsafe memcmp(start - length, text.utf8Start, length) == 0 {
                    return true
                }
            }
            return false
        }
    }
}
