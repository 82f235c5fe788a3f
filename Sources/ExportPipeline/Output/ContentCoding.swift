internal import FileOutput

/// How a request's body may be packed for transport (RFC 9110, section 8.4.1).
package enum ContentCoding {
    /// `bytes` as one gzip member: a Bundle takes a tenth of its size.
    ///
    ///     options.gzip = ContentCoding.gzip
    ///
    /// - Parameter bytes: the body.
    /// - Returns: the packed body, the same for the same bytes.
    package static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        unsafe bytes.withUnsafeBytes { unsafe DeflateStream.pack($0, as: .gzip) }
    }
}
