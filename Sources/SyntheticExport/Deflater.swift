import CISAL

/// Compresses one stream with ISA-L at its level 1, as raw deflate (RFC 1951).
///
/// It owns the C stream and its buffers, about 0.6 MB.
@safe
struct Deflater: ~Copyable {
    /// `ISAL_DEF_LVL1_LARGE`, a macro that Swift cannot read.
    private static let levelBufferByteCount = 282_624
    private static let outputByteCount = 256 << 10

    private let stream: UnsafeMutablePointer<isal_zstream>
    private let levelBuffer: UnsafeMutablePointer<UInt8>
    private let output: UnsafeMutablePointer<UInt8>

    init() {
        unsafe stream = .allocate(capacity: 1)
        unsafe levelBuffer = .allocate(capacity: Self.levelBufferByteCount)
        unsafe output = .allocate(capacity: Self.outputByteCount)
        unsafe isal_deflate_init(stream)
        unsafe stream.pointee.level = 1
        unsafe stream.pointee.level_buf = levelBuffer
        unsafe stream.pointee.level_buf_size = UInt32(Self.levelBufferByteCount)
    }

    deinit {
        unsafe stream.deallocate()
        unsafe levelBuffer.deallocate()
        unsafe output.deallocate()
    }

    /// Compresses `input`, of less than 4 GiB, and lends what comes out to `sink`.
    ///
    /// - Throws: ``SyntheticExportError/cannotCompress(code:)``, or what `sink` throws.
    mutating func deflate(
        _ input: RawSpan,
        to sink: (RawSpan) throws(SyntheticExportError) -> Void
    ) throws(SyntheticExportError) {
        try unsafe input.withUnsafeBytes { bytes throws(SyntheticExportError) in
            // ISA-L only reads from here, though its type says otherwise.
            let start = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            unsafe stream.pointee.next_in = start?.assumingMemoryBound(to: UInt8.self)
            unsafe stream.pointee.avail_in = UInt32(bytes.count)
            repeat { try step(to: sink) } while unsafe stream.pointee.avail_out == 0
        }
    }

    /// Ends the stream and lends its last bytes to `sink`.
    mutating func finish(to sink: (RawSpan) throws(SyntheticExportError) -> Void) throws(SyntheticExportError) {
        unsafe stream.pointee.end_of_stream = 1
        unsafe stream.pointee.avail_in = 0
        repeat { try step(to: sink) } while unsafe stream.pointee.internal_state.state != ZSTATE_END
    }

    private func step(to sink: (RawSpan) throws(SyntheticExportError) -> Void) throws(SyntheticExportError) {
        unsafe stream.pointee.next_out = output
        unsafe stream.pointee.avail_out = UInt32(Self.outputByteCount)
        let code = unsafe isal_deflate(stream)
        guard code == COMP_OK else { throw .cannotCompress(code: code) }
        let count = unsafe Self.outputByteCount - Int(stream.pointee.avail_out)
        if count > 0 { try sink(unsafe RawSpan(_unsafeStart: output, byteCount: count)) }
    }
}
