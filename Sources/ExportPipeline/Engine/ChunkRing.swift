internal import HealthExport
internal import Synchronization
internal import Threads

/// Reads, parses, consumes and commits an export on several threads, in file order.
///
/// All threads are alike: each does whatever is next. One at a time reads (cuts the input into chunks) and one at a
/// time commits, so both see the file in order; the others parse and consume meanwhile. So there are never more threads
/// than requested. Each thread has one slot, which it therefore finds in its own cache, and there is no other buffer:
/// without a free slot nothing is read, and memory is the ring's size, whatever the input's. Chunks that can't be
/// parsed alone are parsed in sequence when they are committed; what was made of later chunks is dropped until the
/// sequence ends between two elements.
final class ChunkRing: @unchecked Sendable {  // shared state is touched with the monitor held
    private let monitor = Monitor()
    /// Guards `runningCount`, for the caller, which need not wake up for every chunk.
    private let ended = Monitor()
    private let slots: [ChunkSlot]
    private let options: RunOptions
    private let cancellation: Cancellation

    // Guarded by the monitor.
    private var readCount = 0
    private var takenCount = 0
    private var committedCount = 0
    private var isReading = false
    private var isReadingDone = false
    private var isCommitting = false
    private var isStopped = false
    private var failure: (any Error)?
    private var progress = InputProgress(consumed: 0, total: nil)
    private var outcome = Outcome()
    /// Whether chunks are parsed in sequence now, so that parsing ahead would be useless.
    private var isInSequence = false

    // Guarded by `ended`.
    private var runningCount = 0

    // Used by the thread that reads, one at a time.
    private var cutter: CutterBox?
    // Used by the thread that commits, one at a time.
    private var sequence: SequenceBox?
    private var lines: UInt64 = 0
    private let sequenceConsumer: any ChunkConsumer
    private var sink: (any ChunkSink)?

    private init(
        _ options: RunOptions,
        _ cancellation: Cancellation,
        _ sink: any ChunkSink,
        sequenceConsumer: any ChunkConsumer
    ) {
        self.options = options
        self.cancellation = cancellation
        self.sink = sink
        self.sequenceConsumer = sequenceConsumer
        slots = (0..<options.threads).map { _ in ChunkSlot() }
    }

    /// How a run of the ring ended.
    struct Outcome {
        /// Why the input ended early.
        var inputFault: HealthExportError?
        /// Whether `</HealthData>` was read.
        var isComplete = false
        /// How many bytes of XML were read.
        var byteCount: UInt64 = 0
    }

    /// Reads the main XML of an export to its end.
    ///
    /// - Parameters:
    ///   - input: an opened export that has a main XML.
    ///   - options: how many threads work, and on chunks of which size.
    ///   - makeConsumer: makes a consumer for each thread, and one for chunks that are parsed in sequence.
    ///   - sink: takes the slots in file order, from one thread at a time.
    ///   - cancellation: stops the run.
    ///   - progress: called a few times a second on the calling thread, which only waits.
    /// - Returns: how the input ended.
    /// - Throws: `ExportPipelineError` if the input is not an export or can't be read to its end and if the run is
    ///   cancelled, and errors that `sink` throws.
    static func read(
        _ input: ExportInput,
        _ options: RunOptions,
        makeConsumer: () -> any ChunkConsumer,
        sink: any ChunkSink,
        cancellation: Cancellation,
        progress: (InputProgress) -> Void
    ) throws -> Outcome {
        let source: any ByteSource
        do throws(HealthExportError) { source = try input.openMainXML() } catch {
            throw ExportPipelineError.input(error)
        }
        return try ChunkRing(options, cancellation, sink, sequenceConsumer: makeConsumer()).run(
            ChunkCutter(source: source, input: input.displayName, chunkByteCount: options.chunkByteCount),
            makeConsumer: makeConsumer,
            progress: progress
        )
    }

    private func run(
        _ cutter: consuming ChunkCutter,
        makeConsumer: () -> any ChunkConsumer,
        progress: (InputProgress) -> Void
    ) throws -> Outcome {
        self.cutter = CutterBox(cutter)
        runningCount = options.threads
        var workers: [PlainThread] = []
        for _ in 0..<options.threads {
            let consumer = ConsumerBox(makeConsumer())
            let worker = PlainThread {
                self.work(consumer.consumer)
                self.ended.change { self.runningCount -= 1 }
            }
            guard let worker else { break }
            workers.append(worker)
        }
        // With fewer threads the result is the same; without any there is none.
        guard !workers.isEmpty else { throw ExportPipelineError.noThread }
        let missing = options.threads - workers.count
        ended.change { runningCount -= missing }
        wait(progress)
        end(workers)
        try cancellation.check()
        if let failure { throw failure }
        // The export may be intact, and what was made of the part that could be read is not its conversion.
        if let fault = outcome.inputFault, fault.isFailureToRead { throw ExportPipelineError.input(fault) }
        return outcome
    }

    /// Shows the progress until all threads are done, or the run must stop.
    private func wait(_ show: (InputProgress) -> Void) {
        while ended.waitBriefly(for: { runningCount == 0 ? true : nil }) == nil {
            let (progress, stops) = monitor.change {
                if cancellation.isCancelled { isStopped = true }
                return (self.progress, isStopped)
            }
            show(progress)
            if stops { return }
        }
    }

    /// Waits for the threads, except for one that is blocked on a pipe or terminal.
    ///
    /// When a run is broken off, such a thread stays behind in the system's `read` or `write`. It can only reach this
    /// ring, which releases the sink so that the sink removes its incomplete files. A slow disk is waited for longer,
    /// because nobody would remove the files that are being written.
    private func end(_ workers: [PlainThread]) {
        let start = ContinuousClock.now
        while ended.waitBriefly(for: { runningCount == 0 ? true : nil }) == nil {
            let waited = ContinuousClock.now - start
            let isLeft = monitor.change {
                let isAtFiles = isCommitting && sink?.writesFiles ?? false
                return isStopped && (isReading || isCommitting) && waited >= .seconds(isAtFiles ? 60 : 1)
            }
            guard isLeft else { continue }
            for worker in workers { worker.detach() }
            return monitor.change { if !isCommitting { sink = nil } }
        }
        for worker in workers { worker.join() }
    }

    /// What a thread does next.
    private enum Turn {
        case commit(ChunkSlot)
        case parse(ChunkSlot, isNeeded: Bool)
        case read(ChunkSlot)
        case end
    }

    private func work(_ consumer: any ChunkConsumer) {
        var parser = ChunkParser(scansCanonicalRecords: options.scansCanonicalRecords)
        while true {
            switch monitor.wait(for: nextTurn) {
            case .commit(let slot): commit(slot)
            case .parse(let slot, let isNeeded):
                slot.clearProducts()
                slot.isParsed =
                    isNeeded && parser.parseAlone(&slot.chunk, mark: slot.mark, into: &slot.batch, faults: &slot.faults)
                if slot.isParsed { consumer.consume(slot) }
                monitor.change { slot.stage = .done }
            case .read(let slot): read(slot)
            case .end: return
            }
        }
    }

    private func nextTurn() -> Turn? {
        if isStopped { return .end }
        if !isCommitting, committedCount < takenCount {
            let slot = slots[committedCount % slots.count]
            if slot.stage == .done {
                isCommitting = true
                return .commit(slot)
            }
        }
        let next = slots[readCount % slots.count]
        let mayRead = !isReadingDone && !isReading && next.stage == .free
        // Reading ahead leaves a chunk to parse for each thread that finishes before this one has read.
        if mayRead, readCount - takenCount < options.threads {
            isReading = true
            return .read(next)
        }
        if takenCount < readCount {
            let slot = slots[takenCount % slots.count]
            takenCount += 1
            slot.stage = .working
            return .parse(slot, isNeeded: !isInSequence)
        }
        return isReadingDone && committedCount == readCount ? .end : nil
    }

    private func read(_ slot: ChunkSlot) {
        guard let box = cutter else { return }
        do throws(HealthExportError) {
            let isMore = try box.cutter.next(into: &slot.chunk)
            let (progress, mark, fault) = (box.cutter.progress, box.cutter.mark, box.cutter.inputFault)
            let exportDay = box.cutter.exportDay
            monitor.change {
                self.progress = progress
                isReading = false
                guard isMore else { return isReadingDone = true }
                slot.mark = mark
                slot.exportDay = exportDay
                slot.stage = .filled
                readCount += 1
                outcome.inputFault = fault
            }
        } catch {
            monitor.change {
                isReading = false
                stop(ExportPipelineError.input(error))
            }
        }
    }

    private func commit(_ slot: ChunkSlot) {
        do {
            slot.chunk.follow(&lines)
            let isComplete = parseInSequence(slot)
            slot.chunk.arrange(&slot.faults)
            try sink?.commit(slot)
            monitor.change {
                if slot.chunk.isLast { outcome.isComplete = isComplete }
                outcome.byteCount = slot.chunk.offset + UInt64(slot.chunk.bytes.count)
                isInSequence = sequence != nil
                slot.stage = .free
                committedCount += 1
                isCommitting = false
            }
        } catch {
            monitor.change {
                isCommitting = false
                stop(error)
            }
        }
    }

    /// Parses a slot that could not be parsed alone, or in which a sequence continues.
    ///
    /// - Returns: whether the export is complete if this is its last chunk.
    private func parseInSequence(_ slot: ChunkSlot) -> Bool {
        guard !slot.isParsed || sequence != nil else { return true }
        // What was made of the chunk alone is wrong inside a sequence.
        slot.clearProducts()
        let box = sequence ?? SequenceBox(SequenceParser(mark: slot.mark))
        box.parser.parse(&slot.chunk, into: &slot.batch, faults: &slot.faults)
        sequenceConsumer.consume(slot)
        sequence = box.parser.isBetweenElements ? nil : box
        return box.parser.isPastRoot
    }

    private func stop(_ error: any Error) {
        if failure == nil { failure = error }
        isStopped = true
    }
}

/// Takes chunks in file order.
protocol ChunkSink: AnyObject {
    /// Takes what was made of one chunk; called by one thread at a time, not always the same.
    func commit(_ slot: ChunkSlot) throws

    /// Whether all its work ends by itself, as writing to files does.
    var writesFiles: Bool { get }
}

extension ChunkSink {
    var writesFiles: Bool { false }
}

/// Hands the cutter from thread to thread.
private final class CutterBox: @unchecked Sendable {  // used by the thread that reads, one at a time
    var cutter: ChunkCutter
    init(_ cutter: consuming ChunkCutter) { self.cutter = cutter }
}

/// Hands a sequence from thread to thread.
private final class SequenceBox {
    var parser: SequenceParser
    init(_ parser: consuming SequenceParser) { self.parser = parser }
}

/// Hands a consumer to its thread.
private final class ConsumerBox: @unchecked Sendable {  // used by one thread alone
    let consumer: any ChunkConsumer
    init(_ consumer: any ChunkConsumer) { self.consumer = consumer }
}
