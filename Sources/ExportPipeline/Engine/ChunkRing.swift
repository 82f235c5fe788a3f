internal import HealthExport
internal import Synchronization

/// Reads, parses and consumes an export on several threads and commits in file order.
///
/// A reader cuts the input into chunks; `threads` workers parse and consume them in any
/// order; the calling thread commits them in theirs. There are `threads` + 2 slots and no
/// other buffer: without a free slot the reader stops, so memory is the ring's size,
/// whatever the input's. Chunks that can't be parsed alone are parsed in sequence by the
/// committer; the results that workers made behind them are dropped until the sequence
/// ends between two elements.
final class ChunkRing: @unchecked Sendable {  // shared state is touched with the monitor held
    private let monitor = Monitor()
    private let slots: [ChunkSlot]
    private let cancellation: Cancellation

    // Guarded by the monitor.
    private var readCount = 0
    private var takenCount = 0
    private var isReadingDone = false
    private var isStopped = false
    /// The reader's thread will not touch anything any more.
    private var isReaderGone = false
    private var readerFault: HealthExportError?
    private var endFault: HealthExportError?
    private var progress = InputProgress(consumed: 0, total: nil)
    /// Set by the committer: workers need not parse, a sequence is on.
    private var isInSequence = false

    /// - Parameters:
    ///   - threads: workers.
    ///   - scansCanonicalRecords: `false` sends every element through libxml2.
    ///   - cancellation: makes the run stop.
    init(threads: Int, scansCanonicalRecords: Bool = true, cancellation: Cancellation) {
        self.scansCanonicalRecords = scansCanonicalRecords
        slots = (0..<(threads + 2)).map { _ in ChunkSlot() }
        self.cancellation = cancellation
        self.threads = threads
    }
    private let threads: Int
    private let scansCanonicalRecords: Bool

    /// What a run of the ring came to.
    struct Outcome {
        /// Why the input ended early.
        var inputFault: HealthExportError?
        /// Whether `</HealthData>` was read.
        var isComplete = false
        /// Bytes of XML.
        var byteCount: UInt64 = 0
    }

    /// Runs to the end of the input.
    ///
    /// - Parameters:
    ///   - cutter: the input.
    ///   - makeConsumer: makes a worker's consumer; called once for each worker and once for the committer.
    ///   - commit: takes the slots in file order, on the calling thread.
    /// - Returns: how the input ended.
    /// - Throws: `ExportPipelineError` for an input that is no export and for a cancelled run, and what `commit` throws.
    func run(
        _ cutter: consuming ChunkCutter,
        makeConsumer: () -> any ChunkConsumer,
        commit: (ChunkSlot, InputProgress) throws -> Void
    ) throws -> Outcome {
        let held = CutterBox(cutter)
        let reader = PlainThread {
            self.read(held)
            self.monitor.change { self.isReaderGone = true }
        }
        var workers: [PlainThread] = []
        for _ in 0..<threads {
            let consumer = ConsumerBox(makeConsumer())
            workers.append(PlainThread { self.work(consumer.consumer) })
        }
        let sequenceConsumer = makeConsumer()
        defer {
            monitor.change { isStopped = true }
            for worker in workers { worker.join() }
            end(reader)
        }
        var outcome = Outcome()
        var sequence: SequenceParser?
        var number = 0
        while let slot = try next(number) {
            if !slot.isParsed || sequence != nil {
                // What a worker made of it is not what it is.
                slot.clearProducts()
                if sequence == nil { sequence = SequenceParser(mark: slot.mark) }
                sequence?.parse(&slot.chunk, into: &slot.batch, faults: &slot.faults)
                sequenceConsumer.consume(slot)
                if slot.chunk.isLast { outcome.isComplete = sequence?.isPastRoot ?? false }
                let isClean = sequence?.isBetweenElements ?? true
                if isClean { sequence = nil }
                monitor.change { isInSequence = !isClean }
            } else if slot.chunk.isLast {
                outcome.isComplete = true
            }
            slot.chunk.arrange(&slot.faults)
            outcome.byteCount = slot.chunk.offset + UInt64(slot.chunk.bytes.count)
            let progress = monitor.wait { self.progress }
            try commit(slot, progress)
            monitor.change { slot.stage = .free }
            number += 1
        }
        outcome.inputFault = monitor.change { endFault }
        return outcome
    }

    /// The slot with this number once a worker is done with it; `nil` behind the last.
    private func next(_ number: Int) throws -> ChunkSlot? {
        enum Answer { case slot(ChunkSlot), end, fault(HealthExportError) }
        let answer: Answer = monitor.poll {
            if cancellation.isCancelled { return .end }
            let slot = slots[number % slots.count]
            if slot.stage == .done, slot.number == number { return .slot(slot) }
            if isReadingDone, number >= readCount { return readerFault.map { .fault($0) } ?? .end }
            return nil
        }
        try cancellation.check()
        switch answer {
        case .slot(let slot): return slot
        case .end: return nil
        case .fault(let fault): throw ExportPipelineError.input(fault)
        }
    }

    /// Waits for the reader, but not for a pipe or terminal that gives it nothing: after a run that
    /// was broken off, its thread is left behind in the system's `read` and touches this ring alone.
    private func end(_ reader: PlainThread) {
        let limit = ContinuousClock.now + .seconds(1)
        let isGone: Bool = monitor.poll {
            if isReaderGone { return true }
            if ContinuousClock.now >= limit { return false }
            return nil
        }
        if isGone { reader.join() } else { reader.detach() }
    }

    /// What a thread that waited may do.
    private enum Turn {
        case take(ChunkSlot, isNeeded: Bool)
        case end
    }

    private func read(_ box: CutterBox) {
        while true {
            let turn: Turn = monitor.wait {
                if isStopped { return .end }
                let slot = slots[readCount % slots.count]
                if slot.stage == .free { return .take(slot, isNeeded: true) }
                return nil
            }
            guard case .take(let slot, _) = turn else { return }
            do throws(HealthExportError) {
                let isMore = try box.cutter.next(into: &slot.chunk)
                let progress = box.cutter.progress
                let mark = box.cutter.mark
                let fault = box.cutter.inputFault
                monitor.change {
                    self.progress = progress
                    guard isMore else {
                        isReadingDone = true
                        return
                    }
                    slot.mark = mark
                    slot.number = readCount
                    slot.stage = .filled
                    readCount += 1
                    endFault = fault
                }
                if !isMore { return }
            } catch {
                monitor.change {
                    readerFault = error
                    isReadingDone = true
                }
                return
            }
        }
    }

    private func work(_ consumer: any ChunkConsumer) {
        var parser = ChunkParser(scansCanonicalRecords: scansCanonicalRecords)
        while true {
            let turn: Turn = monitor.wait {
                if isStopped { return .end }
                if takenCount < readCount {
                    let slot = slots[takenCount % slots.count]
                    takenCount += 1
                    slot.stage = .working
                    return .take(slot, isNeeded: !isInSequence)
                }
                if isReadingDone { return .end }
                return nil
            }
            guard case .take(let slot, let isNeeded) = turn else { return }
            slot.clearProducts()
            slot.isParsed =
                isNeeded && parser.parseAlone(slot.chunk, mark: slot.mark, into: &slot.batch, faults: &slot.faults)
            if slot.isParsed { consumer.consume(slot) }
            monitor.change { slot.stage = .done }
        }
    }

    /// Hands the cutter to the reader's thread.
    private final class CutterBox: @unchecked Sendable {  // used by the reader's thread alone
        var cutter: ChunkCutter
        init(_ cutter: consuming ChunkCutter) { self.cutter = cutter }
    }

    /// Hands a consumer to its worker's thread.
    private final class ConsumerBox: @unchecked Sendable {  // used by one worker's thread alone
        let consumer: any ChunkConsumer
        init(_ consumer: any ChunkConsumer) { self.consumer = consumer }
    }
}

/// A request to stop, set from a signal handler or another thread.
public final class Cancellation: Sendable {
    private let flag = Atomic(false)

    /// Not cancelled.
    public init() {}

    /// Asks the run to stop.
    public func cancel() { flag.store(true, ordering: .relaxed) }

    /// Whether someone asked.
    public var isCancelled: Bool { flag.load(ordering: .relaxed) }

    /// Throws where someone asked.
    func check() throws(ExportPipelineError) {
        if isCancelled { throw .interrupted }
    }
}
