internal import CISAL

/// Unpacks gzip members (RFC 1952), one after the other, with ISA-L, which checks the sums that each ends with.
@safe
struct GzipStream: ~Copyable {
    private let state: UnsafeMutablePointer<inflate_state>
    /// The member's header, until all of it has come.
    private var header: GzipHeader? = GzipHeader()
    /// Whether the input so far ends where a member does; zeros after it, such as a tape's, do not count.
    private(set) var isWhole = false

    init() {
        unsafe state = .allocate(capacity: 1)
        unsafe isal_inflate_init(state)
    }

    deinit { unsafe state.deallocate() }

    /// Unpacks from the start of `input` into `output` from `place` on, as far as either reaches.
    ///
    /// - Returns: how many bytes were taken and made; `nil` if `input` is not gzip, or is damaged.
    mutating func step(
        from input: ArraySlice<UInt8>,
        into output: inout [UInt8],
        at place: Int
    ) -> (taken: Int, made: Int)? {
        guard let headerCount = takeHeader(input) else { return nil }
        guard header == nil else { return (headerCount, 0) }
        // ISA-L counts in 32 bits.
        let inputCount = UInt32(clamping: input.count - headerCount)
        let outputCount = UInt32(clamping: output.count - place)
        let status = unsafe input.withUnsafeBytes { input in
            unsafe output.withUnsafeMutableBytes { output in
                unsafe inflate(
                    input.baseAddress.map { unsafe $0 + headerCount },
                    inputCount,
                    output.baseAddress.map { unsafe $0 + place },
                    outputCount
                )
            }
        }
        guard status == ISAL_DECOMP_OK else { return nil }
        let taken = unsafe headerCount + Int(inputCount - state.pointee.avail_in)
        let made = unsafe Int(outputCount - state.pointee.avail_out)
        if unsafe state.pointee.block_state == ISAL_BLOCK_FINISH {
            isWhole = true
            header = GzipHeader()
        }
        return (taken, made)
    }

    /// Takes as much of a member's header as `input` has.
    ///
    /// - Returns: how many bytes; `nil` if they are not a header.
    private mutating func takeHeader(_ input: ArraySlice<UInt8>) -> Int? {
        var count = 0
        while header != nil, count < input.count {
            let byte = input[input.startIndex + count]
            count += 1
            if isWhole, byte == 0 { continue }
            isWhole = false
            switch header?.take(byte) {
            case .unfinished: continue
            case .damaged, nil: return nil
            case .whole:
                header = nil
                unsafe isal_inflate_reset(state)
                unsafe state.pointee.crc_flag = UInt32(ISAL_GZIP_NO_HDR_VER)
            }
        }
        return count
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
}
