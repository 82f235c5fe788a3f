internal import OpenSSLCrypto

/// A token, code, verifier or private key that never prints itself.
///
/// `print`, `dump`, string interpolation and a debugger's summary all show `<secret>`. Its JSON is the text itself: an
/// encoded ``Credential`` belongs in the keystore and nowhere else.
public struct Secret: Sendable, Equatable, Codable {
    private let text: String

    /// Wraps `text`, such as an access token.
    public init(_ text: String) { self.text = text }

    /// Reads a JSON string.
    public init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
    }

    /// Writes a JSON string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// The one way to get the text, for the request that needs it.
    public var revealed: String { text }

    /// Whether `other` is the same text, in a time that does not reveal how much of it agrees.
    func matches(_ other: String) -> Bool { ConstantTime.isEqual(Array(text.utf8), Array(other.utf8)) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always `<secret>`.
    public var description: String { "<secret>" }
    /// Always `<secret>`.
    public var debugDescription: String { description }
    /// Nothing, so that `dump` shows nothing either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Secret {
    /// 32 random bytes in 43 characters of base64url, the shortest code verifier that is allowed.
    static func random() throws(OpenIDConnectError) -> Secret {
        do {
            return Secret(Base64URL.text(try SecureRandom.bytes(32)))
        } catch {
            throw .noRandomBytes
        }
    }
}
