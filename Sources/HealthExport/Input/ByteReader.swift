/// A place that bytes come from, read step by step; ``BufferedSource`` turns it into a ``ByteSource``.
protocol ByteReader: ~Copyable, Sendable {
    /// Writes at least one byte to the start of `buffer`, which is not empty, and
    /// returns the count; 0 only at the end.
    mutating func readSome(into buffer: UnsafeMutableRawBufferPointer) throws(InputFault) -> Int

    /// The buffer size from which a read writes directly into the buffer; smaller reads are served from a window.
    static var directByteCount: Int { get }

    /// Bytes taken from the input file so far.
    var consumedByteCount: UInt64 { get }

    /// The number of bytes that will be taken in all, if known.
    var totalByteCount: UInt64? { get }
}

extension ByteReader where Self: ~Copyable {
    /// The first bytes, at most `count`, and the fault that stopped them short, if any.
    mutating func head(upTo count: Int) -> (bytes: [UInt8], fault: InputFault?) {
        var fault: InputFault?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            let memory = UnsafeMutableRawBufferPointer(buffer)
            do throws(InputFault) {
                while initializedCount < count {
                    let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[initializedCount...])
                    let step = try unsafe readSome(into: rest)
                    guard step > 0 else { break }
                    initializedCount += step
                }
            } catch {
                fault = error
            }
        }
        return (bytes, fault)
    }
}

/// Owns a block of raw memory and frees it once.
@safe
struct ByteBuffer: ~Copyable, Sendable {
    // Accessed only through `withBytes`, by the one thread that has the owner.
    private nonisolated(unsafe) let memory: UnsafeMutableRawBufferPointer

    /// Allocates `byteCount` bytes, at least one, without initializing them.
    init(byteCount: Int) {
        unsafe memory = .allocate(byteCount: max(byteCount, 1), alignment: 64)
    }

    deinit { unsafe memory.deallocate() }

    /// Lends the memory to `body`, which must not keep it.
    func withBytes<Result, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(memory)
    }
}
