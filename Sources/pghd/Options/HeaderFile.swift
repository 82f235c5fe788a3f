import HTTPTransport
import OpenIDConnect
import Threads

/// The file of `--header-file`: headers that a server wants with each request.
///
///     Ocp-Apim-Subscription-Key: 0123456789abcdef
///     Authorization: Bearer eyJhbGciOi…
///
/// One header a line, `Name: value` in ASCII; empty lines are skipped. It is for the key of an API gateway, and for a
/// token or a password that another program keeps. Nobody but its owner may have access to it.
struct HeaderFile: Sendable {
    /// The most bytes that one may have; a larger file is not a header file.
    private static let maximumByteCount = 64 << 10

    /// All headers but `Authorization`.
    private(set) var headers: [HTTPHeader] = []
    /// The file's `Authorization`; `nil` where it has none.
    private(set) var authorization: Authorization?

    /// Reads the file at `path`.
    init(path: String) throws(HeaderFileError) {
        var names: Set<String> = []
        for (number, line) in try Self.lines(atPath: path) {
            func fault(_ fault: HeaderFileError.Fault) -> HeaderFileError { HeaderFileError(path: path, fault: fault) }
            guard let header = Self.header(line) else { throw fault(.noHeader(line: number)) }
            let name = header.name.lowercased()
            guard !Self.ownNames.contains(name) else { throw fault(.ownHeader(header.name, line: number)) }
            guard names.insert(name).inserted else { throw fault(.repeated(header.name, line: number)) }
            if name == "authorization" {
                // A scheme, spaces and the credentials; a tab must not separate them.
                guard !header.value.utf8.contains(0x09) else { throw fault(.noHeader(line: number)) }
                authorization = Authorization(value: header.value)
            } else {
                headers.append(header)
            }
        }
        guard !names.isEmpty else { throw HeaderFileError(path: path, fault: .empty) }
    }

    /// Headers that pghd sends itself, or that frame a message.
    private static let ownNames: Set = [
        "accept", "accept-encoding", "cache-control", "connection", "content-encoding", "content-length",
        "content-type", "expect", "host", "idempotency-key", "if-match", "if-none-exist", "if-none-match", "prefer",
        "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// The lines that are not empty, with their numbers.
    private static func lines(atPath path: String) throws(HeaderFileError) -> [(number: Int, line: ArraySlice<UInt8>)] {
        let file: SmallFile
        do throws(SmallFile.Fault) {
            file = try SmallFile(path, maximumByteCount: maximumByteCount)
        } catch {
            throw HeaderFileError(path: path, fault: .unreadable(error.reason))
        }
        guard !file.isOpenToOthers else { throw HeaderFileError(path: path, fault: .openToOthers) }
        var lines: [(Int, ArraySlice<UInt8>)] = []
        for (index, line) in file.bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            let line = trimmed(line)
            if !line.isEmpty { lines.append((index + 1, line)) }
        }
        return lines
    }

    /// `Name: value` (RFC 9110, sections 5.1 and 5.5).
    private static func header(_ line: ArraySlice<UInt8>) -> HTTPHeader? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let (name, value) = (line[..<colon], trimmed(line[(colon + 1)...]))
        guard !name.isEmpty, name.allSatisfy(isTokenCharacter), !value.isEmpty,
            value.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x09 })
        else { return nil }
        return HTTPHeader(String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
    }

    private static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
        guard let last = line.lastIndex(where: { !isBlank($0) }) else { return [] }
        return line[...last].drop(while: isBlank)
    }
}

/// What keeps a header file from being used; a message holds nothing of it but the name of a header.
struct HeaderFileError: Error, Equatable, CustomStringConvertible {
    enum Fault: Equatable {
        case unreadable(String)
        case openToOthers
        case empty
        case noHeader(line: Int)
        case ownHeader(String, line: Int)
        case repeated(String, line: Int)
        /// It has an `Authorization`, where a sign-in makes its own.
        case hasAuthorization
        /// The server answered it with 401.
        case refused(server: String)
    }

    let path: String
    let fault: Fault

    var description: String {
        switch fault {
        case .unreadable(let reason):
            "--header-file: '\(path)' can't be read (\(reason)): check the path and its permissions"
        case .openToOthers:
            "--header-file: '\(path)' is open to others (expected a file for its owner alone): chmod 600 it"
        case .empty:
            "--header-file: '\(path)' holds no header (expected lines such as 'X-Api-Key: …'): write them there"
        case .noHeader(let line):
            "--header-file: line \(line) of '\(path)' is not a header (expected 'Name: value' in ASCII): correct it"
        case .ownHeader(let name, let line):
            "--header-file: line \(line) of '\(path)' is \(name) (expected a header that pghd does not send itself): leave it "
                + "out"
        case .repeated(let name, let line):
            "--header-file: line \(line) of '\(path)' is \(name) once more (expected each once): leave one out"
        case .hasAuthorization:
            "--header-file: '\(path)' holds Authorization (expected none next to a sign-in, which has its own): leave it out"
        case .refused(let server):
            "--header-file: the server does not take the Authorization in '\(path)' (401 from \(server)): put one there that "
                + "is still good, and run the command again"
        }
    }
}

/// The `Authorization` of a header file, which is read again when the server refuses it: another program may have put a
/// newer token there.
///
/// It goes with requests to the server's base and below it, like a sign-in's token.
actor HeaderFileAuthorizer: RequestAuthorizer {
    private let path: String
    private let server: HTTPURL
    private var current: Authorization

    /// - Parameters:
    ///   - path: the path of the file.
    ///   - server: the base.
    ///   - authorization: what the file held.
    init(path: String, server: HTTPURL, _ authorization: Authorization) {
        self.path = path
        self.server = server
        current = authorization
    }

    func authorization(for url: HTTPURL, replacing rejected: Authorization?) async throws -> Authorization? {
        guard server.contains(url) else { return nil }
        guard let rejected, rejected == current else { return current }
        let path = path
        let now = try await OwnThread.run { try HeaderFile(path: path).authorization }
        guard let now, now != rejected else { throw HeaderFileError(path: path, fault: .refused(server: server.text)) }
        current = now
        return now
    }

    func mayAskAgain(after error: any Error) -> Bool { false }
}
