internal import FHIRR4
internal import TransactionBundling

/// The requests of servers that choose ids themselves.
enum ConditionalRequest {
    private static let create = Array(#""request":{"method":"POST","url":""#.utf8)
    private static let condition = Array(#""ifNoneExist":""#.utf8)

    /// The entry as an update of the resource with this identifier, in place of its creation.
    ///
    ///     "request":{"method":"PUT","url":"Observation?identifier=urn:uuid:5c4f…7a10|h…"}
    ///
    /// Source: <https://hl7.org/fhir/R4/http.html#cond-update>.
    static func update(_ bytes: ArraySlice<UInt8>, _ member: BundleMember) -> [UInt8]? {
        // The last ones are the entry's own: what stands in its resource comes before.
        guard let start = bytes.lastStart(of: create), let mark = bytes.lastStart(of: condition) else { return nil }
        let query = bytes[(mark + condition.count)...].prefix { $0 != UInt8(ascii: "\"") }
        let head = Array(#""request":{"method":"PUT","url":"\#(member.type.name)?"#.utf8)
        return Array(bytes[..<start]) + head + query + Array(#""}}"#.utf8)
    }
}

extension TransactionBundle {
    /// Whether its entries are created by identifier.
    var isConditional: Bool {
        guard let first = entries.first else { return false }
        return body[first.range].starts(with: Array(#"{"fullUrl":"urn:uuid:"#.utf8))
    }

    /// Whether a resource in it may refer to an Observation in another Bundle.
    var refersToOthers: Bool {
        guard entries.first?.member?.type != .device else { return false }
        return body.holds(Array(#""hasMember":["#.utf8)) || body.holds(Array(#""related":["#.utf8))
    }
}

extension ArraySlice<UInt8> {
    fileprivate func lastStart(of text: [UInt8]) -> Int? {
        var start = endIndex - text.count
        while start >= startIndex, !self[start..<start + text.count].elementsEqual(text) { start -= 1 }
        return start >= startIndex ? start : nil
    }
}

extension [UInt8] {
    fileprivate func holds(_ text: [UInt8]) -> Bool {
        guard let first = text.first else { return true }
        var position = startIndex
        while let start = self[position...].firstIndex(of: first), start + text.count <= count {
            if self[start..<start + text.count].elementsEqual(text) { return true }
            position = start + 1
        }
        return false
    }
}
