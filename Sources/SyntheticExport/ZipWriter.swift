import CISAL
import FileOutput

/// Writes an archive with one compressed member to a sink, in one pass and in flat memory.
struct ZipWriter: ~Copyable {
    private let headers: ZipHeaders
    private let deflater = DeflateStream(.raw)
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
        try unsafe input.withUnsafeBytes { bytes throws(SyntheticExportError) in
            try unsafe compress(bytes, isLast: false, to: sink)
        }
    }

    /// Writes the member's end and the directory; call it last.
    mutating func finish(to sink: (RawSpan) throws(SyntheticExportError) -> Void) throws(SyntheticExportError) {
        try unsafe compress(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true, to: sink)
        let descriptor = headers.dataDescriptor(of: member)
        try sink(unsafe descriptor.span.bytes)
        let offset = UInt64(headers.localHeader.count) + member.compressedByteCount + UInt64(descriptor.count)
        try sink(unsafe headers.directory(of: member, at: offset).span.bytes)
    }

    private mutating func compress(
        _ bytes: UnsafeRawBufferPointer,
        isLast: Bool,
        to sink: (RawSpan) throws(SyntheticExportError) -> Void
    ) throws(SyntheticExportError) {
        try unsafe deflater.compress(bytes, isLast: isLast) { output throws(SyntheticExportError) in
            member.compressedByteCount += UInt64(output.count)
            try sink(unsafe output.bytes)
        }
    }
}
