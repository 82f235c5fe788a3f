/// Why a file other than the main XML can't be read.
public enum MemberFault: Error, Equatable, Sendable {
    /// It has more bytes than the limit.
    case tooLarge(byteCount: UInt64)
    /// Its bytes are wrong or missing, or may not be read.
    case damaged
    /// The system reports `errno` while reading: the file may be intact, and another try may succeed.
    case readFailure(systemError: Int32)
    /// It needs a password.
    case encrypted
    /// It is compressed by another zip method than 0 (stored) and 8 (deflated).
    case unsupportedCompression(method: UInt16)
    /// It is a symbolic link, which could lead anywhere.
    case symbolicLink
    /// The folder that it is in can't be listed, or is a symbolic link.
    case unlistedFolder
    /// An electrocardiogram whose name does not end in `.csv`: it is not downloaded, or not completely copied.
    case notCSV
    /// Text that is not UTF-8, which Apple writes: some editors and spreadsheets save another encoding.
    case notUTF8
    /// It disappeared, was written to, or was replaced by another file.
    case gone
}

extension MemberFault {
    /// The fault in a file that should be text; `nil` for text in UTF-8.
    ///
    /// Bytes that are not UTF-8 must not become U+FFFD: that would change a unit or a finding under the same id.
    ///
    /// - Parameter content: all bytes of the file.
    package init?(ofText content: [UInt8]) {
        if content.isEmpty {
            self = .damaged
        } else if content.contains(0) || String(validating: content, as: UTF8.self) == nil {
            self = .notUTF8
        } else {
            return nil
        }
    }
}
