/// Provides the `Authorization` header, so that code that sends requests needs to know nothing about sign-ins.
public protocol RequestAuthorizer: Sendable {
    /// The header for a request to `url`.
    ///
    /// - Parameters:
    ///   - url: where the request goes; a token is sent only to its own server.
    ///   - rejected: the header that the server has just answered with 401; another is to take its place.
    /// - Returns: the header; `nil` where the server needs none.
    /// - Throws: the authorizer's own error where there is no sign-in to use.
    func authorization(for url: HTTPURL, replacing rejected: Authorization?) async throws -> Authorization?

    /// Whether ``authorization(for:replacing:)`` may succeed if it is called again after this error, and the failed
    /// call used nothing up.
    func mayAskAgain(after error: any Error) async -> Bool
}

/// The value of an `Authorization` header; it is never printed.
public struct Authorization: Sendable, Equatable {
    let value: String

    /// A complete value, such as `Basic Z3Vlc3Q6Z3Vlc3Q=` (RFC 7617).
    ///
    /// - Parameter value: what is sent, unchanged; with control characters in it, sending throws
    ///   ``HTTPError/unsendableHeader(name:)``.
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
