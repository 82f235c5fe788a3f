package import HTTPTransport

extension HTTPURL {
    /// Reads a URL that tokens, codes or keys may be sent to: `https`, or `http` to this machine.
    ///
    /// - Parameters:
    ///   - text: the URL.
    ///   - what: its name in an error, such as `token_endpoint` or `--server`.
    /// - Throws: ``OpenIDConnectError/unusableURL(what:_:)``, ``OpenIDConnectError/insecureURL(what:)``.
    package init(trusted text: String, what: String) throws(OpenIDConnectError) {
        do {
            try self.init(text)
        } catch {
            if case .noLibrary(let reason) = error { throw .transport(.noLibrary(reason: reason)) }
            throw .unusableURL(what: what, error)
        }
        guard isSecure || isLoopback else { throw .insecureURL(what: what) }
    }

    /// Reads a URL that a document names: one of this machine only where `source`, whose document it is, is this
    /// machine too.
    ///
    /// Otherwise a remote server could have requests sent to services here, which may trust anyone who reaches them.
    ///
    /// - Throws: as ``init(trusted:what:)``, and ``OpenIDConnectError/thisMachine(what:)``.
    init(trusted text: String, what: String, namedBy source: HTTPURL) throws(OpenIDConnectError) {
        try self.init(trusted: text, what: what)
        guard !isLoopback || source.isLoopback else { throw .thisMachine(what: what) }
    }
}
