internal import FileOutput

/// How a request's body may be packed for transport (RFC 9110, section 8.4.1).
enum ContentCoding {
    /// `bytes` as one gzip member, the same for the same bytes: a Bundle takes a tenth of its size.
    static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        unsafe bytes.withUnsafeBytes { unsafe DeflateStream.pack($0, as: .gzip) }
    }
}
