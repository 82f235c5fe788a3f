internal import CISAL
internal import FHIRR4

/// A run of bytes, deflated while nobody looks at it: JSON of samples takes a tenth of its room.
struct PackedBytes: Sendable {
    /// The bytes that were packed.
    let byteCount: Int
    private let gzip: [UInt8]

    init(_ bytes: UnsafeRawBufferPointer) {
        byteCount = bytes.count
        gzip = unsafe GzipStream.pack(bytes)
    }

    /// Puts the bytes into `target`, over what is there.
    func unpack(into target: inout JSONBytes) {
        target.removeAll()
        let room = unsafe target.reserve(byteCount)
        let state = UnsafeMutablePointer<inflate_state>.allocate(capacity: 1)
        defer { unsafe state.deallocate() }
        unsafe isal_inflate_init(state)
        unsafe state.pointee.crc_flag = UInt32(ISAL_GZIP)
        unsafe state.pointee.next_out = room.assumingMemoryBound(to: UInt8.self)
        unsafe state.pointee.avail_out = UInt32(byteCount)
        let code = unsafe gzip.withUnsafeBufferPointer { input in
            unsafe state.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            unsafe state.pointee.avail_in = UInt32(input.count)
            return unsafe isal_inflate(state)
        }
        let rest = unsafe state.pointee.avail_out
        precondition(code == ISAL_DECOMP_OK && rest == 0, "ISA-L refused its own output")
        target.advance(by: byteCount)
    }
}
