import CISAL

/// Writes an archive with one compressed member to a sink, in one pass and in flat memory.
struct ZipWriter: ~Copyable {
    private let headers: ZipHeaders
    private var deflater = Deflater()
    private var member = ZipHeaders.Member()

    init(_ headers: ZipHeaders) { self.headers = headers }

    /// Writes what stands before the member's bytes; call it first.
    mutating func begin(to sink: (RawSpan) throws(SyntheticExportError) -> Void) throws(SyntheticExportError) {
        try sink(unsafe headers.localHeader.span.bytes)
    }

    /// Writes some of the member's bytes.
    mutating func write(
        _ input: RawSpan,
        to sink: (RawSpan) throws(SyntheticExportError) -> Void
    ) throws(SyntheticExportError) {
        let checksum = member.checksum
        member.checksum = unsafe input.withUnsafeBytes { bytes in
            unsafe crc32_gzip_refl(checksum, bytes.baseAddress, UInt64(bytes.count))
        }
        member.byteCount += UInt64(input.byteCount)
        var compressed: UInt64 = 0
        try deflater.deflate(input) { output throws(SyntheticExportError) in
            compressed += UInt64(output.byteCount)
            try sink(output)
        }
        member.compressedByteCount += compressed
    }

    /// Writes the member's end and the directory; call it last.
    mutating func finish(to sink: (RawSpan) throws(SyntheticExportError) -> Void) throws(SyntheticExportError) {
        var compressed: UInt64 = 0
        try deflater.finish { output throws(SyntheticExportError) in
            compressed += UInt64(output.byteCount)
            try sink(output)
        }
        member.compressedByteCount += compressed
        let descriptor = headers.dataDescriptor(of: member)
        try sink(unsafe descriptor.span.bytes)
        let offset = UInt64(headers.localHeader.count) + member.compressedByteCount + UInt64(descriptor.count)
        try sink(unsafe headers.directory(of: member, at: offset).span.bytes)
    }
}
