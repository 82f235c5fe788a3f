import JWTKit

/// Who may ask for tokens.
///
/// `pghd` is a public client at any port of loopback (RFC 8252, section 7.3); `--clients FILE` names others:
/// `[{"client_id":"pipeline","jwks":{"keys":[…]}},{"client_id":"web","redirect_uris":["https://app.example.org/cb"]}]`.
struct ClientRegistry: Sendable {
    struct Client: Sendable {
        let id: String
        let redirectURIs: [String]
        /// The keys of a client that signs assertions; `nil` for a public client.
        let keys: JWTKeyCollection?
    }

    private let clients: [String: Client]

    /// - Throws: a text that says what is wrong with the file.
    init(file: [UInt8]?) async throws(ClientFileFault) {
        var clients = ["pghd": Client(id: "pghd", redirectURIs: [], keys: nil)]
        if let file {
            let value: JSONValue
            do throws(JSONError) { value = try JSONReader.read(file) } catch { throw ClientFileFault("\(error)") }
            for (index, element) in value.elements.enumerated() {
                guard let id = element["client_id"]?.string, !id.isEmpty else {
                    throw ClientFileFault("client \(index): client_id is missing (expected a text)")
                }
                var keys: JWTKeyCollection?
                if let jwks = element["jwks"] {
                    do {
                        keys = try await JWTKeyCollection().add(jwksJSON: String(decoding: jwks.bytes, as: UTF8.self))
                    } catch {
                        throw ClientFileFault("client \(index): jwks can't be read (expected a JWK Set of public keys)")
                    }
                }
                let uris = element["redirect_uris"]?.elements.compactMap(\.string) ?? []
                clients[id] = Client(id: id, redirectURIs: uris, keys: keys)
            }
        }
        self.clients = clients
    }

    subscript(id: String) -> Client? { clients[id] }
}

/// Why a file of clients can't be used.
struct ClientFileFault: Error {
    let what: String

    init(_ what: String) {
        self.what = what
    }
}

extension ClientRegistry.Client {
    /// A registered URI, or for a client that registered none, any port and path of a loopback address in digits.
    func allows(redirectURI: String) -> Bool {
        guard redirectURIs.isEmpty else { return redirectURIs.contains(redirectURI) }
        guard !redirectURI.contains("#"), !redirectURI.unicodeScalars.contains(where: { $0.value <= 0x20 }) else {
            return false
        }
        return ["http://127.0.0.1", "http://[::1]"].contains { host in
            guard redirectURI.hasPrefix(host) else { return false }
            let rest = redirectURI.dropFirst(host.count)
            guard rest.hasPrefix(":") else { return rest.isEmpty || rest.hasPrefix("/") }
            let port = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
            let path = rest.dropFirst(1 + port.count)
            return UInt16(port) != nil && (path.isEmpty || path.hasPrefix("/"))
        }
    }
}
