import Glibc

/// Why the server can't start.
public enum IntegrationServerError: Error, Equatable, CustomStringConvertible {
    /// The port is taken or may not be used by us, or the address is not this machine's.
    case cannotListen(host: String, port: UInt16, systemError: Int32)
    /// Not an IPv4 or IPv6 address in digits.
    case notAnAddress(String)
    /// `--patient` is not a FHIR id.
    case notAnID
    /// `option` works on loopback only, in the address and in the base URL, since it lets anyone in.
    case loopbackOnly(option: String)
    /// An address that is not loopback, without the URL that clients use.
    case baseURLMissing
    /// `--base-url` is not of the form `http(s)://HOST[:PORT]`.
    case notABaseURL(String)
    /// The data folder can't be created, opened or written.
    case store(path: String, what: String)
    /// Another server has the data folder.
    case inUse(path: String)
    /// The database in the data folder can't be used; `what` says what to do.
    case database(path: String, what: String)
    /// A file that was named can't be read, or holds something else than expected.
    case file(path: String, what: String)

    /// Where it is, what is wrong, and what to do.
    public var description: String {
        switch self {
        case .cannotListen(let host, let port, EADDRNOTAVAIL):
            "\(host):\(port): can't listen, \(Self.text(EADDRNOTAVAIL)) (expected an address of this machine): "
                + "check --address"
        case .cannotListen(let host, let port, let number):
            "\(host):\(port): can't listen, \(Self.text(number)) (expected a free port): choose another with --port"
        case .notAnAddress(let host):
            "--address: '\(host)' is not an address (expected digits such as 127.0.0.1 or ::1): write it so"
        case .notAnID:
            "--patient: this is not a FHIR id (expected 1 to 64 letters, digits, - or .): use one such as p123"
        case .loopbackOnly(let option):
            "\(option): lets in anyone who reaches this server (expected loopback in --address and --base-url): "
                + "leave it out, or those"
        case .baseURLMissing:
            "--base-url is missing: clients can't guess how to reach an address that is not loopback: "
                + "give it, such as https://fhir.example.org"
        case .notABaseURL(let text):
            "--base-url: '\(text)' is not a base URL (expected http:// or https://, a host and perhaps a port): "
                + "write it like https://fhir.example.org"
        case .inUse(let path): "\(path): another server uses it (expected none): end that one, or use it"
        case .store(let path, let what):
            "\(path): the data can't be kept there, \(what) (expected a folder that this user may write, and nobody "
                + "else): choose another"
        case .database(let path, let what), .file(let path, let what): "\(path): \(what)"
        }
    }

    static func text(_ number: Int32) -> String {
        unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    }
}
