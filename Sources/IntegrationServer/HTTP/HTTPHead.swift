/// A request's first line and headers (RFC 9112, sections 3 and 5), read strictly.
struct HTTPHead: Sendable {
    /// How the body ends (RFC 9112, section 6).
    enum Framing: Equatable {
        case length(Int)
        case chunked
    }

    let method: String
    let target: String
    let headers: [String: String]
    let framing: Framing
    let keepsConnection: Bool
    let expectsContinue: Bool

    /// Reads everything before the empty line.
    init(_ bytes: ArraySlice<UInt8>) throws(HTTPFault) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw HTTPFault(status: 400, what: "the headers are not UTF-8")
        }
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        let line = lines[0].split(separator: " ", omittingEmptySubsequences: false)
        let hasControls = lines[0].utf8.contains { $0 < 0x20 || $0 == 0x7F }
        guard !hasControls, line.count == 3, line[0].allSatisfy(Self.isTokenCharacter), !line[0].isEmpty,
            !line[1].isEmpty
        else {
            throw HTTPFault(status: 400, what: "the request line is not METHOD TARGET HTTP/1.1")
        }
        guard line[2] == "HTTP/1.1" || line[2] == "HTTP/1.0" else {
            throw HTTPFault(status: 505, what: "the HTTP version is not 1.1 or 1.0")
        }
        guard line[1].utf8.count <= 8_192 else {
            throw HTTPFault(status: 414, what: "the target is longer than 8,192 bytes")
        }
        method = String(line[0])
        var headers = try Self.headers(lines.dropFirst())
        framing = try Self.framing(headers)
        let isCurrent = line[2] == "HTTP/1.1"
        guard isCurrent || framing != .chunked else {
            throw HTTPFault(status: 400, what: "Transfer-Encoding does not go with HTTP/1.0")
        }
        let options = headers["connection"]?.lowercased().split(separator: ",").map(\.trimmingSpaces) ?? []
        keepsConnection = isCurrent ? !options.contains("close") : options.contains("keep-alive")
        guard !isCurrent || headers["host"] != nil else { throw HTTPFault(status: 400, what: "Host is missing") }
        if let absolute = Self.absolute(line[1]) {
            // The server that the target names takes precedence (RFC 9112, section 3.2.2).
            headers["host"] = absolute.authority
            target = absolute.target
        } else {
            target = String(line[1])
        }
        self.headers = headers
        // HTTP/1.0 has no such answer (RFC 9110, section 10.1.1).
        let expectation = isCurrent ? headers["expect"] : nil
        expectsContinue = expectation?.lowercased() == "100-continue"
        guard expectation == nil || expectsContinue else {
            throw HTTPFault(status: 417, what: "Expect is not 100-continue")
        }
    }

    /// Headers that may come once: joined, they would mean something else.
    private static let single = ["host", "content-length", "authorization", "content-type", "if-none-exist"]

    private static func headers(_ lines: ArraySlice<Substring>) throws(HTTPFault) -> [String: String] {
        var headers: [String: String] = [:]
        guard lines.count <= 100 else { throw HTTPFault(status: 431, what: "more than 100 headers") }
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            // Different programs read a space before the colon, or a folded line, differently.
            guard parts.count == 2, !parts[0].isEmpty, parts[0].allSatisfy(isTokenCharacter) else {
                throw HTTPFault(status: 400, what: "a header is not NAME: VALUE")
            }
            let name = parts[0].lowercased()
            let value = parts[1].trimmingSpaces
            guard !value.unicodeScalars.contains(where: { ($0.value < 0x20 && $0 != "\t") || $0.value == 0x7F }) else {
                throw HTTPFault(status: 400, what: "a header has a control character")
            }
            if let former = headers[name] {
                guard !single.contains(name) else {
                    throw HTTPFault(status: 400, what: "\(name) is there twice")
                }
                headers[name] = "\(former), \(value)"
            } else {
                headers[name] = value
            }
        }
        return headers
    }

    /// The parts of `http://HOST/PATH`; `nil` for other forms.
    private static func absolute(_ text: Substring) -> (authority: String, target: String)? {
        guard let scheme = ["http://", "https://"].first(where: { text.lowercased().hasPrefix($0) }) else { return nil }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { !"/?#".contains($0) }
        let target = rest.dropFirst(authority.count)
        return (String(authority), target.hasPrefix("/") ? String(target) : "/\(target)")
    }

    private static func framing(_ headers: [String: String]) throws(HTTPFault) -> Framing {
        if let coding = headers["transfer-encoding"] {
            guard headers["content-length"] == nil, isChunked(coding) else {
                throw HTTPFault(status: 400, what: "Transfer-Encoding is not chunked alone")
            }
            return .chunked
        }
        guard let length = headers["content-length"] else { return .length(0) }
        guard length.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !length.isEmpty else {
            throw HTTPFault(status: 400, what: "Content-Length is not a number")
        }
        return .length(Int(length) ?? .max)
    }

    /// Compared as bytes: as text the Kelvin sign is a K, and another program would see another coding.
    private static func isChunked(_ coding: String) -> Bool {
        coding.utf8.map { $0 | 0x20 } == Array("chunked".utf8)
    }

    /// RFC 9110, section 5.6.2.
    private static func isTokenCharacter(_ character: Character) -> Bool {
        guard let byte = character.asciiValue else { return false }
        return character.isLetter || character.isNumber || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
