/// Why a file beside the main XML can't be read.
public enum MemberFault: Error, Equatable, Sendable {
    /// It has more bytes than it may.
    case tooLarge(byteCount: UInt64)
    /// Its bytes are wrong or missing, or may not be read.
    case damaged
    /// The system reports `errno` while it is read: nothing is wrong with it, and another try may succeed.
    case readFailure(systemError: Int32)
    /// It needs a password.
    case encrypted
    /// It is compressed by another zip method than 0 (stored) and 8 (deflated).
    case unsupportedCompression(method: UInt16)
    /// It is a symbolic link, which could lead anywhere.
    case symbolicLink
    /// The folder that it lies in can't be listed, or is a symbolic link.
    case unlistedFolder
    /// An electrocardiogram whose name does not end in `.csv`: it is not downloaded, or not copied to its end.
    case notCSV
    /// A text that is no UTF-8, as Apple writes it: some editors and spreadsheets save another.
    case notUTF8
    /// It went away, was written to, or another file took its place.
    case gone
}

extension MemberFault {
    /// What is wrong with a file that is to be text; `nil` for text in UTF-8.
    ///
    /// Replaced by U+FFFD, a unit or a finding would be another one, under the same id.
    ///
    /// - Parameter content: all bytes of the file.
    public init?(ofText content: [UInt8]) {
        if content.isEmpty {
            self = .damaged
        } else if content.contains(0) || String(validating: content, as: UTF8.self) == nil {
            self = .notUTF8
        } else {
            return nil
        }
    }
}
