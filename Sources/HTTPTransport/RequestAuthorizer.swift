/// Who adds the `Authorization` header: whoever sends requests never learns about sign-ins.
public protocol RequestAuthorizer: Sendable {
    /// The header for a request to `url`.
    ///
    /// - Parameters:
    ///   - url: where the request goes; a token leaves for its own server alone.
    ///   - rejected: the header that the server has just answered with 401, so that another is made.
    /// - Returns: the header; `nil` where the server needs none.
    /// - Throws: the authorizer's own error where there is no sign-in to use.
    func authorization(for url: HTTPURL, replacing rejected: Authorization?) async throws -> Authorization?

    /// Whether asking again may help after an error of ``authorization(for:replacing:)``, and nothing was spent by asking.
    func mayAskAgain(after error: any Error) async -> Bool
}

/// The value of an `Authorization` header, which never prints itself.
public struct Authorization: Sendable, Equatable {
    let value: String

    /// A value as it stands, such as `Basic Z3Vlc3Q6Z3Vlc3Q=` (RFC 7617).
    ///
    /// - Parameter value: is sent unchanged; control characters are ``HTTPError/unsendableHeader(name:)``.
    public init(value: String) { self.value = value }

    /// `Bearer TOKEN` (RFC 6750, section 2.1).
    public static func bearer(_ token: String) -> Authorization { Authorization(value: "Bearer \(token)") }
}

extension Authorization: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always `<authorization>`.
    public var description: String { "<authorization>" }
    /// Always `<authorization>`.
    public var debugDescription: String { description }
    /// Nothing, so that `dump` shows nothing either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
