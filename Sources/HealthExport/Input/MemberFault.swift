/// Why a file beside the main XML can't be read.
public enum MemberFault: Error, Equatable, Sendable {
    /// It has more bytes than it may.
    case tooLarge(byteCount: UInt64)
    /// Its bytes are wrong or missing, encrypted, or the system fails to read them.
    case damaged
    /// It went away, or another file took its place.
    case gone
}
