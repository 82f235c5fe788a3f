/// Bytes of a key, for options that somebody may print.
public struct HiddenBytes: Sendable {
    /// The bytes; `nil` for none.
    public var bytes: [UInt8]?

    /// No bytes.
    public init() {}
}

extension HiddenBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `<hidden>`, or `none`.
    public var description: String { bytes == nil ? "none" : "<hidden>" }
    /// The same.
    public var debugDescription: String { description }
    /// Nothing, so that `dump` shows nothing either.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
