internal import CISAL

/// Owns gzip members (RFC 1952), one behind the other, being unpacked by ISA-L, which checks the sums that each ends with.
@safe
struct GzipStream: ~Copyable {
    private let state: UnsafeMutablePointer<inflate_state>
    /// Whether what was given so far ends where a member does.
    private(set) var isWhole = false

    /// What every member begins with.
    static let magic: [UInt8] = [0x1F, 0x8B]

    init() {
        unsafe state = .allocate(capacity: 1)
        unsafe isal_inflate_init(state)
        unsafe state.pointee.crc_flag = UInt32(ISAL_GZIP)
    }

    deinit { unsafe state.deallocate() }

    /// Unpacks from the start of `input` into `output` from `place` on, as far as either reaches.
    ///
    /// - Returns: how many bytes were taken and made; `nil` where `input` is no gzip, or damaged.
    mutating func step(
        from input: ArraySlice<UInt8>,
        into output: inout [UInt8],
        at place: Int
    ) -> (taken: Int, made: Int)? {
        if isWhole {
            guard !input.isEmpty else { return (0, 0) }
            beginMember()
        }
        // ISA-L counts in 32 bits.
        let inputCount = UInt32(clamping: input.count)
        let outputCount = UInt32(clamping: output.count - place)
        let status = unsafe input.withUnsafeBytes { input in
            unsafe output.withUnsafeMutableBytes { output in
                unsafe inflate(input.baseAddress, inputCount, output.baseAddress.map { unsafe $0 + place }, outputCount)
            }
        }
        guard status == ISAL_DECOMP_OK else { return nil }
        unsafe isWhole = state.pointee.block_state == ISAL_BLOCK_FINISH
        return unsafe (Int(inputCount - state.pointee.avail_in), Int(outputCount - state.pointee.avail_out))
    }

    private func inflate(
        _ input: UnsafeRawPointer?,
        _ inputCount: UInt32,
        _ output: UnsafeMutableRawPointer?,
        _ outputCount: UInt32
    ) -> Int32 {
        unsafe state.pointee.next_in = UnsafeMutablePointer(mutating: input?.assumingMemoryBound(to: UInt8.self))
        unsafe state.pointee.avail_in = inputCount
        unsafe state.pointee.next_out = output?.assumingMemoryBound(to: UInt8.self)
        unsafe state.pointee.avail_out = outputCount
        let status = unsafe isal_inflate(state)
        // The pointers are the caller's, for this call only.
        unsafe state.pointee.next_in = nil
        unsafe state.pointee.next_out = nil
        return status
    }

    private mutating func beginMember() {
        unsafe isal_inflate_reset(state)
        unsafe state.pointee.crc_flag = UInt32(ISAL_GZIP)
        isWhole = false
    }
}
