/// Why a sign-in can't be made, used or given back.
public enum OpenIDConnectError: Error, Sendable, Equatable {
    /// The store's entry is none of ours.
    case unreadableEntry
}
