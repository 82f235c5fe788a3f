import CISAL

/// Owns the state of one raw deflate stream (RFC 1951) being inflated by ISA-L.
@safe
package struct Inflater: ~Copyable {
    /// What one step did.
    package struct Step {
        var consumed = 0
        package internal(set) var produced = 0
        package internal(set) var outcome = Outcome.unfinished
    }

    package enum Outcome {
        /// Input or room has run out.
        case unfinished
        /// The final block has been inflated and handed out.
        case finished
        /// The input is not deflate data from here on.
        case damaged
    }

    private let state: UnsafeMutablePointer<inflate_state>

    package init() {
        unsafe state = .allocate(capacity: 1)
        unsafe isal_inflate_init(state)
    }

    deinit { unsafe state.deallocate() }

    /// Inflates from the start of `input` to the start of `output`.
    ///
    /// With 128 KiB of room or more, all bytes before damage are delivered with it: ISA-L buffers up to 64 KiB, which
    /// it would otherwise withhold.
    package func step(from input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Step {
        // ISA-L counts in 32 bits.
        let inputCount = UInt32(clamping: input.count)
        let outputCount = UInt32(clamping: output.count)
        unsafe state.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        )
        unsafe state.pointee.avail_in = inputCount
        unsafe state.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        unsafe state.pointee.avail_out = outputCount
        let status = unsafe isal_inflate(state)

        var step = Step()
        step.consumed = unsafe Int(inputCount - min(state.pointee.avail_in, inputCount))
        step.produced = unsafe Int(outputCount - min(state.pointee.avail_out, outputCount))
        // The pointers belong to the caller and are valid for this call only.
        unsafe state.pointee.next_in = nil
        unsafe state.pointee.next_out = nil
        if status != ISAL_DECOMP_OK {
            step.outcome = .damaged
        } else if unsafe state.pointee.block_state == ISAL_BLOCK_FINISH {
            step.outcome = .finished
        }
        return step
    }
}

/// The CRC-32 of a zip (polynomial 0xEDB88320) over bytes that arrive in pieces.
struct ZipChecksum: Sendable {
    private(set) var value: UInt32 = 0

    mutating func update(with bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        value = unsafe crc32_gzip_refl(value, start.assumingMemoryBound(to: UInt8.self), UInt64(bytes.count))
    }
}
