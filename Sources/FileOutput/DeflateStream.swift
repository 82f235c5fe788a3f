internal import CISAL

/// Compresses one stream with ISA-L, the library that also inflates zips here.
///
/// Level 1: about 500 MB/s a core, to a tenth of the size. It owns the C stream and its buffers, about 0.6 MB.
@safe
public final class DeflateStream {
    /// What surrounds the compressed bytes.
    public enum Format: Sendable {
        /// Nothing (RFC 1951).
        case raw
        /// A gzip member (RFC 1952) without name and time, so that the same bytes give the same file.
        case gzip
    }

    /// `ISAL_DEF_LVL1_DEFAULT`, a macro that Swift can't read: 4 KiB, a hash of 8 Ki entries, 64 Ki tokens.
    private static let levelBufferByteCount = 4 * 1024 + 2 * 8 * 1024 + 4 * 64 * 1024
    private let stream = UnsafeMutablePointer<isal_zstream>.allocate(capacity: 1)
    private let levelBuffer = UnsafeMutablePointer<UInt8>.allocate(capacity: levelBufferByteCount)
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)

    /// A stream at its beginning.
    public init(_ format: Format) {
        unsafe stream.initialize(to: isal_zstream())
        unsafe isal_deflate_init(stream)
        unsafe stream.pointee.level = 1
        unsafe stream.pointee.level_buf = unsafe levelBuffer
        unsafe stream.pointee.level_buf_size = UInt32(Self.levelBufferByteCount)
        if format == .gzip { unsafe stream.pointee.gzip_flag = UInt16(IGZIP_GZIP) }
    }

    deinit {
        unsafe output.deallocate()
        unsafe levelBuffer.deallocate()
        unsafe stream.deinitialize(count: 1)
        unsafe stream.deallocate()
    }

    /// `bytes` as one stream, the same for the same bytes.
    public static func pack(_ bytes: UnsafeRawBufferPointer, as format: Format) -> [UInt8] {
        var packed: [UInt8] = []
        unsafe DeflateStream(format).compress(bytes, isLast: true) { unsafe packed.append(contentsOf: $0) }
        return packed
    }

    /// Compresses `bytes`, of less than 4 GiB, and lends finished output to `write`.
    ///
    /// - Parameters:
    ///   - bytes: the next bytes of the stream.
    ///   - isLast: whether the stream ends with them.
    ///   - write: called with finished output, any number of times.
    /// - Throws: an error that `write` throws.
    public func compress<Failure: Error>(
        _ bytes: UnsafeRawBufferPointer,
        isLast: Bool,
        _ write: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        let input = unsafe bytes.baseAddress.map { unsafe $0.assumingMemoryBound(to: UInt8.self) }
        unsafe stream.pointee.next_in = unsafe UnsafeMutablePointer(mutating: input)
        unsafe stream.pointee.avail_in = UInt32(bytes.count)
        unsafe stream.pointee.end_of_stream = isLast ? 1 : 0
        repeat {
            unsafe stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
            unsafe stream.pointee.avail_out = UInt32(output.count)
            let code = unsafe isal_deflate(stream)
            precondition(code == COMP_OK, "ISA-L refused its own state")
            let count = unsafe output.count - Int(stream.pointee.avail_out)
            if count > 0 { try unsafe write(UnsafeRawBufferPointer(rebasing: output[..<count])) }
        } while unsafe stream.pointee.avail_out == 0
    }
}
