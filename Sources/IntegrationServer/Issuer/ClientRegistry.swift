import FoundationEssentials
import JWTKit

/// The clients that may ask for tokens.
///
/// `pghd` is a public client at any port of loopback (RFC 8252, section 7.3); `--clients FILE` names others:
/// `[{"client_id":"pipeline","jwks":{"keys":[…]}},{"client_id":"web","redirect_uris":["https://app.example.org/cb"]}]`.
struct ClientRegistry: Sendable {
    struct Client: Sendable {
        let id: String
        let redirectURIs: [String]
        /// The keys of a client that signs assertions; `nil` for a public client.
        let keys: [JWK]?
    }

    private let clients: [String: Client]

    /// - Throws: a text that says what is wrong with the file.
    init(file: [UInt8]?) async throws(ClientFileFault) {
        var clients = ["pghd": Client(id: "pghd", redirectURIs: [], keys: nil)]
        if let file {
            let value: JSONValue
            do throws(JSONError) { value = try JSONReader.read(file) } catch { throw ClientFileFault("\(error)") }
            guard value.isArray else { throw ClientFileFault("no list (expected [{\"client_id\":…}])") }
            for (index, element) in value.elements.enumerated() {
                guard let id = element["client_id"]?.string, !id.isEmpty else {
                    throw ClientFileFault("client \(index): client_id is missing (expected a text)")
                }
                var keys: [JWK]?
                if let jwks = element["jwks"] {
                    do {
                        keys = try await Self.keys(jwks)
                    } catch {
                        throw ClientFileFault("client \(index): jwks can't be read (expected a JWK Set of public keys)")
                    }
                }
                // An empty list allows any loopback address: one that can't be read must not become that.
                let uris = element["redirect_uris"].map { $0.isArray ? $0.elements.map(\.string) : [nil] } ?? []
                guard !uris.contains(nil) else {
                    let expected = "expected [\"https://…\"]"
                    throw ClientFileFault("client \(index): redirect_uris is not a list of texts (\(expected))")
                }
                clients[id] = Client(id: id, redirectURIs: uris.compactMap(\.self), keys: keys)
            }
        }
        self.clients = clients
    }

    subscript(id: String) -> Client? { clients[id] }

    /// The keys for signatures; one that can't be used rejects all, so that the file gets corrected.
    private static func keys(_ set: JSONValue) async throws -> [JWK] {
        guard let elements = set["keys"]?.elements else { throw JWTError.invalidJWK(reason: "no keys") }
        var keys: [JWK] = []
        for element in elements where (element["use"]?.string ?? "sig") == "sig" {
            let key = try JSONDecoder().decode(JWK.self, from: Data(element.bytes))
            _ = try await JWTKeyCollection().add(jwk: key)
            keys.append(key)
        }
        return keys
    }
}

/// Why a file of clients can't be used.
struct ClientFileFault: Error {
    let what: String

    init(_ what: String) {
        self.what = what
    }
}

extension ClientRegistry.Client {
    /// The keys with that id that may sign with an algorithm, pinned to it.
    func keys(id: String, algorithm: JWK.Algorithm) -> [JWK] {
        (keys ?? []).compactMap { key in
            guard key.keyIdentifier?.string == id, key.algorithm == nil || key.algorithm == algorithm,
                key.keyType == (algorithm.rawValue.hasPrefix("ES") ? .ecdsa : .rsa)
            else { return nil }
            var pinned = key
            pinned.algorithm = algorithm
            return pinned
        }
    }

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
