import Synchronization

/// Turns a ``ByteReader`` into a ``ByteSource``: fills whole buffers, serves small reads from a window, and holds a
/// fault back until the good bytes before it are delivered.
final class BufferedSource<Reader: ByteReader & ~Copyable>: ByteSource {
    /// Everything that a read changes, under one lock: a second thread can only wait.
    private struct State: ~Copyable, Sendable {
        var reader: Reader
        var window: ReadWindow?
        var fault: HealthExportError?
        var isAtEnd = false
    }

    private let input: String
    private let totalByteCount: UInt64?
    private let state: Mutex<State>
    // Outside the lock, so that progress can be shown while a read blocks.
    private let consumedByteCount: Atomic<UInt64>

    /// Reads from `reader`; faults name `input`, as the user calls it.
    init(_ reader: consuming Reader, input: String) {
        self.input = input
        totalByteCount = reader.totalByteCount
        consumedByteCount = Atomic(reader.consumedByteCount)
        state = Mutex(State(reader: reader))
    }

    var progress: InputProgress {
        InputProgress(consumed: consumedByteCount.load(ordering: .relaxed), total: totalByteCount)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(HealthExportError) -> Int {
        try state.withLock { state throws(HealthExportError) in
            let count = unsafe fill(buffer, from: &state)
            consumedByteCount.store(state.reader.consumedByteCount, ordering: .relaxed)
            if count == 0, unsafe !buffer.isEmpty, let fault = state.fault { throw fault }
            return count
        }
    }

    private func fill(_ buffer: UnsafeMutableRawBufferPointer, from state: inout State) -> Int {
        var count = 0
        while count < buffer.count {
            let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let step = unsafe readStep(into: rest, from: &state)
            guard step > 0 else { break }
            count += step
        }
        return count
    }

    private func readStep(into rest: UnsafeMutableRawBufferPointer, from state: inout State) -> Int {
        if let step = unsafe state.window?.take(into: rest), step > 0 { return step }
        guard state.fault == nil, !state.isAtEnd else { return 0 }
        do throws(InputFault) {
            let step: Int
            if rest.count >= Reader.directByteCount {
                step = try unsafe state.reader.readSome(into: rest)
            } else {
                if state.window == nil { state.window = ReadWindow(byteCount: 2 * Reader.directByteCount) }
                step = try unsafe state.window?.refill(from: &state.reader, into: rest) ?? 0
            }
            state.isAtEnd = step == 0
            return step
        } catch {
            state.fault = .unreadableInput(error, input: input)
            return 0
        }
    }
}

/// Bytes read ahead, so that a read of a few bytes costs no system call.
private struct ReadWindow: ~Copyable, Sendable {
    private var buffer: ByteBuffer
    private var unread = 0..<0

    init(byteCount: Int) { buffer = ByteBuffer(byteCount: byteCount) }

    mutating func take(into rest: UnsafeMutableRawBufferPointer) -> Int {
        let part = unread.prefix(rest.count)
        guard !part.isEmpty else { return 0 }
        unsafe buffer.withBytes { bytes in
            unsafe rest.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[part]))
        }
        unread = part.upperBound..<unread.upperBound
        return part.count
    }

    mutating func refill<Reader: ByteReader & ~Copyable>(
        from reader: inout Reader,
        into rest: UnsafeMutableRawBufferPointer
    ) throws(InputFault) -> Int {
        let count = try unsafe buffer.withBytes { bytes throws(InputFault) in try unsafe reader.readSome(into: bytes) }
        unread = 0..<count
        return unsafe take(into: rest)
    }
}
